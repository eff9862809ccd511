#include "inspector/numeric_gap/verdict.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace et::inspector {
namespace {

/// A quantized result of 4 channels of 100 elements, correctly rounded by the runtime.
class QuantizedVerdict : public testing::Test {
  protected:
    QuantizedVerdict() {
        for (int i = 0; i < 400; ++i) {
            unrounded.push_back(step * (i % 17 + 0.01 * (i % 97)));
            replayed.push_back(step * std::round(unrounded.back() / step));
        }
        runtime = replayed;
    }

    OwnError verdict() {
        return judge({.runtime = runtime,
                      .replayed = replayed,
                      .unrounded = unrounded,
                      .reference = replayed,
                      .sizes = sizes},
                     legal);
    }
    /// Rounds channel 2 again, with shifted sums.
    void shiftChannel(double steps) {
        for (std::size_t i = 200; i < 300; ++i) {
            runtime[i] = step * std::round(unrounded[i] / step + steps);
        }
    }

    static constexpr double step = 0.25;
    static constexpr std::array<std::int64_t, 2> sizes{4, 100};
    LegalError legal =
        legalError({.quantization = QuantizationParameters{.scale = step, .zeroPoint = 3}}, 10);
    std::vector<double> unrounded;
    std::vector<double> replayed;
    std::vector<double> runtime;
};

TEST_F(QuantizedVerdict, RoundingIsLegal) {
    const OwnError error = verdict();
    EXPECT_FALSE(error.diverges) << error.reason;
    EXPECT_EQ(error.own, 0);
    EXPECT_NEAR(error.ownSteps, 0.5, 1e-9);
}

TEST_F(QuantizedVerdict, OneStepIsLegalWhereTheSumLiesBetweenTwo) {
    unrounded[50] = 2.49 * step;
    replayed[50] = 2 * step;
    runtime[50] = 3 * step;
    const OwnError error = verdict();
    EXPECT_FALSE(error.diverges) << error.reason;
    EXPECT_EQ(error.own, step);
}

TEST_F(QuantizedVerdict, OneStepIsNotWhereTheSumLiesOnOne) {
    unrounded[50] = replayed[50] = 2 * step;
    runtime[50] = 3 * step;
    EXPECT_TRUE(verdict().diverges);
}

// A channel of equal elements, as from zero inputs: all round the same way.
TEST_F(QuantizedVerdict, AConstantChannelMayLieBetweenTwoSteps) {
    for (std::size_t i = 200; i < 300; ++i) {
        unrounded[i] = 2.49 * step;
        replayed[i] = 2 * step;
        runtime[i] = 3 * step;
    }
    EXPECT_FALSE(verdict().diverges);
}

TEST_F(QuantizedVerdict, AFifthOfAStepInAWholeChannelIsNot) {
    shiftChannel(0.2);
    const OwnError error = verdict();
    EXPECT_TRUE(error.diverges);
    EXPECT_NE(error.reason.find("index 2 of dimension 0"), std::string::npos) << error.reason;
}

TEST_F(QuantizedVerdict, WithoutTheSumsAStepIsLegal) {
    legal = legalError(
        {.quantization = QuantizationParameters{.scale = step, .zeroPoint = 3}, .isRounded = true}, 10);
    unrounded = replayed;
    shiftChannel(1);
    EXPECT_FALSE(verdict().diverges);
    shiftChannel(2);
    EXPECT_TRUE(verdict().diverges);
}

TEST(FloatVerdict, SumsMayLoseAFewDigits) {
    const std::vector<double> replayed{100, 0.001};
    const std::array<std::int64_t, 1> sizes{2};
    const LegalError legal = legalError({.type = core::ScalarType::Float}, 100);
    const auto verdict = [&](double small) {
        const std::vector<double> runtime{100, small};
        return judge({.runtime = runtime,
                      .replayed = replayed,
                      .unrounded = replayed,
                      .reference = replayed,
                      .sizes = sizes},
                     legal);
    };
    EXPECT_FALSE(verdict(0.0018).diverges);
    EXPECT_TRUE(verdict(0.1).diverges);
}

TEST(FloatVerdict, DistinguishesOwnFromInheritedErrors) {
    const std::vector<double> runtime{5};
    const std::vector<double> replayed{4.5};
    const std::vector<double> reference{3};
    const std::array<std::int64_t, 1> sizes{1};
    const OwnError error = judge({.runtime = runtime,
                                  .replayed = replayed,
                                  .unrounded = replayed,
                                  .reference = reference,
                                  .sizes = sizes},
                                 legalError({.type = core::ScalarType::Float}, 4.5));
    EXPECT_EQ(error.own, 0.5);
    EXPECT_EQ(error.inherited, 1.5);
    EXPECT_EQ(error.total, 2);
    EXPECT_TRUE(error.diverges);
}

TEST(FloatVerdict, TheLessPreciseDtypeCounts) {
    using core::ScalarType;
    EXPECT_EQ(lessPrecise(ScalarType::Float, ScalarType::BFloat16), ScalarType::BFloat16);
    EXPECT_EQ(lessPrecise(ScalarType::BFloat16, ScalarType::Float), ScalarType::BFloat16);
    EXPECT_EQ(lessPrecise(ScalarType::Float, ScalarType::Double), ScalarType::Float);
    EXPECT_EQ(lessPrecise(ScalarType::Int, ScalarType::Half), ScalarType::Int);
}

TEST(FloatVerdict, NanAbsentFromTheReplayIsOwnError) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::array<std::int64_t, 1> sizes{1};
    const LegalError legal = legalError({.type = core::ScalarType::Float}, 1);
    const auto diverges = [&](double given, double replayed) {
        const std::vector<double> runtime{given};
        const std::vector<double> other{replayed};
        return judge({.runtime = runtime,
                      .replayed = other,
                      .unrounded = other,
                      .reference = other,
                      .sizes = sizes},
                     legal)
            .diverges;
    };
    EXPECT_TRUE(diverges(nan, 1));
    EXPECT_TRUE(diverges(1, nan));
    EXPECT_FALSE(diverges(nan, nan));
}

TEST(WholeVerdict, RequiresEquality) {
    const std::array<std::int64_t, 1> sizes{1};
    const std::vector<double> runtime{3};
    const std::vector<double> replayed{4};
    EXPECT_TRUE(judge({.runtime = runtime,
                       .replayed = replayed,
                       .unrounded = replayed,
                       .reference = replayed,
                       .sizes = sizes},
                      legalError({.type = core::ScalarType::Long}, 4))
                    .diverges);
}

}  // namespace
}  // namespace et::inspector
