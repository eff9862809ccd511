#include "app/output/memory/memory_info.h"

#include "app/output/info/artifact_info.h"
#include "inspector/join/node_fields.h"
#include "inspector/memory/cache_tensors.h"
#include "inspector/memory/memory_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace et::output {
namespace {

using executor::MemoryKind;
using inspector::ArenaTimeline;
using inspector::InstructionNodes;
using inspector::MemoryTimeline;
using inspector::PlannedTensor;
using inspector::Step;

double percent(double share) {
    return std::round(share * 1000) / 10;
}

std::int64_t lastInstruction(const MemoryTimeline& timeline) {
    return static_cast<std::int64_t>(timeline.steps.size());
}

/// The instruction of a step; no value before the first and after the last.
Cell instructionCell(const MemoryTimeline& timeline, Step step) {
    return step < 0 || step >= lastInstruction(timeline)
               ? Cell()
               : Cell(std::int64_t{timeline.steps[static_cast<std::size_t>(step)].instruction.value});
}

class MethodMemory {
  public:
    MethodMemory(const MemoryTimeline& of, const InstructionNodes& known, const MemoryInfoOptions& how)
        : timeline(of), nodes(known), options(how) {}

    Dict info() {
        Dict out{{"method", std::string(timeline.method->name)},
                 {"planned_bytes", timeline.plannedBytes()},
                 {"peak_bytes", timeline.peakBytes()},
                 {"constant_bytes", timeline.constantBytes()},
                 {"delegate_bytes", timeline.delegateBytes()},
                 {"caller_bytes", timeline.callerBytes},
                 {"tensors_sized_at_run_time", std::uint64_t{timeline.unboundedTensors}},
                 {"arenas", arenas()}};
        if (!options.forPeople) {
            out.emplace_back("tensors", tensors());
        }
        if (!options.alternativePlans.empty()) {
            out.emplace_back("what_if", alternativePlans());
        }
        if (!options.forPeople || !timeline.overlaps.empty()) {
            out.emplace_back("overlaps", overlaps());
        }
        if (const auto found = inspector::cacheTensors(timeline, options.context); !found.empty()) {
            out.emplace_back("cache_bytes", inspector::cacheBytes(found).reserved);
            out.emplace_back("cache_bytes_per_token", inspector::cacheBytes(found).perToken);
            out.emplace_back("caches", caches(found));
        }
        out.emplace_back("constants", constants());
        out.emplace_back("delegates", delegates());
        if (!options.measured.empty() || !options.allocations.empty()) {
            out.emplace_back("measured", measured());
        }
        return out;
    }

    Dict tensorInfo(const PlannedTensor& tensor) const {
        Dict out{{"value", std::uint64_t{tensor.value.value}}, {"kind", kindCell(tensor)}};
        if (!options.forPeople) {
            out.emplace_back("arena", std::uint64_t{tensor.arena.value});
        }
        append(out, {{"tensor", tensor.type}, {"bytes", tensor.bytes}, {"offset", tensor.offset}});
        if (options.forPeople) {
            out.emplace_back("alive", lifeText(tensor, timeline));
        } else {
            append(out,
                   {{"first_step", tensor.firstStep},
                    {"last_step", tensor.lastStep},
                    {"views", numbersOf<std::uint64_t>(tensor.aliases)},
                    {"name", std::string(tensor.name)},
                    {"instruction",
                     tensor.producer ? Cell(std::int64_t{tensor.producer->instruction.value}) : Cell()}});
        }
        out.emplace_back("operator", tensor.producerName);
        append(out, sourceInfo(tensor));
        return out;
    }

  private:
    static Cell kindCell(const PlannedTensor& tensor) { return std::string(tensorKindName(tensor.kind)); }

    Dict sourceInfo(const PlannedTensor& tensor) const {
        if (!options.record) {
            return {};
        }
        const auto found = tensor.producer ? nodes.nodesOf(tensor.producer->instruction)
                                           : std::vector<const etrecord::Node*>();
        List lines = inspector::sourceLines(found);
        if (options.forPeople) {
            const std::size_t more = lines.empty() ? 0 : lines.size() - 1;
            std::string text = lines.empty() ? "" : std::get<std::string>(lines.front());
            text += more == 0 ? "" : fmt::format(" and {} more", more);
            return {{"module", inspector::commonModule(found)}, {"source", std::move(text)}};
        }
        return {{"module", inspector::commonModule(found)}, {"source_lines", std::move(lines)}};
    }

    List tensors() const {
        return listOf(timeline.tensors, [this](const PlannedTensor& tensor) { return tensorInfo(tensor); });
    }

    List arenas() const {
        return listOf(timeline.arenas, [&](const ArenaTimeline& arena) {
            Dict info{{"arena", std::uint64_t{arena.arena.value}},
                      {"planned_bytes", arena.plannedBytes},
                      {"peak_bytes", arena.peakBytes},
                      {"fragmentation_percent", percent(arena.fragmentation())}};
            if (options.forPeople) {
                info.emplace_back("peak", stepText(timeline, arena.peakStep));
                append(info, {{"tensors_at_peak", peakTensors(arena)}});
            } else {
                append(info, {{"peak_step", arena.peakStep},
                              {"peak_instruction", instructionCell(timeline, arena.peakStep)},
                              {"live_bytes", arena.liveBytes},
                              {"peak_values", peakValues(arena)}});
            }
            return info;
        });
    }

    std::vector<std::uint64_t> peakValues(const ArenaTimeline& arena) const {
        std::vector<std::uint64_t> ids;
        for (const std::size_t index : arena.peakTensors) {
            ids.push_back(timeline.tensors[index].value.value);
        }
        return ids;
    }

    List peakTensors(const ArenaTimeline& arena) const {
        List out;
        for (const std::size_t index : arena.peakTensors) {
            if (options.top != 0 && out.size() == options.top) {
                break;
            }
            out.emplace_back(tensorInfo(timeline.tensors[index]));
        }
        return out;
    }

    List alternativePlans() const {
        List out;
        const auto planned = static_cast<std::int64_t>(timeline.plannedBytes());
        for (const inspector::AlternativePlan& each : options.alternativePlans) {
            const auto bytes = static_cast<std::int64_t>(each.bytes);
            out.emplace_back(Dict{{"plan", std::string(inspector::strategyName(each.strategy))},
                                  {"alignment", each.alignment},
                                  {"planned_bytes", bytes},
                                  {"saved_bytes", planned - bytes}});
        }
        return out;
    }

    List overlaps() const {
        return listOf(timeline.overlaps, [&](const inspector::PlanOverlap& each) {
            const PlannedTensor& first = timeline.tensors[each.first];
            const PlannedTensor& second = timeline.tensors[each.second];
            return options.forPeople
                       ? Cell(describe(each, timeline))
                       : Cell(Dict{
                             {"arena", std::uint64_t{first.arena.value}},
                             {"values", std::vector<std::uint64_t>{first.value.value, second.value.value}},
                             {"moved_to", each.movedTo ? Cell(std::uint64_t{each.movedTo->value}) : Cell()},
                             {"step", each.step}});
        });
    }

    static List caches(const std::vector<inspector::CacheTensor>& found) {
        return listOf(found, [&](const inspector::CacheTensor& each) {
            return Dict{{"value", std::uint64_t{each.value.value}},
                        {"name", std::string(each.name)},
                        {"tensor", each.type},
                        {"bytes", each.bytes},
                        {"positions", each.positions},
                        {"bytes_per_token", each.bytesPerToken()}};
        });
    }

    List constants() const {
        List out;
        for (const inspector::ConstantTensor& each : timeline.constants) {
            if (options.forPeople && options.top != 0 && out.size() == options.top) {
                break;
            }
            out.emplace_back(Dict{{"value", std::uint64_t{each.value.value}},
                                  {"name", std::string(each.name)},
                                  {"tensor", each.type},
                                  {"bytes", each.bytes},
                                  {"place", std::string(each.external ? "tensor data file"
                                                        : each.shared ? "shared"
                                                                      : "program")}});
        }
        return out;
    }

    List delegates() const {
        List out;
        for (const inspector::DelegateBytes& each : timeline.delegates) {
            Dict info{{"delegate", std::uint64_t{each.delegate.value}},
                      {"backend", std::string(each.backend)},
                      {"bytes", each.payloadBytes}};
            if (!options.forPeople || timeline.delegateBytes() != timeline.payloadBytes()) {
                info.emplace_back("named_data_bytes", each.namedBytes);
            }
            append(info, {{"calls", std::uint64_t{each.calls}}});
            if (!options.measured.empty()) {
                const auto taken = [&](MemoryKind kind) {
                    return bytesOf(options.measured, kind, each.delegate.value).value_or(0);
                };
                append(info, {{"packed_weights", taken(MemoryKind::DelegatePackedWeights)},
                              {"workspace", taken(MemoryKind::DelegateWorkspace)}});
            }
            out.emplace_back(std::move(info));
        }
        return out;
    }

    /// Memory use recorded in the trace: of our runtime, then of other allocators.
    List measured() const {
        List out;
        for (const inspector::MeasuredBytes& each : options.measured) {
            out.emplace_back(Dict{{"what", describe(each)}, {"bytes", each.bytes}});
        }
        for (const inspector::AllocatorUse& each : options.allocations) {
            out.emplace_back(Dict{{"what", each.name}, {"bytes", each.bytes / each.runs}});
        }
        return out;
    }

    const MemoryTimeline& timeline;
    const InstructionNodes& nodes;
    const MemoryInfoOptions& options;
};

constexpr std::array<std::pair<const char*, bool>, 13> columns{{{"method", false},
                                                                {"value", true},
                                                                {"kind", false},
                                                                {"arena", true},
                                                                {"tensor", false},
                                                                {"bytes", true},
                                                                {"offset", true},
                                                                {"first_step", true},
                                                                {"last_step", true},
                                                                {"instruction", true},
                                                                {"operator", false},
                                                                {"module", false},
                                                                {"source_lines", false}}};

}  // namespace

Dict memoryInfo(const MemoryTimeline& timeline, const InstructionNodes& nodes,
                const MemoryInfoOptions& options) {
    return MethodMemory(timeline, nodes, options).info();
}

Table tensorTable() {
    Table table;
    table.indexed = false;
    for (const auto& [name, numeric] : columns) {
        table.columns.push_back({.id = name, .header = name, .numeric = numeric});
    }
    return table;
}

void addRows(Table& table, const MemoryTimeline& timeline, const InstructionNodes& nodes) {
    const std::vector<inspector::AlternativePlan> none;
    const MemoryInfoOptions options{.forPeople = false, .record = true, .alternativePlans = none};
    MethodMemory memory(timeline, nodes, options);
    for (const PlannedTensor& tensor : timeline.tensors) {
        Dict info = memory.tensorInfo(tensor);
        info.emplace_back("method", std::string(timeline.method->name));
        std::vector<Cell> row;
        for (const auto& [name, numeric] : columns) {
            const auto found = std::ranges::find(info, name, &Dict::value_type::first);
            row.push_back(found == info.end() ? Cell() : std::move(found->second));
        }
        table.rows.push_back(std::move(row));
    }
}

}  // namespace et::output
