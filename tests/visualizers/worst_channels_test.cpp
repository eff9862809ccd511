#include "visualizers/verify/worst_channels.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {
namespace {

TensorValues image(std::vector<double> numbers) {
    return {.type = "float32 [1, 2, 1, 3]", .sizes = {1, 2, 1, 3}, .numbers = std::move(numbers)};
}

TEST(WorstChannels, TheOneFurthestApartComesFirst) {
    const auto channels = worstChannels(image({1, 2, 3, 4, 5, 6}), image({1, 2, 3.5, 5, 6, 7}));
    ASSERT_EQ(channels.size(), 2U);
    EXPECT_EQ(channels[0].channel, 1);
    EXPECT_DOUBLE_EQ(channels[0].largest, 1);
    EXPECT_DOUBLE_EQ(channels[0].shift, 1) << "all of it is off by as much";
    EXPECT_EQ(channels[0].worst, (std::vector<std::int64_t>{0, 1, 0, 0}));
    EXPECT_DOUBLE_EQ(channels[1].largest, 0.5);
    EXPECT_NEAR(channels[1].snr.value(), 10 * std::log10(14 / 0.25), 1e-12);
    EXPECT_EQ(channels[1].worst, (std::vector<std::int64_t>{0, 0, 0, 2}));
}

TEST(WorstChannels, EqualOnesAreInfinitelyClear) {
    const auto channels = worstChannels(image({1, 2, 3, 0, 0, 0}), image({1, 2, 3, 0, 0, 0}));
    ASSERT_EQ(channels.size(), 2U);
    EXPECT_EQ(channels[0].snr, std::numeric_limits<double>::infinity());
    EXPECT_EQ(channels[1].snr, std::nullopt) << "nothing to compare with";
    EXPECT_EQ(channels[0].largest, 0);
}

TEST(WorstChannels, FiniteAgainstNanIsWorst) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto channels = worstChannels(image({1, 2, 3, 4, 5, 6}), image({900, 2, 3, 4, none, 6}));
    ASSERT_EQ(channels.size(), 2U);
    EXPECT_EQ(channels[0].channel, 1);
    EXPECT_EQ(channels[0].shift, 0) << "of what is a number";
}

TEST(WorstChannels, VectorsHaveThemLastAndSingleElementsNone) {
    EXPECT_EQ(channelDimension({1, 8, 4, 4}), 1U);
    EXPECT_EQ(channelDimension({1, 32, 64}), 2U);
    EXPECT_EQ(channelDimension({10}), 0U);
    EXPECT_EQ(channelDimension({}), 0U);
    const TensorValues logits{.type = "float32 [1, 3]", .sizes = {1, 3}, .numbers = {1, 2, 3}};
    EXPECT_TRUE(worstChannels(logits, logits).empty()) << "the elements say the same";
    TensorValues other = image({1, 2, 3, 4, 5, 6});
    other.sizes = {1, 3, 1, 2};
    EXPECT_TRUE(worstChannels(image({1, 2, 3, 4, 5, 6}), other).empty());
}

TEST(WorstChannels, ModelShowsThem) {
    WorstChannelsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setChannels(worstChannels(image({1, 2, 3, 4, 5, 6}), image({1, 2, 3, 4, 5, 6.5})));
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, WorstChannelsModel::Channel).data().toString(), QStringLiteral("1"));
    EXPECT_EQ(model.index(0, WorstChannelsModel::Largest).data().toString(), QStringLiteral("0.5"));
    EXPECT_EQ(model.headerData(WorstChannelsModel::Shift, Qt::Horizontal).toString(),
              QStringLiteral("Shift"));
}

}  // namespace
}  // namespace et::visualizers
