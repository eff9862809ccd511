// Tests of comparison plots: positions, and the effect of clicks.
#include "tests/visualizers/comparisons.h"
#include "visualizers/compare/scatter_plot.h"
#include "visualizers/compare/waterfall_plot.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace et::test {
namespace {

using inspector::WaterfallBy;
using visualizers::ComparisonModel;
using visualizers::ScatterPlot;
using visualizers::WaterfallPlot;

TEST(WaterfallPlot, AClickChoosesTheOperatorOfAStep) {
    const auto pair = madeUpComparison();
    WaterfallPlot plot(nullptr);
    plot.resize(600, 400);
    plot.show(makeWaterfall(pair->methods[0], WaterfallBy::Operator), inspector::TimeScale::Nanoseconds, 1);
    ASSERT_FALSE(plot.waterfall().steps.empty());
    EXPECT_EQ(plot.waterfall().steps[0].name, "conv");
    QSignalSpy chosen(&plot, &WaterfallPlot::rowChosen);
    int y = 0;
    while (plot.stepAt({5, y}) != 0U) {
        ASSERT_LT(++y, plot.height());
    }
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(5, y + 3));
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen.front().front().value<std::size_t>(), 0U);
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("conv +1")))
        << plot.accessibleDescription().toStdString();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(5, 2));
    EXPECT_EQ(chosen.size(), 1) << "A's total is no operator";
}

TEST(ScatterPlot, HasOperatorsOfBothSidesAndChoosesTheNearest) {
    ComparisonModel model;
    model.setComparison(madeUpComparison(), inspector::TimeScale::Nanoseconds);
    ScatterPlot plot(nullptr);
    plot.resize(400, 400);
    plot.show(model, 0);
    ASSERT_EQ(plot.itemCount(), 2U) << "conv and add; gelu and relu are on one side only";
    EXPECT_EQ(plot.itemAt(plot.placeOf(0) + QPointF(2, 2)), 0U);
    EXPECT_EQ(plot.itemAt(plot.placeOf(1)), 1U);
    EXPECT_FALSE(plot.itemAt({-50, -50}));
    const QPointF conv = plot.placeOf(0);
    EXPECT_LT(conv.y(), plot.height() - conv.x()) << "slower: above the line";
    plot.clear();
    EXPECT_EQ(plot.itemCount(), 0U);
}

}  // namespace
}  // namespace et::test
