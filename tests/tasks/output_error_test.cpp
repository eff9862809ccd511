// Tests the error of outputs with NaN and infinities.
#include "app/tasks/lab/output_error.h"

#include "backends/xnnpack/quantize/model_draft.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace et::tasks {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

std::vector<CaseOutputs> outputs(const std::vector<float>& numbers) {
    const std::array sizes{std::int64_t{1}, static_cast<std::int64_t>(numbers.size())};
    return {
        {{backends::xnnpack::tensorOf(core::ScalarType::Float, sizes, std::as_bytes(std::span(numbers)))}}};
}

TEST(OutputErrorTest, CountsElementsThatAreNotFinite) {
    const auto measured = measureOutputError(outputs({1, 2, 3}), outputs({1, notANumber, infinite}));
    EXPECT_EQ(measured.nonFinite, 2U);
    EXPECT_EQ(measured.elements, 3U);
    ASSERT_TRUE(measured.sqnrDecibels) << "they are not exact";
    EXPECT_EQ(*measured.sqnrDecibels, -std::numeric_limits<double>::infinity());
    EXPECT_FALSE(measured.cosine);
    EXPECT_FALSE(measured.divergence);
    EXPECT_EQ(measured.top1, 0);
    EXPECT_GE(measured.noise(), nonFiniteNoise);
    EXPECT_TRUE(std::isfinite(measured.noise()));
}

TEST(OutputErrorTest, CountsFiniteElementsWhereTheReferenceIsNot) {
    EXPECT_EQ(measureOutputError(outputs({1, infinite}), outputs({1, 2})).nonFinite, 1U);
    EXPECT_EQ(measureOutputError(outputs({1, infinite}), outputs({1, -infinite})).nonFinite, 1U);
}

TEST(OutputErrorTest, EqualSpecialNumbersAreExact) {
    const auto numbers = outputs({1, notANumber, infinite, -infinite});
    const auto measured = measureOutputError(numbers, numbers);
    EXPECT_TRUE(measured.isFinite());
    EXPECT_FALSE(measured.sqnrDecibels);
    EXPECT_EQ(measured.noise(), 0);
}

TEST(OutputErrorTest, MeansKeepElementsThatAreNotFinite) {
    const std::array both{measureOutputError(outputs({1, 2}), outputs({1, 2.5F})),
                          measureOutputError(outputs({1, 2}), outputs({1, notANumber}))};
    EXPECT_EQ(meanOf(both).nonFinite, 1U);
    EXPECT_TRUE(std::isinf(*meanOf(both).sqnrDecibels));
    EXPECT_FALSE(computeDecibelRange(both));
}

}  // namespace
}  // namespace et::tasks
