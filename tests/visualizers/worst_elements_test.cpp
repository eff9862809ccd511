#include "visualizers/verify/worst_elements.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <limits>

namespace et::visualizers {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

TensorValues values(std::vector<double> numbers) {
    return {.type = "float32 [2, 3]", .sizes = {2, 3}, .numbers = std::move(numbers)};
}

TEST(WorstElements, AreThoseFurthestApart) {
    const auto worst = worstElements(values({1, 2, 3, 4, unlimited, noNumber}),
                                     values({1, 2.5, 1, 4, unlimited, noNumber}), 10);
    ASSERT_EQ(worst.size(), 2U) << "the same infinity and NaN are equal";
    EXPECT_EQ(worst[0].index, (std::vector<std::int64_t>{0, 2}));
    EXPECT_EQ(worst[0].difference, -2);
    EXPECT_EQ(worst[1].index, (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(worst[1].actual, 2.5);
}

TEST(WorstElements, FiniteAgainstNanIsWorst) {
    const auto worst =
        worstElements(values({1, 1, 1, 1, 1, 1}), values({900, 1, 1, 1, noNumber, unlimited}), 2);
    ASSERT_EQ(worst.size(), 2U);
    EXPECT_EQ(worst[0].index, (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(worst[1].index, (std::vector<std::int64_t>{1, 2}));
}

TEST(WorstElements, OtherSizesHaveNone) {
    TensorValues other = values({1, 2, 3, 4, 5, 6});
    other.sizes = {3, 2};
    EXPECT_TRUE(worstElements(values({0, 0, 0, 0, 0, 0}), other, 10).empty());
}

TEST(WorstElements, ModelShowsThem) {
    WorstElementsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setElements(worstElements(values({1, 2, 3, 4, 5, 6}), values({1, 2, 3, 4, 5, 6.5}), 10), false);
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.index(0, WorstElementsModel::Index).data().toString(), QStringLiteral("[1, 2]"));
    EXPECT_EQ(model.index(0, WorstElementsModel::Difference).data().toString(), QStringLiteral("0.5"));
}

}  // namespace
}  // namespace et::visualizers
