#include "visualizers/gap/gap_axis.h"

#include "visualizers/gap/gap_filter.h"
#include "visualizers/gap/gap_model.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace et::visualizers {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

TEST(GapAxis, PutsPowersOfTenAtEqualDistances) {
    const GapAxis axis(GapScale::Logarithmic, std::vector{0.0, 2e-4, 5e-2});
    const double low = GapAxis::equalBand;
    EXPECT_DOUBLE_EQ(*axis.placeOf(0), 0) << "equal is at the bottom";
    EXPECT_NEAR(*axis.placeOf(1e-4), low, 1e-12);
    EXPECT_NEAR(*axis.placeOf(1e-1), 1, 1e-12);
    EXPECT_NEAR(*axis.placeOf(1e-2) - *axis.placeOf(1e-3), *axis.placeOf(1e-3) - *axis.placeOf(1e-4), 1e-12);
    EXPECT_EQ(*axis.placeOf(unbounded), 1);
    EXPECT_FALSE(axis.placeOf(std::numeric_limits<double>::quiet_NaN()));
    const auto ticks = axis.ticks(10);
    ASSERT_EQ(ticks.size(), 5U);
    EXPECT_EQ(ticks[0].text, QStringLiteral("0"));
    EXPECT_EQ(ticks[1].text, QStringLiteral("1e-4"));
    EXPECT_EQ(ticks.back().text, QStringLiteral("1e-1"));
    EXPECT_LE(axis.ticks(2).size(), 3U);
}

TEST(GapAxis, ManyDecibelsAreLow) {
    const GapAxis axis(GapScale::Decibels, std::vector{unbounded, 33.0, 61.0});
    EXPECT_DOUBLE_EQ(*axis.placeOf(unbounded), 0);
    EXPECT_LT(*axis.placeOf(61), *axis.placeOf(33));
    EXPECT_NEAR(*axis.placeOf(30), 1, 1e-12);
    EXPECT_EQ(axis.ticks(10).front().text, QStringLiteral("∞"));
    EXPECT_EQ(axis.ticks(10)[1].text, QStringLiteral("70"));
}

TEST(GapAxis, HasPlacesForNothingAndForOneNumber) {
    EXPECT_EQ(GapAxis(GapScale::Logarithmic, {}).placeOf(0), 0.0);
    const GapAxis one(GapScale::Logarithmic, std::vector{1e-3});
    EXPECT_NEAR(*one.placeOf(1e-3), GapAxis::equalBand, 1e-12);
    EXPECT_NEAR(*one.placeOf(1e-2), 1, 1e-12);
}

inspector::GapReportRow row(const char* name, std::optional<double> mse, std::optional<bool> diverges) {
    inspector::GapReportRow made;
    made.runtimeOps = {name};
    made.referenceHandles = {core::DebugHandle(7)};
    made.outputs.emplace_back();
    made.outputs.front().numbers[inspector::GapMetric::Mse] = mse;
    if (diverges) {
        made.own = inspector::OwnError{.own = 2, .diverges = *diverges, .reason = {}};
    }
    return made;
}

TEST(GapModel, ListsSortsAndFilters) {
    auto report = std::make_shared<inspector::GapReport>();
    report->rows = {row("conv", 1e-3, false), row("add", std::nullopt, std::nullopt), row("relu", 0.5, true)};
    report->bisected = true;
    GapModel model;
    GapFilter filter;
    filter.setSourceModel(&model);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setReport(report, {});
    EXPECT_EQ(model.index(0, GapModel::Metric).data().toString(), QStringLiteral("0.001"));
    EXPECT_EQ(model.index(1, GapModel::Metric).data().toString(), QString());
    EXPECT_EQ(model.index(2, GapModel::Verdict).data().toString(), QStringLiteral("diverges"));
    const auto names = [&] {
        QStringList texts;
        for (int i = 0; i < filter.rowCount(); ++i) {
            texts.append(filter.index(i, GapModel::Operator).data().toString());
        }
        return texts.join(u' ');
    };
    filter.sort(GapModel::Metric, Qt::DescendingOrder);
    EXPECT_EQ(names(), QStringLiteral("relu conv add"));
    filter.sort(GapModel::Metric, Qt::AscendingOrder);
    EXPECT_EQ(names(), QStringLiteral("conv relu add")) << "what has no number is last";
    filter.sort(-1);
    filter.setFilterFixedString(QStringLiteral("CO"));
    EXPECT_EQ(names(), QStringLiteral("conv"));
    filter.setFilterFixedString({});
    filter.setDivergingOnly(true);
    EXPECT_EQ(names(), QStringLiteral("relu"));
}

}  // namespace
}  // namespace et::visualizers
