// Tests of numeric gaps over several input sets.
#include "inspector/numeric_gap/gap_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

namespace et::inspector {
namespace {

GapReportRow rowOf(std::int32_t instruction, std::size_t set, double steps, bool diverges = false) {
    GapReportRow row;
    row.instruction = instruction;
    row.referenceHandles = {core::DebugHandle(instruction)};
    row.set = set;
    row.own = OwnError{.ownSteps = steps, .diverges = diverges, .reason = {}};
    return row;
}

GapReport reportOf(std::vector<GapReportRow> first, std::vector<GapReportRow> second) {
    GapReport report;
    report.method = "forward";
    report.inputs = "case";
    report.rows = std::move(first);
    report.otherSets.push_back({.inputs = "random:1", .rows = std::move(second)});
    report.bisected = true;
    report.triedInputs = {"case", "random:1"};
    return report;
}

std::vector<std::size_t> setsOfRows(const GapReport& report) {
    std::vector<std::size_t> sets;
    std::ranges::transform(report.rows, std::back_inserter(sets), &GapReportRow::set);
    return sets;
}

std::vector<std::int32_t> instructionsOf(const GapReport& report) {
    std::vector<std::int32_t> all;
    std::ranges::transform(report.rows, std::back_inserter(all), &GapReportRow::instruction);
    return all;
}

TEST(GapSets, ASetHasItsOwnRowsAndFirstDivergence) {
    const GapReport report =
        reportOf({rowOf(1, 0, 0), rowOf(2, 0, 0)}, {rowOf(1, 1, 0), rowOf(2, 1, 5, true)});
    EXPECT_EQ(setsOf(report), (std::vector<std::string>{"case", "random:1"}));
    const GapReport first = reportOfSet(report, 0);
    EXPECT_EQ(first.inputs, "case");
    EXPECT_FALSE(first.firstDivergence);
    const GapReport second = reportOfSet(report, 1);
    EXPECT_EQ(second.inputs, "random:1");
    EXPECT_EQ(second.method, "forward");
    EXPECT_TRUE(second.bisected);
    ASSERT_TRUE(second.firstDivergence);
    EXPECT_EQ(second.firstDivergence->row, 1U);
    EXPECT_EQ(second.firstDivergence->inputs, std::vector<std::string>{"random:1"});
    EXPECT_TRUE(reportOfSet(report, 2).rows.empty());
}

TEST(GapSets, FirstDivergenceNamesItsSet) {
    GapReport report = reportOf({rowOf(1, 0, 0)}, {rowOf(1, 1, 5, true)});
    EXPECT_EQ(setOfFirstDivergence(report), 0U) << "there is none";
    report.firstDivergence = GapDivergence{.row = 0, .own = {}, .inputs = {"random:1"}};
    EXPECT_EQ(setOfFirstDivergence(report), 1U);
    report.firstDivergence->inputs = {"unknown"};
    EXPECT_EQ(setOfFirstDivergence(report), 0U);
}

TEST(GapSets, WorstIsFirstByDivergenceThenBySteps) {
    const GapReport report = reportOf({rowOf(1, 0, 9), rowOf(2, 0, 1), rowOf(3, 0, 2), rowOf(4, 0, 1)},
                                      {rowOf(1, 1, 5, true), rowOf(2, 1, 3), rowOf(3, 1, 1), rowOf(4, 1, 1)});
    const GapReport worst = worstOfSets(report);
    EXPECT_EQ(setsOfRows(worst), (std::vector<std::size_t>{1, 1, 0, 0})) << "of equals the first";
    ASSERT_TRUE(worst.firstDivergence);
    EXPECT_EQ(worst.firstDivergence->row, 0U);
    EXPECT_EQ(worst.firstDivergence->inputs, std::vector<std::string>{"random:1"});
}

TEST(GapSets, WithoutOwnErrorsTheLargestMseIsWorst) {
    GapReport report = reportOf({rowOf(1, 0, 0), rowOf(2, 0, 0)}, {rowOf(1, 1, 0), rowOf(2, 1, 0)});
    const auto give = [](GapReportRow& row, double mse) {
        row.own.reset();
        row.outputs.emplace_back().numbers[GapMetric::Mse] = mse;
    };
    give(report.rows[0], 1);
    give(report.rows[1], 3);
    give(report.otherSets[0].rows[0], 2);
    give(report.otherSets[0].rows[1], 0);
    EXPECT_EQ(setsOfRows(worstOfSets(report)), (std::vector<std::size_t>{1, 0}));
    report.otherSets[0].rows[1].outputs[0].difference = "shapes differ";
    EXPECT_EQ(setsOfRows(worstOfSets(report)), (std::vector<std::size_t>{1, 1}));
}

TEST(GapSets, OperatorsInOneSetOnlyKeepTheirOrder) {
    const GapReport report = reportOf({rowOf(1, 0, 0), rowOf(2, 0, 0), rowOf(5, 0, 0), rowOf(5, 0, 0)},
                                      {rowOf(1, 1, 0), rowOf(3, 1, 0), rowOf(4, 1, 0), rowOf(5, 1, 7)});
    const GapReport worst = worstOfSets(report);
    EXPECT_EQ(instructionsOf(worst), (std::vector<std::int32_t>{1, 3, 4, 2, 5, 5}));
    EXPECT_EQ(setsOfRows(worst), (std::vector<std::size_t>{0, 1, 1, 0, 1, 0}));
}

}  // namespace
}  // namespace et::inspector
