#include "inspector/trend/trend_groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace et::inspector {
namespace {

TrendEntry entry(std::string day, std::string commit, std::string device, double total) {
    TrendEntry made{.measured = "2026-11-" + day, .commit = std::move(commit)};
    if (!device.empty()) {
        made.tags["device"] = std::move(device);
    }
    made.method = "forward";
    made.runs = 10;
    made.total = total;
    made.operators = {{0, total / 2}};
    return made;
}

TEST(TrendGroups, MeasurementsOfACommitAreOnePoint) {
    const MeasuredModel model{.name = "net",
                              .operators = {{.name = "add.out"}},
                              .entries = {entry("01", "a", "pixel", 10), entry("02", "b", "pixel", 20),
                                          entry("03", "a", "pixel", 14), entry("04", "a", "", 100),
                                          entry("05", "", "pixel", 7), entry("06", "", "pixel", 9)}};
    const auto groups = groupTrend(model, {});
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].name, "(none)");
    EXPECT_EQ(groups[1].name, "pixel");
    const auto& points = groups[1].points;
    ASSERT_EQ(points.size(), 4U) << "a measurement without a commit is a point of its own";
    EXPECT_EQ(
        points[0],
        (TrendPoint{.commit = "a", .measured = "2026-11-01", .measurements = 2, .runs = 20, .total = 12}));
    EXPECT_EQ(points[1].commit, "b");
    EXPECT_EQ(groups[1].operators.at(0).times, (std::vector<double>{6, 10, 3.5, 4.5}));
}

TEST(TrendGroups, GroupsByAnyTags) {
    TrendEntry more = entry("01", "a", "pixel", 10);
    more.tags["threads"] = "4";
    TrendEntry cycles = entry("02", "b", "pixel", 10);
    cycles.cycles = true;
    const MeasuredModel model{.name = "net", .operators = {{.name = "add.out"}}, .entries = {more, cycles}};
    const auto groups = groupTrend(model, {.by = {"device", "threads"}});
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].name, "pixel, (none)");
    EXPECT_TRUE(groups[0].cycles) << "ticks and nanoseconds are never one series";
    EXPECT_EQ(groups[1].name, "pixel, 4");
    EXPECT_EQ(groupTrend(model, {.by = {}}).front().name, "");
}

TEST(TrendGroups, KeepsTheLastPoints) {
    MeasuredModel model{.name = "net", .operators = {{.name = "add.out"}}, .entries = {}};
    for (int i = 0; i < 9; ++i) {
        model.entries.push_back(entry("0" + std::to_string(i), "c" + std::to_string(i), "", i + 1));
    }
    const auto groups = groupTrend(model, {.maxPoints = 4});
    ASSERT_EQ(groups.front().points.size(), 4U);
    EXPECT_EQ(groups.front().leftOut, 5U);
    EXPECT_EQ(groups.front().points.front().commit, "c5");
    EXPECT_EQ(groups.front().operators.front().times.front(), 3);
}

TEST(TrendGroups, AnOperatorThatDidNotRunHasNoTime) {
    MeasuredModel model{.name = "net",
                        .operators = {{.name = "add.out"}, {.name = "mul.out"}},
                        .entries = {entry("01", "a", "", 2), entry("02", "b", "", 2)}};
    model.entries[1].operators = {{1, 5.0}};
    const auto operators = groupTrend(model, {}).front().operators;
    ASSERT_EQ(operators.size(), 2U);
    EXPECT_TRUE(std::isnan(operators[0].times[1]));
    EXPECT_TRUE(std::isnan(operators[1].times[0]));
    EXPECT_EQ(operators[1].times[1], 5);
}

TEST(TrendGroups, OperatorsOfOneNameAreCounted) {
    MethodTimes method;
    for (const char* name : {"add.out", "mul.out", "add.out"}) {
        method.operators.push_back({.name = name});
    }
    method.operators.push_back({.name = "add.out", .kind = OperatorKind::DelegatedOperator, .backend = "X"});
    const auto keys = keysOf(method);
    EXPECT_EQ(keys[2].occurrence, 1U);
    EXPECT_EQ(keys[3].occurrence, 0U);
    EXPECT_EQ(text(keys[0]), "add.out");
    EXPECT_EQ(text(keys[2]), "add.out (2)");
}

}  // namespace
}  // namespace et::inspector
