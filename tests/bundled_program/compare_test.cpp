#include "bundled_program/compare.h"

#include "runtime/core/element_types.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

namespace et::bundled_program {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// A tensor as output of a program and as stored in a case.
template <class T>
class Elements {
  public:
    Elements(std::vector<T> elements, std::vector<std::int64_t> shape,
             std::vector<std::uint8_t> dimOrder = {})
        : numbers(std::move(elements)), sizes(std::move(shape)), order(std::move(dimOrder)) {}

    core::Value value() {
        return core::Value(core::Tensor::make(core::scalarTypeOf<T>, sizes,
                                              reinterpret_cast<std::byte*>(numbers.data()), order)
                               .value());
    }
    [[nodiscard]] BundledTensor bundled() const {
        return {.scalarType = static_cast<std::int8_t>(core::scalarTypeOf<T>),
                .sizes = sizes,
                .dimOrder = order,
                .data = std::as_bytes(std::span(numbers))};
    }

  private:
    std::vector<T> numbers;
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> order;
};

template <class T>
Comparison compareAll(std::vector<T> given, std::vector<T> expected, const Tolerances& tolerances = {}) {
    const auto size = static_cast<std::int64_t>(given.size());
    Elements<T> left(std::move(given), {size});
    const Elements<T> right(std::move(expected), {size});
    core::Value value = left.value();
    return compare(value, right.bundled(), tolerances);
}

template <class T>
Comparison compareLimited(std::vector<T> given, std::vector<T> expected, const OutputLimits& limits,
                          std::vector<std::int64_t> sizes = {}) {
    if (sizes.empty()) {
        sizes = {static_cast<std::int64_t>(given.size())};
    }
    Elements<T> left(std::move(given), sizes);
    const Elements<T> right(std::move(expected), sizes);
    core::Value value = left.value();
    return compare(value, right.bundled(), {}, limits);
}

const Tolerances exact(Tolerance{.relative = 0, .absolute = 0});

TEST(CompareTest, MeasuresErrors) {
    const Comparison result = compareAll<double>({1, 2.5, -4, 0.25}, {1, 2, -4, 0}, exact);
    EXPECT_FALSE(result.agrees());
    EXPECT_EQ(result.elements, 4U);
    EXPECT_EQ(result.mismatches, 2U);
    EXPECT_EQ(result.metrics.maxAbsoluteError, 0.5);
    EXPECT_EQ(result.metrics.maxRelativeError, 0.25);
    EXPECT_EQ(result.metrics.meanAbsoluteError, 0.75 / 4);
    EXPECT_NEAR(result.metrics.signalToNoiseDecibels.value(), 10 * std::log10(21 / 0.3125), 1e-12);
    EXPECT_NEAR(result.metrics.cosineSimilarity.value(), 22 / std::sqrt(21 * 23.3125), 1e-12);
    ASSERT_TRUE(result.worst.has_value());
    EXPECT_EQ(result.worst->index, std::vector<std::int64_t>{1});
    EXPECT_EQ(result.worst->expected, "2");
    EXPECT_EQ(result.worst->given, "2.5");
    EXPECT_EQ(result.difference, "element [1] of float64 [4]: expected 2, got 2.5 (2 of 4 differ)");
}

TEST(CompareTest, OmitsUndefinedMetrics) {
    const Comparison equal = compareAll<float>({1, 2}, {1, 2});
    EXPECT_TRUE(equal.agrees());
    EXPECT_EQ(equal.metrics.maxAbsoluteError, 0.0);
    EXPECT_EQ(equal.metrics.maxUlp, 0U);
    EXPECT_FALSE(equal.metrics.signalToNoiseDecibels.has_value());
    EXPECT_FALSE(equal.worst.has_value());

    const Comparison zeros = compareAll<float>({0, 0}, {0, 0});
    EXPECT_FALSE(zeros.metrics.maxRelativeError.has_value());
    EXPECT_FALSE(zeros.metrics.cosineSimilarity.has_value());

    const Comparison empty = compareAll<float>({}, {});
    EXPECT_TRUE(empty.agrees());
    EXPECT_EQ(empty.elements, 0U);
    EXPECT_FALSE(empty.metrics.maxAbsoluteError.has_value());
}

TEST(CompareTest, NanAndInfinityAgreeOnlyWithThemselves) {
    EXPECT_TRUE(compareAll<float>({nan, infinity, -infinity}, {nan, infinity, -infinity}).agrees());
    for (const auto& [given, expected] : std::initializer_list<std::pair<float, float>>{
             {nan, 1}, {1, nan}, {infinity, -infinity}, {infinity, 3e38F}, {nan, infinity}, {0, infinity}}) {
        const Comparison result = compareAll<float>({5, given}, {1, expected});
        EXPECT_EQ(result.mismatches, 2U) << given << " " << expected;
        ASSERT_TRUE(result.worst.has_value());
        EXPECT_EQ(result.worst->index, std::vector<std::int64_t>{1}) << "the worst there is";
        EXPECT_EQ(result.metrics.maxAbsoluteError, 4.0) << "of finite pairs";
    }
}

TEST(CompareTest, CountsUnitsInTheLastPlace) {
    EXPECT_EQ(compareAll<float>({std::nextafter(1.0F, 2.0F)}, {1.0F}).metrics.maxUlp, 1U);
    EXPECT_EQ(compareAll<float>({-0.0F}, {0.0F}).metrics.maxUlp, 0U);
    constexpr float smallest = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(compareAll<float>({-smallest}, {smallest}).metrics.maxUlp, 2U);
    EXPECT_EQ(compareAll<core::Half>({core::Half(1.5F)}, {core::Half(1.0F)}).metrics.maxUlp, 512U);
    EXPECT_EQ(compareAll<core::BFloat16>({core::BFloat16(1.5F)}, {core::BFloat16(1.0F)}).metrics.maxUlp, 64U);
    EXPECT_EQ(compareAll<double>({std::nextafter(-3.0, 0.0)}, {-3.0}).metrics.maxUlp, 1U);
    EXPECT_FALSE(compareAll<std::int32_t>({1}, {2}).metrics.maxUlp.has_value());
}

TEST(CompareTest, WorstElementExceedsItsToleranceMost) {
    // 1 in 1000 is allowed: 100.05 passes, 1.01 does not although its absolute error is smaller.
    const Tolerances tolerances(Tolerance{.relative = 1e-3, .absolute = 0});
    const Comparison result = compareAll<double>({100.05, 1.01}, {100, 1}, tolerances);
    EXPECT_EQ(result.mismatches, 1U);
    EXPECT_EQ(result.worst->index, std::vector<std::int64_t>{1});
}

TEST(CompareTest, PairsElementsByIndexWhateverTheDimOrder) {
    Elements<float> given({1, 2, 3, 4, 5, 6}, {2, 3}, {0, 1});
    const Elements<float> expected({1, 4, 2, 5, 3, 7}, {2, 3}, {1, 0});
    core::Value value = given.value();
    const Comparison result = compare(value, expected.bundled(), exact);
    EXPECT_EQ(result.mismatches, 1U);
    EXPECT_EQ(result.worst->index, (std::vector<std::int64_t>{1, 2}));

    Elements<float> turned({1, 4, 2, 5, 3, 7}, {2, 3}, {1, 0});
    const Elements<float> straight({1, 2, 3, 4, 5, 6}, {2, 3}, {0, 1});
    core::Value other = turned.value();
    EXPECT_EQ(compare(other, straight.bundled(), exact).worst->index, (std::vector<std::int64_t>{1, 2}));
}

TEST(CompareTest, IntegersAreEqualUnlessAllowed) {
    EXPECT_FALSE(compareAll<std::int8_t>({10, 11}, {10, 10}).agrees());
    Tolerances tolerances;
    tolerances.set(core::ScalarType::Char, {.relative = 0, .absolute = 1});
    EXPECT_TRUE(compareAll<std::int8_t>({10, 11}, {10, 10}, tolerances).agrees());
    EXPECT_FALSE(compareAll<std::int8_t>({-128}, {127}, tolerances).agrees());
    EXPECT_EQ(compareAll<std::int8_t>({-128}, {127}).metrics.maxAbsoluteError, 255.0);
    constexpr std::int64_t large = std::int64_t{1} << 60;
    EXPECT_FALSE(compareAll<std::int64_t>({large + 1}, {large}).agrees());
}

TEST(CompareTest, HalfHasAToleranceOfItsOwn) {
    const Tolerances tolerances;
    EXPECT_TRUE(compareAll<core::Half>({core::Half(1.005F)}, {core::Half(1.0F)}, tolerances).agrees());
    EXPECT_FALSE(compareAll<float>({1.005F}, {1.0F}, tolerances).agrees());
    EXPECT_FALSE(compareAll<core::Half>({core::Half(1.005F)}, {core::Half(1.0F)},
                                        Tolerances(Tolerance{.relative = 1e-3, .absolute = 1e-5}))
                     .agrees());
}

TEST(CompareTest, KindDtypeAndShapeHaveToBeTheSame) {
    Elements<float> given({1, 2}, {2});
    core::Value value = given.value();
    EXPECT_EQ(compare(value, Elements<double>({1, 2}, {2}).bundled(), {}).difference,
              "expected float64 [2], got float32 [2]");
    EXPECT_EQ(compare(value, Elements<float>({1, 2}, {1, 2}).bundled(), {}).difference,
              "expected float32 [1, 2], got float32 [2]");
    EXPECT_EQ(compare(value, std::int64_t{1}, {}).difference, "expected 1, got Tensor");
    EXPECT_EQ(compare(value, std::monostate(), {}).difference, "expected None, got Tensor");
    core::Value none;
    EXPECT_TRUE(compare(none, std::monostate(), {}).agrees());
    EXPECT_EQ(compare(none, Elements<float>({1}, {1}).bundled(), {}).difference, "expected Tensor, got None");
}

TEST(CompareTest, ComparesNumbersThatAreNoTensors) {
    core::Value whole(std::int64_t{3});
    EXPECT_TRUE(compare(whole, std::int64_t{3}, {}).agrees());
    EXPECT_EQ(compare(whole, std::int64_t{4}, {}).difference, "expected 4, got 3");
    core::Value real(1.0001);
    EXPECT_TRUE(compare(real, 1.0, {}).agrees());
    EXPECT_FALSE(compare(real, 1.0, exact).agrees());
    core::Value truth(true);
    EXPECT_EQ(compare(truth, false, {}).difference, "expected false, got true");
}

TEST(CompareTest, CountsQuantizationSteps) {
    const OutputLimits limits{.step = 0.25, .maxSteps = 2, .replaceTolerance = true};
    const Comparison within = compareLimited<float>({1, 2.5, -4}, {1, 2, -4.25F}, limits);
    EXPECT_TRUE(within.agrees()) << within.difference;
    EXPECT_EQ(within.metrics.maxSteps, 2.0);
    const Comparison beyond = compareLimited<float>({1, 2.75F, -4}, {1, 2, -4.25F}, limits);
    EXPECT_EQ(beyond.mismatches, 1U);
    EXPECT_EQ(
        beyond.difference,
        "element [1] of float32 [3]: expected 2, got 2.75, more than 2 quantization steps of 0.25 apart");
    EXPECT_TRUE(
        compareLimited<std::int8_t>({3, -5}, {4, -7}, {.step = 1, .maxSteps = 2, .replaceTolerance = true})
            .agrees());
    EXPECT_FALSE(compareLimited<float>({nan, 2}, {1, 2}, limits).agrees()) << "a NaN is no step off";
    EXPECT_FALSE(compareLimited<float>({1.25F, 2}, {1, 2}, {.step = 0.25, .maxSteps = 2}).agrees())
        << "tolerances hold, too, unless they are replaced";
}

TEST(CompareTest, OutputsKeepLimitsAsAWhole) {
    const OutputLimits snr{.minSnr = 20, .replaceTolerance = true};
    EXPECT_TRUE(compareLimited<float>({1.05F, 2, 3}, {1, 2, 3}, snr).agrees());
    EXPECT_EQ(compareLimited<float>({2, 2, 3}, {1, 2, 3}, snr).difference,
              "float32 [3]: expected an SNR of at least 20 dB, got 11.46");
    EXPECT_TRUE(compareLimited<float>({0, 0}, {0, 0}, snr).agrees()) << "no noise";
    EXPECT_FALSE(compareLimited<float>({0, 1e-3F}, {0, 0}, snr).agrees()) << "noise where nothing is to be";
    EXPECT_FALSE(compareLimited<float>({infinity, 2, 3}, {1, 2, 3}, snr).agrees());
    const OutputLimits cosine{.minCosine = 0.99, .replaceTolerance = true};
    EXPECT_TRUE(compareLimited<float>({2, 4}, {1, 2}, cosine).agrees()) << "the same direction";
    EXPECT_FALSE(compareLimited<float>({2, -4}, {1, 2}, cosine).agrees());
    EXPECT_FALSE(compareLimited<float>({0, 0}, {1, 2}, cosine).agrees());
}

TEST(CompareTest, EveryRowHasItsLargestElementInItsPlace) {
    const OutputLimits top1{.sameTop1 = true, .replaceTolerance = true};
    EXPECT_TRUE(compareLimited<float>({1, 9, 7, 3}, {1, 4, 8, 5}, top1, {2, 2}).agrees());
    const Comparison half = compareLimited<float>({1, 9, 3, 7}, {1, 4, 8, 5}, top1, {2, 2});
    EXPECT_EQ(half.metrics.top1Agreement, 0.5);
    EXPECT_FALSE(half.agrees());
    EXPECT_TRUE(compareLimited<float>({1, 2, 0}, {2, 2, 0}, top1).agrees()) << "as large";
    EXPECT_TRUE(
        compareLimited<float>({3, 2}, {2, 2.25F}, {.step = 0.25, .sameTop1 = true, .replaceTolerance = true})
            .agrees())
        << "one step less";
    EXPECT_FALSE(compareLimited<float>({nan, 2}, {1, 2}, top1).agrees());
}

}  // namespace
}  // namespace et::bundled_program
