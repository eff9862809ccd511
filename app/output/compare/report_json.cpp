#include "app/output/cells.h"
#include "app/output/compare/report.h"
#include "app/output/compare/report_tables.h"
#include "inspector/comparison/statistics_power.h"
#include "inspector/format/decibel_cell.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace et::output {
namespace {

using inspector::Comparison;
using inspector::ComparisonRow;
using inspector::Interval;
using inspector::Measurement;
using inspector::MethodComparison;
using inspector::OutputComparison;
using inspector::TimeTest;

/// Incremented when the meaning of a key changes.
constexpr std::int64_t compareSchema = 1;
constexpr double asPercent = 100;

Cell boundsCell(const Interval& interval) {
    return std::vector<double>{interval.low, interval.high};
}

Dict testInfo(const TimeTest& test) {
    return {{"verdict", std::string(name(test.verdict))},
            {"undecided_because", textCell(text(test.reason))},
            {"runs_to_decide", optionalCell(test.runsToDecide)},
            {"launches_to_decide", optionalCell(test.launchesToDecide)},
            {"launches", static_cast<std::uint64_t>(std::max<std::size_t>(test.launches, 1))},
            {"runs_a", static_cast<std::uint64_t>(test.countA)},
            {"runs_b", static_cast<std::uint64_t>(test.countB)},
            {"median_a", test.countA > 0 ? Cell(test.medianA) : Cell()},
            {"median_b", test.countB > 0 ? Cell(test.medianB) : Cell()},
            {"interval_a", test.countA > 0 ? boundsCell(test.intervalA) : Cell()},
            {"interval_b", test.countB > 0 ? boundsCell(test.intervalB) : Cell()},
            {"difference", test.difference},
            {"difference_interval", boundsCell(test.differenceInterval)},
            {"ratio", optionalCell(test.ratio)},
            {"ratio_interval", test.ratioInterval ? boundsCell(*test.ratioInterval) : Cell()},
            {"p_slower", test.slowerProbability},
            {"p_faster", test.fasterProbability},
            {"p_not_same", test.otherProbability},
            {"drift_a", test.driftA},
            {"drift_b", test.driftB}};
}

Dict rowInfo(const ComparisonRow& row) {
    const auto& shown = row.shown();
    Dict info{{"name", std::string(row.name())},
              {"kind", std::string(inspector::name(shown.kind))},
              {"backend", textCell(shown.backend)},
              {"alignment", std::string(name(row.alignment))},
              {"instruction_a", row.a != nullptr ? Cell(std::int64_t{row.a->instruction.value}) : Cell()},
              {"instruction_b", row.b != nullptr ? Cell(std::int64_t{row.b->instruction.value}) : Cell()},
              {"op_types", listOf(shown.nodes)},
              {"module", textCell(shown.module)}};
    for (auto& each : testInfo(row.test)) {
        info.push_back(std::move(each));
    }
    if (row.a == nullptr || row.b == nullptr) {
        for (auto& [key, value] : info) {
            value = key == "verdict" ? Cell(std::string(name(row.alignment))) : std::move(value);
        }
    }
    return info;
}

Dict methodInfo(const MethodComparison& method) {
    return {{"method_a", method.a->method},
            {"method_b", method.b->method},
            {"total", testInfo(method.total)},
            {"operators", listOf(method.rows, [](const ComparisonRow& row) { return rowInfo(row); })}};
}

Cell machineCell(const Measurement& side) {
    return side.machine ? Cell(Dict{{"cpu", side.machine->cpu},
                                    {"cores", side.machine->cores},
                                    {"system", side.machine->system}})
                        : Cell();
}

Cell loadCell(const Measurement& side) {
    if (!side.otherLoad) {
        return {};
    }
    const inspector::OtherLoad& load = *side.otherLoad;
    return Dict{{"waiting_percent", load.waiting * asPercent},
                {"stolen_percent", load.stolen * asPercent},
                {"involuntary_switches", load.involuntarySwitches},
                {"frequency_change_percent",
                 load.frequencyChange ? Cell(*load.frequencyChange * asPercent) : Cell()}};
}

Cell settingsCell(const Measurement& side) {
    if (!side.settings) {
        return {};
    }
    const inspector::RunSettings& settings = *side.settings;
    return Dict{{"method", settings.method},
                {"threads", settings.threads},
                {"warmup", settings.warmup},
                {"warmup_detected", settings.warmupDetected},
                {"iterations", settings.iterations},
                {"inputs", settings.inputs},
                {"seed", settings.seed},
                {"load_ns", settings.loadNanoseconds},
                {"peak_bytes", settings.peakBytes}};
}

Cell programCell(const Measurement& side) {
    return side.program ? Cell(Dict{{"sha256", side.program->sha256},
                                    {"bytes", side.program->bytes},
                                    {"planned_bytes", side.program->plannedBytes},
                                    {"instructions", side.program->instructions},
                                    {"delegate_calls", side.program->delegates}})
                        : Cell();
}

Dict outputInfo(const OutputComparison& output) {
    Dict info{{"method", output.method},
              {"output", static_cast<std::uint64_t>(output.index)},
              {"equal", output.equal}};
    if (!output.elements) {
        info.emplace_back("agrees", Cell());
        return info;
    }
    const auto& metrics = output.elements->metrics;
    info.emplace_back("agrees", output.elements->agrees());
    info.emplace_back("message", output.elements->difference);
    info.emplace_back("type", output.elements->type);
    info.emplace_back("elements", output.elements->elements);
    info.emplace_back("mismatches", output.elements->mismatches);
    info.emplace_back("max_abs_error", optionalCell(metrics.maxAbsoluteError));
    info.emplace_back("max_rel_error", optionalCell(metrics.maxRelativeError));
    info.emplace_back("mean_abs_error", optionalCell(metrics.meanAbsoluteError));
    info.emplace_back("snr_db", inspector::format::decibelCell(metrics.signalToNoiseDecibels));
    info.emplace_back("non_finite", metrics.nonFinite);
    info.emplace_back("cosine", optionalCell(metrics.cosineSimilarity));
    info.emplace_back("max_ulp", optionalCell(metrics.maxUlp));
    return info;
}

List budgetList(const std::vector<tasks::BudgetCheck>& checks) {
    return listOf(checks, [&](const tasks::BudgetCheck& check) {
        return Dict{{"fail_if", check.budget.text},
                    {"method", textCell(check.method)},
                    {"value", std::isfinite(check.value) ? Cell(check.value) : Cell()},
                    {"limit", check.budget.limit},
                    {"broken", check.broken}};
    });
}

}  // namespace

Dict sideInfo(const Measurement& side) {
    return {{"name", side.name},
            {"source", std::string(inspector::name(side.source))},
            {"machine", machineCell(side)},
            {"settings", settingsCell(side)},
            {"program", programCell(side)}};
}

std::string compareJson(const CompareReport& given) {
    const Comparison& comparison = given.comparison;
    const auto& test = comparison.options.test;
    return jsonDocument(
        compareSchema,
        {{"regression", given.regressed()},
         {"slower", given.slower()},
         {"outputs_differ", comparison.outputsDiffer()},
         {"threshold_percent", test.threshold * asPercent},
         {"confidence_percent", test.confidence * asPercent},
         {"interleaved", comparison.options.interleaved},
         {"other_load", loadCell(comparison.a->otherLoad ? *comparison.a : *comparison.b)},
         {"excludes_launches", !comparison.betweenLaunches()},
         {"unit", std::string(comparison.a->cycles ? "ticks" : "ns")},
         {"a", sideInfo(*comparison.a)},
         {"b", sideInfo(*comparison.b)},
         {"methods",
          listOf(comparison.methods, [](const MethodComparison& method) { return methodInfo(method); })},
         {"only_a", listOf(comparison.onlyA)},
         {"only_b", listOf(comparison.onlyB)},
         {"outputs",
          listOf(comparison.outputs, [](const OutputComparison& output) { return outputInfo(output); })},
         {"budgets", budgetList(given.budgets)},
         {"program_diff", given.programInfo},
         {"warnings", listOf(comparison.warnings)}});
}

}  // namespace et::output
