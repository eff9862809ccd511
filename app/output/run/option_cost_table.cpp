#include "app/output/run/option_cost_table.h"

#include <cmath>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

constexpr std::int64_t optionCostSchema = 1;

std::string_view sharingName(backends::xnnpack::WorkspaceSharing sharing) {
    switch (sharing) {
        case backends::xnnpack::WorkspaceSharing::Disabled:
            return "disabled";
        case backends::xnnpack::WorkspaceSharing::Global:
            return "global";
        default:
            return "per-model";
    }
}

std::string_view cacheName(const tasks::OptionCost& cost) {
    return cost.options.weightCache ? "on" : "off";
}

double roundedRatio(double ratio) {
    constexpr double thousandth = 1000;
    return std::round(ratio * thousandth) / thousandth;
}

/// Packed weights and workspace, relative to the first combination.
double memoryRatio(const tasks::OptionCost& cost, const tasks::OptionCost& usual) {
    const auto bytes = [](const tasks::OptionCost& each) {
        return static_cast<double>(each.packedBytes + each.workspaceBytes);
    };
    return bytes(usual) > 0 ? bytes(cost) / bytes(usual) : 1;
}

}  // namespace

Table optionCostTable(std::span<const tasks::OptionCost> costs) {
    Table table{.columns = {textColumn("workspace_sharing_mode", "workspace sharing"),
                            textColumn("weight_cache", "weight cache"),
                            numberColumn("load", "load (ms)", Measure::Milliseconds),
                            numberColumn("load_ratio", "load ratio"),
                            numberColumn("first", "first (ms)", Measure::Milliseconds),
                            numberColumn("p50", "p50 (ms)", Measure::Milliseconds),
                            numberColumn("time_ratio", "p50 ratio"),
                            numberColumn("packed_weights", "packed weights (bytes)", Measure::Bytes),
                            numberColumn("workspace", "workspace (bytes)", Measure::Bytes),
                            numberColumn("memory_ratio", "memory ratio")},
                .indexed = false};
    for (const tasks::OptionCost& each : costs) {
        table.rows.push_back({std::string(sharingName(each.options.workspaceSharing)),
                              std::string(cacheName(each)), each.load / nanosecondsPerMillisecond,
                              roundedRatio(each.loadRatio), each.first / nanosecondsPerMillisecond,
                              each.median / nanosecondsPerMillisecond, roundedRatio(each.timeRatio),
                              each.packedBytes, each.workspaceBytes,
                              roundedRatio(memoryRatio(each, costs.front()))});
    }
    return table;
}

std::string optionCostJson(std::span<const tasks::OptionCost> costs) {
    List list;
    for (const tasks::OptionCost& each : costs) {
        list.emplace_back(
            Dict{{"workspace_sharing_mode", std::string(sharingName(each.options.workspaceSharing))},
                 {"weight_cache", std::string(cacheName(each))},
                 {"load_ms", each.load / nanosecondsPerMillisecond},
                 {"load_ratio", each.loadRatio},
                 {"first_ms", each.first / nanosecondsPerMillisecond},
                 {"p50_ms", each.median / nanosecondsPerMillisecond},
                 {"time_ratio", each.timeRatio},
                 {"packed_weights", each.packedBytes},
                 {"workspace", each.workspaceBytes},
                 {"memory_ratio", memoryRatio(each, costs.front())}});
    }
    return jsonDocument(optionCostSchema, {{"xnnpack_options", std::move(list)}});
}

}  // namespace et::output
