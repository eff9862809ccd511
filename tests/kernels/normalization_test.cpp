#include "runtime/core/element_types.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace et::test {
namespace {

using core::Half;
using core::Tensor;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsNan;
using testing::Pointwise;

/// Returns irregular numbers from -5 to 5.
template <class T = float>
std::vector<T> numbers(std::int64_t count) {
    std::vector<T> made;
    for (std::int64_t i = 0; i < count; ++i) {
        made.push_back(static_cast<T>(static_cast<float>(i * 7919 % 1001) / 100.0F - 5.0F));
    }
    return made;
}

/// Computes softmax of lines of `length` elements spaced `stride` apart.
std::vector<float> naiveSoftmax(const std::vector<float>& x, std::size_t length, std::size_t stride,
                                bool logarithm) {
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (i / stride % length != 0) {
            continue;
        }
        double sum = 0;
        for (std::size_t k = 0; k < length; ++k) {
            sum += std::exp(static_cast<double>(x[i + k * stride]));
        }
        for (std::size_t k = 0; k < length; ++k) {
            const double log = static_cast<double>(x[i + k * stride]) - std::log(sum);
            y[i + k * stride] = static_cast<float>(logarithm ? log : std::exp(log));
        }
    }
    return y;
}

TEST(Softmax, AlongEveryDimension) {
    const std::vector<std::int64_t> sizes{3, 700, 11};
    const auto x = numbers(3 * 700 * 11);
    for (const bool logarithm : {false, true}) {
        std::size_t stride = x.size();
        for (std::int64_t dim = 0; dim < 3; ++dim) {
            const auto length = static_cast<std::size_t>(sizes[static_cast<std::size_t>(dim)]);
            stride /= length;
            KernelCall call(2);
            call.tensor<float>(sizes, x);
            call.add(dim - 3);
            call.add(false);
            Tensor& out = call.emptyTensor<float>(sizes);
            ASSERT_TRUE(call.run(logarithm ? "aten::_log_softmax.out" : "aten::_softmax.out"));
            EXPECT_THAT(elements<float>(out),
                        Pointwise(FloatNear(2e-6F), naiveSoftmax(x, length, stride, logarithm)))
                << "dimension " << dim;
        }
    }
}

TEST(Softmax, OfHalvesAndOtherDimOrders) {
    for (const std::int64_t dim : {0, 1}) {
        std::vector<Half> x = numbers<Half>(20 * 30);
        KernelCall call;
        call.tensor<Half>({20, 30}, x);
        call.add(dim);
        call.add(true);
        Tensor& out = call.emptyTensor<float>({20, 30}, {1, 0});
        ASSERT_TRUE(call.run("aten::_softmax.out"));
        const std::vector<float> floats(x.begin(), x.end());
        const auto expected = naiveSoftmax(floats, dim == 0 ? 20 : 30, dim == 0 ? 30 : 1, false);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ASSERT_NEAR(out.data<float>()[i / 30 + i % 30 * 20], expected[i], 1e-6) << i;
        }
    }
}

TEST(Softmax, LogarithmsOfHalvesKeepTheirSumAsHalfAlongTheLastDimension) {
    const std::vector<Half> x{Half(-0.75F), Half(-2.25F), Half(2.75F), Half(-0.5F)};
    for (const bool last : {false, true}) {
        const std::vector<std::int64_t> sizes =
            last ? std::vector<std::int64_t>{1, 4} : std::vector<std::int64_t>{4, 1};
        KernelCall call;
        call.tensor<Half>(sizes, x);
        call.add(std::int64_t{last ? 1 : 0});
        call.add(false);
        Tensor& out = call.emptyTensor<Half>(sizes);
        ASSERT_TRUE(call.run("aten::_log_softmax.out"));
        EXPECT_EQ(static_cast<float>(out.data<Half>()[2]), last ? -0.07342529296875F : -0.072998046875F);
    }
}

TEST(Softmax, OfInfinitiesIsNanAndOfLargeNumbersFinite) {
    KernelCall call;
    call.tensor<float>({3, 2}, {-infinity, -infinity, infinity, 0, 1e30F, -1e30F});
    call.add(std::int64_t{1});
    call.add(false);
    Tensor& out = call.emptyTensor<float>({3, 2});
    ASSERT_TRUE(call.run("aten::_softmax.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(IsNan(), IsNan(), IsNan(), IsNan(), 1, 0));
}

TEST(Softmax, RejectsIntegers) {
    KernelCall call;
    call.tensor<std::int64_t>({2}, {1, 2});
    call.add(std::int64_t{0});
    call.add(false);
    call.emptyTensor<std::int64_t>({2});
    EXPECT_THAT(errorOf(call, "aten::_softmax.out"), HasSubstr("floating point"));
}

TEST(LayerNorm, TakesAnyDimOrder) {
    std::vector<std::vector<float>> results;
    for (const bool columns : {false, true}) {
        KernelCall call;
        Tensor& x = call.emptyTensor<float>(
            {4, 600}, columns ? std::vector<std::uint8_t>{1, 0} : std::vector<std::uint8_t>{});
        const auto given = numbers(2400);
        for (std::int64_t i = 0; i < 2400; ++i) {
            x.mutableData<float>()[i / 600 * x.stride(0) + i % 600 * x.stride(1)] =
                given[static_cast<std::size_t>(i)];
        }
        call.ints({600});
        call.tensor<float>({600}, numbers(600));
        call.tensor<float>({600}, numbers(600));
        call.add(1e-5);
        Tensor& out = call.emptyTensor<float>({4, 600});
        Tensor& mean = call.emptyTensor<float>({4, 1});
        Tensor& reciprocal = call.emptyTensor<float>({4, 1});
        ASSERT_TRUE(call.run("aten::native_layer_norm.out"));
        results.push_back(elements<float>(out));
        const auto first = static_cast<float>(std::reduce(given.begin(), given.begin() + 600) / 600);
        EXPECT_NEAR(mean.data<float>()[0], first, 1e-5);
        EXPECT_NEAR(results.back()[7],
                    (given[7] - first) * reciprocal.data<float>()[0] * numbers(8)[7] + numbers(8)[7], 1e-4);
    }
    EXPECT_THAT(results[1], Pointwise(FloatNear(1e-5F), results[0]));
}

TEST(LayerNorm, RejectsWrongShapes) {
    const auto norm = [](std::initializer_list<std::int64_t> shape, std::int64_t weights) {
        KernelCall call;
        call.tensor<float>({2, 3}, numbers(6));
        call.ints(shape);
        call.tensor<float>({weights}, numbers(weights));
        call.none();
        call.add(1e-5);
        call.emptyTensor<float>({2, 3});
        call.resizableTensor<float>({2, 3});
        call.resizableTensor<float>({2, 3});
        return errorOf(call, "aten::native_layer_norm.out");
    };
    EXPECT_EQ(norm({3}, 3), "no error");
    EXPECT_THAT(norm({2}, 2),
                HasSubstr("expected the normalized shape to match the last sizes of [2, 3], got [2]"));
    EXPECT_THAT(norm({1, 2, 3}, 3), HasSubstr("expected the normalized shape"));
    EXPECT_THAT(norm({}, 3), HasSubstr("expected the normalized shape"));
    EXPECT_THAT(norm({3}, 2), HasSubstr("expected a weight or bias of [3], got [2]"));
}

TEST(GroupNorm, RejectsWrongSizes) {
    const auto norm = [](std::int64_t batch, std::int64_t channels, std::int64_t pixels,
                         std::int64_t groups) {
        KernelCall call;
        call.tensor<float>({2, 4, 3}, numbers(24));
        call.none();
        call.none();
        for (const std::int64_t number : {batch, channels, pixels, groups}) {
            call.add(number);
        }
        call.add(1e-5);
        call.emptyTensor<float>({2, 4, 3});
        call.resizableTensor<float>({2, 4});
        call.resizableTensor<float>({2, 4});
        return errorOf(call, "aten::native_group_norm.out");
    };
    EXPECT_EQ(norm(2, 4, 3, 2), "no error");
    EXPECT_THAT(norm(2, 4, 3, 0), HasSubstr("expected a number of groups that divides 4 channels, got 0"));
    EXPECT_THAT(norm(2, 4, 3, 3), HasSubstr("expected a number of groups"));
    EXPECT_THAT(norm(2, 4, 3, INT64_MIN), HasSubstr("expected a number of groups"));
    EXPECT_THAT(norm(2, 4, INT64_MAX, 2), HasSubstr("pixels, got [2, 4, 3]"));
    EXPECT_THAT(norm(4, 2, 3, 2), HasSubstr("pixels, got [2, 4, 3]"));
}

TEST(GroupNorm, OfChannelsLast) {
    KernelCall call;
    // One group of two channels: pixels (1, 3) and (5, 7).
    call.tensor<float>({1, 2, 1, 2}, {1, 3, 5, 7}, {0, 2, 3, 1});
    call.tensor<float>({2}, {1, 10});
    call.none();
    for (const std::int64_t number : {1, 2, 2, 1}) {
        call.add(number);
    }
    call.add(0.0);
    Tensor& out = call.emptyTensor<float>({1, 2, 1, 2}, {0, 2, 3, 1});
    Tensor& mean = call.emptyTensor<float>({1, 1});
    call.emptyTensor<float>({1, 1});
    ASSERT_TRUE(call.run("aten::native_group_norm.out"));
    EXPECT_THAT(elements<float>(mean), ElementsAre(4));
    const float root = std::sqrt(5.0F);
    EXPECT_THAT(elements<float>(out),
                Pointwise(FloatNear(1e-5F), {-3 / root, -10 / root, 1 / root, 30 / root}));
}

/// Checks that every layout gives the same numbers.
TEST(BatchNorm, TakesAnyDimOrder) {
    std::vector<std::vector<float>> results;
    for (const std::vector<std::uint8_t>& order :
         {std::vector<std::uint8_t>{0, 1, 2, 3}, {0, 2, 3, 1}, {3, 2, 0, 1}}) {
        for (const bool sameOut : {true, false}) {
            KernelCall call(2);
            Tensor& x = call.emptyTensor<float>({2, 5, 9, 70}, order);
            const auto at = [](const Tensor& tensor, std::int64_t i) {
                return i / 3150 * tensor.stride(0) + i / 630 % 5 * tensor.stride(1) +
                       i / 70 % 9 * tensor.stride(2) + i % 70 * tensor.stride(3);
            };
            const auto given = numbers(6300);
            for (std::int64_t i = 0; i < 6300; ++i) {
                x.mutableData<float>()[at(x, i)] = given[static_cast<std::size_t>(i)];
            }
            call.tensor<float>({5}, {1, 2, 3, 4, 5});
            call.tensor<float>({5}, {5, 4, 3, 2, 1});
            call.tensor<float>({5}, {0, 1, 0, 1, 0});
            call.tensor<float>({5}, {1, 4, 1, 4, 1});
            call.add(0.1);
            call.add(0.0);
            Tensor& out =
                call.emptyTensor<float>({2, 5, 9, 70}, sameOut ? order : std::vector<std::uint8_t>{});
            call.emptyTensor<float>({0});
            call.emptyTensor<float>({0});
            ASSERT_TRUE(call.run("aten::_native_batch_norm_legit_no_training.out"));
            for (std::int64_t i = 0; i < 6300; ++i) {
                const auto c = static_cast<float>(i / 630 % 5);
                const bool odd = i / 630 % 5 % 2 == 1;
                const float expected = (given[static_cast<std::size_t>(i)] - (odd ? 1.0F : 0.0F)) * (c + 1) /
                                           (odd ? 2.0F : 1.0F) +
                                       5 - c;
                ASSERT_NEAR(out.data<float>()[at(out, i)], expected, 1e-5) << i;
            }
        }
    }
}

struct TrainingCall {
    KernelCall call;
    Tensor* mean = nullptr;
    Tensor* variance = nullptr;
    Tensor* out = nullptr;

    explicit TrainingCall(bool training) {
        call.tensor<float>({2, 1, 2}, {1, 2, 3, 6});
        call.none();
        call.none();
        mean = &call.tensor<float>({1}, {0});
        variance = &call.tensor<float>({1}, {1});
        call.add(training);
        call.add(0.5);
        call.add(0.0);
        out = &call.emptyTensor<float>({2, 1, 2});
        call.resizableTensor<float>({1});
        call.resizableTensor<float>({1});
    }
};

TEST(BatchNorm, TrainingUpdatesTheRunningStatistics) {
    TrainingCall training(true);
    ASSERT_TRUE(training.call.run("aten::_native_batch_norm_legit.out"));
    EXPECT_THAT(elements<float>(*training.mean), ElementsAre(1.5F));
    EXPECT_THAT(elements<float>(*training.variance), ElementsAre(FloatNear(0.5F + 0.5F * 14 / 3, 1e-6F)));
    const float root = std::sqrt(3.5F);
    EXPECT_THAT(elements<float>(*training.out),
                Pointwise(FloatNear(1e-6F), {-2 / root, -1 / root, 0.0F, 3 / root}));
}

TEST(BatchNorm, InferenceTakesConstantStatistics) {
    for (const bool training : {false, true}) {
        TrainingCall made(training);
        made.mean->setConstant(true);
        made.variance->setConstant(true);
        const std::string error = errorOf(made.call, "aten::_native_batch_norm_legit.out");
        EXPECT_THAT(error, HasSubstr(training ? "running statistics are constant" : "no error"));
    }
}

TEST(BatchNorm, RejectsWrongShapes) {
    const auto norm = [](std::vector<std::int64_t> sizes, std::int64_t channels) {
        KernelCall call;
        call.emptyTensor<float>(sizes);
        call.none();
        call.none();
        call.emptyTensor<float>({channels});
        call.emptyTensor<float>({channels});
        call.add(0.1);
        call.add(1e-5);
        call.emptyTensor<float>(sizes);
        call.emptyTensor<float>({0});
        call.emptyTensor<float>({0});
        return errorOf(call, "aten::_native_batch_norm_legit_no_training.out");
    };
    EXPECT_EQ(norm({0, 3}, 3), "no error");
    EXPECT_EQ(norm({2, 0, 4}, 0), "no error");
    EXPECT_THAT(norm({3}, 3), HasSubstr("at least 2 dimensions"));
    EXPECT_THAT(norm({1, 3, 2}, 2), HasSubstr("each of 3 channels"));
}

}  // namespace
}  // namespace et::test
