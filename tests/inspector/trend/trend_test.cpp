#include "inspector/trend/trend.h"

#include "tests/support/made_up_fleet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace et::inspector {
namespace {

using test::FleetShape;
using test::FleetStep;
using test::makeFleet;

constexpr test::FleetNoise calm{.name = "calm"};
constexpr FleetShape small{.devices = 3, .commits = 40, .operators = 8};

Trend trendOf(const MeasuredModel& model, const TrendOptions& options = {}) {
    return findTrend(model, options).value();
}

TEST(Trend, NamesDeviceCommitAndOperator) {
    const Trend trend = trendOf(
        makeFleet(1, calm, small, FleetStep{.device = 1, .commit = 25, .operatorIndex = 3, .ofTotal = 0.05}));
    ASSERT_EQ(trend.changes.size(), 1U);
    const TrendChange& change = trend.changes.front();
    EXPECT_EQ(trend.groupOf(change).name, "d1");
    EXPECT_EQ(trend.pointOf(change).commit, "c25");
    EXPECT_TRUE(change.totalMoved);
    EXPECT_NEAR(*change.total.change(), 0.05, 0.01);
    ASSERT_TRUE(change.total.ratio);
    EXPECT_TRUE(change.total.ratio->contains(1.05));
    ASSERT_FALSE(change.operators.empty());
    EXPECT_EQ(text(trend.groupOf(change).operators[change.operators.front().index].key), "operator3");
    EXPECT_TRUE(trend.slower());
}

TEST(Trend, FixedSlowdownIsNotARegression) {
    MeasuredModel model = makeFleet(2, calm, small);
    for (TrendEntry& entry : model.entries) {
        const bool isBad = entry.commit == "c15" ||
                           (entry.commit > "c15" && entry.commit < "c28" && entry.commit.size() == 3);
        if (isBad && entry.tags["device"] == "d0") {
            entry.total *= 1.1;
            for (auto& [index, time] : entry.operators) {
                time *= 1.1;
            }
        }
    }
    const Trend trend = trendOf(model);
    ASSERT_EQ(trend.changes.size(), 2U);
    EXPECT_EQ(trend.pointOf(trend.changes[0]).commit, "c15");
    EXPECT_EQ(trend.pointOf(trend.changes[1]).commit, "c28");
    EXPECT_FALSE(trend.slower());
    EXPECT_FALSE(trend.anythingSlower());
    const auto levels = levelsOf(trend, 0);
    ASSERT_EQ(levels.size(), 3U);
    EXPECT_EQ(levels[1].from, 15U);
    EXPECT_EQ(levels[1].to, 28U);
    EXPECT_NEAR(levels[1].time / levels[0].time, 1.1, 0.02);
}

/// A change in an operator with a small share is not visible in the total.
TEST(Trend, AnOperatorAloneIsNoRegressionOfTheTotal) {
    const Trend trend = trendOf(makeFleet(
        3, calm, small, FleetStep{.device = 2, .commit = 20, .operatorIndex = 1, .ofTotal = 0.003}));
    ASSERT_EQ(trend.changes.size(), 1U);
    EXPECT_FALSE(trend.changes.front().totalMoved);
    EXPECT_FALSE(trend.slower());
    EXPECT_TRUE(trend.anythingSlower());
    EXPECT_EQ(levelsOf(trend, 2).size(), 1U);
    EXPECT_EQ(levelsOf(trend, 2, trend.changes.front().operators.front().index).size(), 2U);
}

TEST(Trend, OperatorsThatComeAndGoAreNamed) {
    MeasuredModel model = makeFleet(4, calm, small);
    model.operators.push_back({.name = "new.out"});
    for (TrendEntry& entry : model.entries) {
        if (std::stoi(entry.commit.substr(1)) >= 30) {
            const double gone = entry.operators[2].second;
            entry.operators.erase(entry.operators.begin() + 2);
            entry.operators.emplace_back(8U, gone + entry.total * 0.08);
            entry.total *= 1.08;
        }
    }
    const Trend trend = trendOf(model);
    ASSERT_EQ(trend.changes.size(), 3U) << "one a device";
    for (const TrendChange& change : trend.changes) {
        EXPECT_EQ(trend.pointOf(change).commit, "c30");
        ASSERT_GE(change.operators.size(), 2U);
        const auto presenceOf = [&](const std::string& name) {
            const auto& operators = trend.groupOf(change).operators;
            const auto step = std::ranges::find_if(change.operators, [&](const OperatorStep& each) {
                return operators[each.index].key.name == name;
            });
            return step == change.operators.end() ? OperatorPresence::Both : step->presence;
        };
        EXPECT_EQ(presenceOf("new.out"), OperatorPresence::Added);
        EXPECT_EQ(presenceOf("operator2"), OperatorPresence::Removed);
    }
}

TEST(Trend, SmallChangesDoNotCount) {
    const MeasuredModel model =
        makeFleet(5, {.device = 0.001, .operators = 0.001}, small,
                  FleetStep{.device = 0, .commit = 20, .operatorIndex = 0, .ofTotal = 0.008});
    const auto ofTotals = [](const Trend& trend) {
        return std::ranges::count_if(trend.changes, &TrendChange::totalMoved);
    };
    EXPECT_EQ(ofTotals(trendOf(model)), 0);
    EXPECT_EQ(ofTotals(trendOf(model, {.threshold = 0.005})), 1);
}

TEST(Trend, WrongOptionsAndEmptyHistoriesAreErrors) {
    const MeasuredModel model = makeFleet(6, calm, {.devices = 1, .commits = 3, .operators = 1});
    EXPECT_EQ(findTrend({.name = "net", .operators = {}, .entries = {}}).error().code,
              core::ErrorCode::NotFound);
    EXPECT_EQ(findTrend(model, {.threshold = -1}).error().code, core::ErrorCode::InvalidArgument);
    EXPECT_EQ(findTrend(model, {.confidence = 1}).error().code, core::ErrorCode::InvalidArgument);
    EXPECT_TRUE(trendOf(model).changes.empty()) << "too few points";
}

}  // namespace
}  // namespace et::inspector
