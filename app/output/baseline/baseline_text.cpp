#include "app/output/baseline/baseline_text.h"

#include "app/output/compare/report_tables.h"
#include "inspector/format/json_text.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::Measurement;
using inspector::MethodTimes;
using inspector::OperatorTimes;
using inspector::OutputSummary;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;
using inspector::format::optionalCell;
using inspector::store::BaselineEntry;

constexpr std::int64_t baselineSchema = 1;

std::string timeText(double nanoseconds, bool cycles) {
    return inspector::format::readableTime(
        nanoseconds, cycles ? inspector::TimeScale::Cycles : inspector::TimeScale::Nanoseconds);
}

std::vector<Cell> timesRow(std::string name, std::string_view kind, const std::vector<double>& samples) {
    const bool some = !samples.empty();
    const inspector::Statistics statistics = some ? inspector::summarize(samples) : inspector::Statistics{};
    std::vector<Cell> row{std::move(name), std::string(kind), static_cast<std::uint64_t>(samples.size())};
    for (const double each : {statistics.p10, statistics.p50, statistics.p90}) {
        row.push_back(some ? Cell(each) : Cell());
    }
    return row;
}

inspector::format::Table timesTable(const MethodTimes& method, bool cycles) {
    const inspector::format::Measure time =
        cycles ? inspector::format::Measure::Cycles : inspector::format::Measure::Nanoseconds;
    inspector::format::Table table{
        .columns = {{.id = "operator", .header = "operator"},
                    {.id = "kind", .header = "kind"},
                    {.id = "runs", .header = "runs", .numeric = true},
                    {.id = "p10", .header = "p10", .numeric = true, .measure = time},
                    {.id = "p50", .header = "p50", .numeric = true, .measure = time},
                    {.id = "p90", .header = "p90", .numeric = true, .measure = time}},
        .rows = {},
        .indexed = false,
        .heat = {}};
    table.rows.push_back(timesRow("(total)", "", method.total));
    for (const OperatorTimes& each : method.operators) {
        table.rows.push_back(timesRow(core::printable(each.name), inspector::name(each.kind), each.samples));
    }
    return table;
}

inspector::format::Table outputTable(const Measurement& baseline) {
    inspector::format::Table table{.columns = {{.id = "output", .header = "output", .numeric = true},
                                               {.id = "type", .header = "type"},
                                               {.id = "min", .header = "min", .numeric = true},
                                               {.id = "max", .header = "max", .numeric = true},
                                               {.id = "mean", .header = "mean", .numeric = true},
                                               {.id = "checksum", .header = "SHA-256"}},
                                   .rows = {},
                                   .indexed = false,
                                   .heat = {}};
    constexpr std::size_t shown = 16;
    for (const OutputSummary& each : baseline.outputs) {
        table.rows.push_back({static_cast<std::uint64_t>(each.index), core::printable(each.type),
                              optionalCell(each.minimum), optionalCell(each.maximum), optionalCell(each.mean),
                              core::printable(each.checksum.substr(0, shown))});
    }
    return table;
}

Dict operatorInfo(const OperatorTimes& each) {
    std::vector<std::int64_t> handles;
    for (const core::DebugHandle handle : each.handles) {
        handles.push_back(handle.value);
    }
    return {{"name", each.name},
            {"kind", std::string(inspector::name(each.kind))},
            {"backend", each.backend},
            {"chain", each.chain},
            {"instruction", std::int64_t{each.instruction.value}},
            {"debug_handles", std::move(handles)},
            {"op_types", List(each.nodes.begin(), each.nodes.end())},
            {"samples", each.samples}};
}

Dict methodInfo(const MethodTimes& method) {
    List operators;
    for (const OperatorTimes& each : method.operators) {
        operators.emplace_back(operatorInfo(each));
    }
    return {{"method", method.method},
            {"total_measured", method.totalMeasured},
            {"total", method.total},
            {"operators", std::move(operators)}};
}

Dict outputInfo(const OutputSummary& output) {
    return {{"method", output.method},
            {"output", static_cast<std::uint64_t>(output.index)},
            {"type", output.type},
            {"sha256", output.checksum},
            {"elements", output.elements},
            {"nonfinite", output.nonFinite},
            {"min", optionalCell(output.minimum)},
            {"max", optionalCell(output.maximum)},
            {"mean", optionalCell(output.mean)}};
}

}  // namespace

std::string baselineTable(std::span<const BaselineEntry> entries, const inspector::format::Style& style) {
    if (entries.empty()) {
        return "no baselines\n";
    }
    inspector::format::Table table{.columns = {{.id = "name", .header = "name"},
                                               {.id = "created", .header = "created"},
                                               {.id = "origin", .header = "origin"},
                                               {.id = "runs", .header = "runs", .numeric = true},
                                               {.id = "operators", .header = "operators", .numeric = true},
                                               {.id = "p50", .header = "p50", .numeric = true},
                                               {.id = "cpu", .header = "processor"}},
                                   .rows = {},
                                   .indexed = false,
                                   .heat = {}};
    for (const BaselineEntry& each : entries) {
        table.rows.push_back({core::printable(each.name), core::printable(each.created),
                              core::printable(each.origin), each.runs, each.operators,
                              timeText(each.medianTotal, each.cycles), core::printable(each.cpu)});
    }
    return inspector::format::render(table, inspector::format::Format::Table, style);
}

std::string baselineListJson(std::span<const BaselineEntry> entries) {
    List list;
    for (const BaselineEntry& each : entries) {
        list.emplace_back(Dict{{"name", each.name},
                               {"created", each.created},
                               {"origin", each.origin},
                               {"runs", each.runs},
                               {"operators", each.operators},
                               {"samples", each.samples},
                               {"p50", each.medianTotal},
                               {"unit", std::string(each.cycles ? "ticks" : "ns")},
                               {"cpu", each.cpu.empty() ? Cell() : Cell(each.cpu)}});
    }
    std::string text;
    inspector::format::appendJson(text,
                                  Cell(Dict{{"schema", baselineSchema}, {"baselines", std::move(list)}}));
    return text + "\n";
}

std::string baselineText(const Measurement& baseline, const inspector::format::Style& style) {
    inspector::format::Style readable = style;
    readable.adaptUnits = true;
    std::string text = sideLine(baseline) + "\n";
    if (baseline.machine) {
        text += fmt::format("machine: {}, {} processors, {}\n", core::printable(baseline.machine->cpu),
                            baseline.machine->cores, core::printable(baseline.machine->system));
    }
    if (baseline.program) {
        text += fmt::format("program: {}, SHA-256 {}\n",
                            inspector::format::readableBytes(baseline.program->bytes),
                            core::printable(baseline.program->sha256));
    }
    if (baseline.settings) {
        text += fmt::format(
            "inputs: {}{}\n", core::printable(baseline.settings->inputs),
            baseline.settings->inputs == "random" ? fmt::format(" (seed {})", baseline.settings->seed) : "");
    }
    for (const std::string& warning : baseline.warnings) {
        text += fmt::format("warning: {}\n", core::printable(warning));
    }
    for (const MethodTimes& method : baseline.methods) {
        text += core::printable(method.method) + ":\n";
        text += inspector::format::render(timesTable(method, baseline.cycles),
                                          inspector::format::Format::Table, readable);
    }
    if (!baseline.outputs.empty()) {
        text += "outputs:\n" +
                inspector::format::render(outputTable(baseline), inspector::format::Format::Table, style);
    }
    return text;
}

std::string baselineJson(const Measurement& baseline) {
    List methods;
    for (const MethodTimes& each : baseline.methods) {
        methods.emplace_back(methodInfo(each));
    }
    List outputs;
    for (const OutputSummary& each : baseline.outputs) {
        outputs.emplace_back(outputInfo(each));
    }
    Dict info{{"schema", baselineSchema}, {"unit", std::string(baseline.cycles ? "ticks" : "ns")}};
    std::ranges::move(sideInfo(baseline), std::back_inserter(info));
    info.emplace_back("methods", std::move(methods));
    info.emplace_back("outputs", std::move(outputs));
    info.emplace_back("warnings", List(baseline.warnings.begin(), baseline.warnings.end()));
    std::string text;
    inspector::format::appendJson(text, Cell(std::move(info)));
    return text + "\n";
}

}  // namespace et::output
