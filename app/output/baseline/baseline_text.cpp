#include "app/output/baseline/baseline_text.h"

#include "app/output/compare/report_tables.h"
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
using inspector::store::BaselineEntry;

constexpr std::int64_t baselineSchema = 1;

std::string timeText(double nanoseconds, bool cycles) {
    return readableTime(nanoseconds,
                        cycles ? inspector::TimeScale::Cycles : inspector::TimeScale::Nanoseconds);
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

Table timesTable(const MethodTimes& method, bool cycles) {
    const Measure time = cycles ? Measure::Cycles : Measure::Nanoseconds;
    Table table{.columns = {textColumn("operator"), textColumn("kind"), numberColumn("runs"),
                            numberColumn("p10", time), numberColumn("p50", time), numberColumn("p90", time)},
                .indexed = false};
    table.rows.push_back(timesRow("(total)", "", method.total));
    for (const OperatorTimes& each : method.operators) {
        table.rows.push_back(timesRow(core::printable(each.name), inspector::name(each.kind), each.samples));
    }
    return table;
}

Table outputTable(const Measurement& baseline) {
    Table table{.columns = {numberColumn("output"), textColumn("type"), numberColumn("min"),
                            numberColumn("max"), numberColumn("mean"), textColumn("checksum", "SHA-256")},
                .indexed = false};
    constexpr std::size_t shown = 16;
    for (const OutputSummary& each : baseline.outputs) {
        table.rows.push_back({static_cast<std::uint64_t>(each.index), core::printable(each.type),
                              optionalCell(each.minimum), optionalCell(each.maximum), optionalCell(each.mean),
                              core::printable(each.checksum.substr(0, shown))});
    }
    return table;
}

Dict operatorInfo(const OperatorTimes& each) {
    return {{"name", each.name},
            {"kind", std::string(inspector::name(each.kind))},
            {"backend", each.backend},
            {"chain", each.chain},
            {"instruction", std::int64_t{each.instruction.value}},
            {"debug_handles", numbersOf(each.handles)},
            {"op_types", listOf(each.nodes)},
            {"samples", each.samples}};
}

Dict methodInfo(const MethodTimes& method) {
    return {{"method", method.method},
            {"total_measured", method.totalMeasured},
            {"total", method.total},
            {"operators",
             listOf(method.operators, [](const OperatorTimes& each) { return operatorInfo(each); })}};
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

std::string baselineTable(std::span<const BaselineEntry> entries, const Style& style) {
    if (entries.empty()) {
        return "no baselines\n";
    }
    Table table{
        .columns = {textColumn("name"), textColumn("created"), textColumn("origin"), numberColumn("runs"),
                    numberColumn("operators"), numberColumn("p50"), textColumn("cpu", "processor")},
        .indexed = false};
    for (const BaselineEntry& each : entries) {
        table.rows.push_back({core::printable(each.name), core::printable(each.created),
                              core::printable(each.origin), each.runs, each.operators,
                              timeText(each.medianTotal, each.cycles), core::printable(each.cpu)});
    }
    return render(table, Format::Table, style);
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
    return jsonDocument(baselineSchema, {{"baselines", std::move(list)}});
}

std::string baselineText(const Measurement& baseline, const Style& style) {
    const Style readable = style.withUnits();
    std::string text = sideLine(baseline) + "\n";
    if (baseline.machine) {
        text += fmt::format("machine: {}, {} processors, {}\n", core::printable(baseline.machine->cpu),
                            baseline.machine->cores, core::printable(baseline.machine->system));
    }
    if (baseline.program) {
        text += fmt::format("program: {}, SHA-256 {}\n", readableBytes(baseline.program->bytes),
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
        text += render(timesTable(method, baseline.cycles), Format::Table, readable);
    }
    if (!baseline.outputs.empty()) {
        text += "outputs:\n" + render(outputTable(baseline), Format::Table, style);
    }
    return text;
}

std::string baselineJson(const Measurement& baseline) {
    Dict info{{"schema", baselineSchema}, {"unit", std::string(baseline.cycles ? "ticks" : "ns")}};
    std::ranges::move(sideInfo(baseline), std::back_inserter(info));
    info.emplace_back("methods",
                      listOf(baseline.methods, [](const MethodTimes& each) { return methodInfo(each); }));
    info.emplace_back("outputs",
                      listOf(baseline.outputs, [](const OutputSummary& each) { return outputInfo(each); }));
    info.emplace_back("warnings", listOf(baseline.warnings));
    return jsonLine(std::move(info));
}

}  // namespace et::output
