#include "inspector/numeric_gap/gap_report.h"

#include "inspector/numeric_gap/gap_calculation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace et::inspector {
namespace {

using core::DebugHandle;

constexpr std::string_view side =
    R"({"dtype": "float32", "shape": [2, 3], "elements": 6, "min": -1.5, "max": 2, "mean": 0.5, "std": 1, )"
    R"("p99": 1.9, "nan": 1, "inf": 2, "zero": 3})";

/// Returns a row of handle `handle` in the format printed by et-inspect.
std::string row(int handle, std::string_view metrics, std::string_view more) {
    return fmt::format(
        R"({{"aot_debug_handle": [{0}], "aot_ops": ["node_{0}"], "runtime_debug_handle": [{0}], )"
        R"("runtime_ops": ["XNNAdd"], "gap": [0.1], "stacktraces": {{"node_{0}": )"
        R"("  File \"a.py\", line 1, in f\n    y = g(x)\n  File \"b.py\", line 7, in g"}}, )"
        R"("place": "delegate", "graph": "edge", "instruction_id": 3, "backend": "X", )"
        R"("module": null, "outputs": [{{"metrics": {{{1}}}, "infinite": {{"snr": "inf", )"
        R"("psnr": "-inf"}}, "reference": {2}, "runtime": {2}, "quantization": )"
        R"({{"scale": 0.5, "zero_point": -3}}, "difference": null}}]{3}}})",
        handle, metrics, side, more);
}

constexpr std::string_view errors =
    R"(, "edge_nodes": ["n"], "inputs": ["x", "y"], "own_error": 0.25, "inherited_error": 0.5, )"
    R"("total_error": null, "own_steps": 3, "own_share": 0.1, "own_shift": -1, "diverges": true, )"
    R"("reason": "too far")";

std::string gap(std::string_view rows, std::string_view more) {
    return fmt::format(R"({{"schema": 1, "method": "forward", "metric": "mse", "inputs": "random:1", )"
                       R"("rows": [{}]{}, "taps": [], "warnings": ["careful"]}})",
                       rows, more);
}

TEST(GapReport, ReadsRows) {
    const auto report =
        readGapJson(gap(row(7, R"("mse": 0.1, "snr": null, "psnr": null, "cosine": null)", errors), ""));
    ASSERT_TRUE(report) << report.error().toString();
    EXPECT_EQ(report->method, "forward");
    EXPECT_EQ(report->inputs, "random:1");
    EXPECT_FALSE(report->bisected);
    EXPECT_EQ(report->warnings, std::vector<std::string>{"careful"});
    ASSERT_EQ(report->rows.size(), 1U);
    const GapReportRow& first = report->rows.front();
    EXPECT_EQ(first.referenceHandles, std::vector{DebugHandle(7)});
    EXPECT_EQ(first.place, GapLevel::Delegate);
    EXPECT_EQ(first.graph, GapGraph::Edge);
    EXPECT_EQ(first.instruction, 3);
    EXPECT_EQ(pythonLineOf(first), "File \"b.py\", line 7, in g");
    ASSERT_EQ(first.outputs.size(), 1U);
    EXPECT_EQ(first.outputs[0].reference.sizes, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(first.outputs[0].runtime.statistics.infinities, 2U);
    EXPECT_EQ(first.outputs[0].quantization, (QuantizationParameters{.scale = 0.5, .zeroPoint = -3}));
    ASSERT_TRUE(first.own);
    EXPECT_TRUE(first.own->diverges);
    EXPECT_EQ(first.own->inherited, 0.5);
    EXPECT_TRUE(std::isinf(first.own->total)) << "null of a number that is there stands for infinity";
}

TEST(GapReport, ReadsWhatIsWritten) {
    NumericGap gap;
    gap.method = "forward";
    gap.inputs = "bundled:0";
    gap.warnings = {"careful"};
    GapRow row;
    row.referenceHandles = {DebugHandle(7), DebugHandle(8)};
    row.referenceOps = {"conv2d"};
    row.runtimeHandles = {DebugHandle(7)};
    row.runtimeOps = {"Conv2d"};
    row.stackTraces = {{"conv2d", "  File \"a.py\", line 1, in f"}};
    row.place = GapLevel::Delegate;
    row.graph = GapGraph::Edge;
    row.instruction = 3;
    row.backend = "XnnpackBackend";
    row.module = "layers.0";
    row.edgeNodes = {"aten_convolution_default"};
    row.inputs = {"x"};
    row.own = OwnError{.own = 0.25,
                       .inherited = 0.5,
                       .total = std::numeric_limits<double>::infinity(),
                       .ownSteps = 3,
                       .ownShare = 0.125,
                       .ownShift = -1,
                       .diverges = true,
                       .reason = "far",
                       .explanation = "bfloat16 scales"};
    gap.rows = {row};
    gap.firstDivergence = 0;
    NumericGap other = gap;
    other.inputs = "random:1";
    other.rows.front().own->diverges = false;
    other.firstDivergence.reset();
    const std::vector gaps{std::make_shared<const NumericGap>(gap),
                           std::make_shared<const NumericGap>(other)};
    const auto report = readGapJson(gapJson(gaps, {.ownErrors = true}, GapMetric::Snr, {"XnnpackBackend"}));
    ASSERT_TRUE(report) << report.error().toString();
    EXPECT_EQ(report->method, gap.method);
    EXPECT_EQ(report->inputs, gap.inputs);
    EXPECT_EQ(report->warnings, gap.warnings);
    EXPECT_EQ(report->emulated, std::vector<std::string>{"XnnpackBackend"});
    EXPECT_EQ(report->triedInputs, (std::vector<std::string>{"bundled:0", "random:1"}));
    ASSERT_EQ(report->otherSets.size(), 1U);
    EXPECT_EQ(report->otherSets.front().inputs, "random:1");
    ASSERT_TRUE(report->firstDivergence);
    EXPECT_EQ(report->firstDivergence->row, 0U);
    ASSERT_EQ(report->divergesSometimes.size(), 1U);
    EXPECT_EQ(report->divergesSometimes.front().inputs, std::vector<std::string>{"bundled:0"});
    ASSERT_EQ(report->rows.size(), 1U);
    const GapReportRow& read = report->rows.front();
    EXPECT_EQ(read.referenceHandles, row.referenceHandles);
    EXPECT_EQ(read.referenceOps, row.referenceOps);
    EXPECT_EQ(read.runtimeHandles, row.runtimeHandles);
    EXPECT_EQ(read.runtimeOps, row.runtimeOps);
    EXPECT_EQ(read.stackTraces, row.stackTraces);
    EXPECT_EQ(read.place, row.place);
    EXPECT_EQ(read.graph, row.graph);
    EXPECT_EQ(read.instruction, row.instruction);
    EXPECT_EQ(read.backend, row.backend);
    EXPECT_EQ(read.module, row.module);
    EXPECT_EQ(read.edgeNodes, row.edgeNodes);
    EXPECT_EQ(read.inputs, row.inputs);
    ASSERT_TRUE(read.own);
    EXPECT_EQ(read.own->own, row.own->own);
    EXPECT_EQ(read.own->inherited, row.own->inherited);
    EXPECT_EQ(read.own->total, row.own->total);
    EXPECT_EQ(read.own->ownSteps, row.own->ownSteps);
    EXPECT_EQ(read.own->ownShare, row.own->ownShare);
    EXPECT_EQ(read.own->ownShift, row.own->ownShift);
    EXPECT_EQ(read.own->diverges, row.own->diverges);
    EXPECT_EQ(read.own->reason, row.own->reason);
    EXPECT_EQ(read.own->explanation, row.own->explanation);
}

TEST(GapReport, DistinguishesInfiniteFromMissingMetrics) {
    const auto report =
        readGapJson(gap(row(7, R"("mse": 0.0, "snr": null, "psnr": null, "cosine": null)", ""), ""));
    ASSERT_TRUE(report);
    const GapReportRow& first = report->rows.front();
    EXPECT_EQ(metricOf(first, GapMetric::Mse), 0.0);
    EXPECT_EQ(metricOf(first, GapMetric::Snr), std::numeric_limits<double>::infinity());
    EXPECT_EQ(metricOf(first, GapMetric::Psnr), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(metricOf(first, GapMetric::Cosine), std::nullopt);
    EXPECT_FALSE(first.own);
}

TEST(GapReport, FindsTheRowOfADivergence) {
    constexpr std::string_view divergence =
        R"({"debug_handles": [8], "aot_ops": ["n"], "runtime_ops": ["XNNAdd"], "instruction_id": 3, )"
        R"("own_error": 1, "inherited_error": 0, "total_error": 1, "own_steps": 9, "own_share": 1, )"
        R"("own_shift": 0, "diverges": true, "reason": "far", "diverges_on": ["random:2"]})";
    const std::string rows = row(7, R"("mse": 1)", errors) + ", " + row(8, R"("mse": 2)", errors);
    const auto report = readGapJson(gap(
        rows, fmt::format(R"(, "first_divergence": {0}, "sensitivity": {{"inputs": ["usual", "random:2"], )"
                          R"("diverge_always": [], "diverge_sometimes": [{0}]}})",
                          divergence)));
    ASSERT_TRUE(report) << report.error().toString();
    EXPECT_TRUE(report->bisected);
    ASSERT_TRUE(report->firstDivergence);
    EXPECT_EQ(report->firstDivergence->row, 1U);
    EXPECT_EQ(report->firstDivergence->inputs, std::vector<std::string>{"random:2"});
    EXPECT_EQ(report->triedInputs.size(), 2U);
    EXPECT_EQ(report->divergesSometimes.size(), 1U);
}

TEST(GapReport, ReadsTheRowsOfOtherInputs) {
    const std::string others = row(7, R"("mse": 1)", "") + ", " + row(8, R"("mse": 2)", "");
    const auto report = readGapJson(
        gap(row(7, R"("mse": 0)", ""),
            fmt::format(R"(, "other_inputs": [{{"inputs": "random:2", "rows": [{}]}}])", others)));
    ASSERT_TRUE(report) << report.error().toString();
    ASSERT_EQ(report->otherSets.size(), 1U);
    EXPECT_EQ(report->otherSets[0].inputs, "random:2");
    ASSERT_EQ(report->otherSets[0].rows.size(), 2U);
    const GapReportRow& last = report->otherSets[0].rows[1];
    EXPECT_EQ(last.set, 1U);
    EXPECT_EQ(last.number, 1U);
    EXPECT_EQ(metricOf(last, GapMetric::Mse), 2.0);
    EXPECT_FALSE(readGapJson(gap("", R"(, "other_inputs": [{"inputs": "x"}])"))) << "without rows";
}

TEST(GapReport, RejectsOtherJson) {
    for (const std::string_view text : {"", "{", "[]", "{\"schema\": 1}", "{\"schema\": 2, \"rows\": []}"}) {
        const auto report = readGapJson(text);
        ASSERT_FALSE(report) << text;
        EXPECT_EQ(report.error().code, core::ErrorCode::Format);
    }
    EXPECT_TRUE(readGapJson(gap("", "")));
    EXPECT_FALSE(readGapJson(gap("1", "")));
}

GapReportRow rowOf(std::initializer_list<std::int64_t> handles) {
    GapReportRow made;
    for (const std::int64_t each : handles) {
        made.referenceHandles.emplace_back(each);
    }
    return made;
}

TEST(GapReport, HandleBelongsToTheMostSpecificRow) {
    GapReport report;
    report.rows = {rowOf({5}), rowOf({6, 7}), rowOf({5, 5, 6, 7, 8})};
    const auto rows = rowsByHandle(report);
    EXPECT_EQ(rows.at(DebugHandle(5)), 0U);
    EXPECT_EQ(rows.at(DebugHandle(7)), 1U);
    EXPECT_EQ(rows.at(DebugHandle(8)), 2U);
    EXPECT_EQ(rowOfHandles(report, std::vector{DebugHandle(5)}), 0U) << "named twice is not shared more";
    EXPECT_EQ(rowOfHandles(report, std::vector{DebugHandle(6)}), 1U);
    EXPECT_EQ(rowOfHandles(report, std::vector{DebugHandle(5), DebugHandle(6), DebugHandle(7)}), 2U);
    EXPECT_EQ(rowOfHandles(report, std::vector{DebugHandle(9)}), std::nullopt);
    EXPECT_EQ(rowOfHandles(report, {}), std::nullopt);
}

}  // namespace
}  // namespace et::inspector
