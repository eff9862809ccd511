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
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;

TEST(Sum, AddsWholeNumbersAndBoolsUpToInt64) {
    KernelCall call;
    call.tensor<std::uint8_t>({2, 2}, {200, 100, 255, 255});
    call.ints({1});
    call.add(false);
    call.none();
    Tensor& out = call.emptyTensor<std::int64_t>({2});
    ASSERT_TRUE(call.run("aten::sum.IntList_out"));
    EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(300, 510));
}

TEST(Sum, WrapsAround) {
    KernelCall call;
    call.tensor<std::int64_t>({2}, {INT64_MAX, 1});
    call.none();
    call.add(false);
    call.none();
    Tensor& out = call.emptyTensor<std::int64_t>({});
    ASSERT_TRUE(call.run("aten::sum.IntList_out"));
    EXPECT_EQ(out.data<std::int64_t>()[0], INT64_MIN);
}

TEST(Sum, RoundsToTheDtypeBeforeAdding) {
    KernelCall call;
    call.tensor<float>({2}, {2048.9F, 0.0F});  // half represents only even numbers between 2048 and 4096
    call.none();
    call.add(false);
    call.add(std::int64_t{5});
    Tensor& out = call.emptyTensor<Half>({});
    ASSERT_TRUE(call.run("aten::sum.IntList_out"));
    EXPECT_EQ(static_cast<float>(out.data<Half>()[0]), 2048.0F);
}

TEST(Sum, OfManyFloatsStaysExact) {
    constexpr std::int64_t count = 1 << 20;
    for (const bool columns : {false, true}) {
        KernelCall call;
        call.tensor<float>(
            columns ? std::vector<std::int64_t>{count / 16, 16} : std::vector<std::int64_t>{16, count / 16},
            std::vector<float>(count, 0.1F));
        call.ints({columns ? 0 : 1});
        call.add(false);
        call.none();
        Tensor& out = call.emptyTensor<float>({16});
        ASSERT_TRUE(call.run("aten::sum.IntList_out"));
        EXPECT_THAT(elements<float>(out), Each(FloatNear(count / 16 * 0.1F, 0.01F)));
    }
}

TEST(Sum, RejectsWrongDimensionsAndDtypes) {
    const auto sum = [](std::initializer_list<std::int64_t> dims, core::Value::Kind dtype) {
        KernelCall call;
        call.tensor<float>({2, 2}, {1, 2, 3, 4});
        call.ints(dims);
        call.add(false);
        call.add(std::move(dtype));
        call.resizableTensor<float>({2});
        return errorOf(call, "aten::sum.IntList_out");
    };
    EXPECT_THAT(sum({2}, std::monostate{}), HasSubstr("expected a dimension from -2 to 1, got 2"));
    EXPECT_THAT(sum({INT64_MIN}, std::monostate{}), HasSubstr("expected a dimension"));
    EXPECT_THAT(sum({1, -1}, std::monostate{}), HasSubstr("twice"));
    EXPECT_THAT(sum({1}, std::int64_t{7}), HasSubstr("expected a result of float64, got float32"));
}

TEST(Mean, OfNothingIsNanAndOfIntegersAnError) {
    KernelCall nothing;
    nothing.emptyTensor<float>({2, 0});
    nothing.ints({1});
    nothing.add(false);
    nothing.none();
    Tensor& out = nothing.emptyTensor<float>({2});
    ASSERT_TRUE(nothing.run("aten::mean.out"));
    EXPECT_THAT(elements<float>(out), Each(IsNan()));

    KernelCall whole;
    whole.tensor<std::int64_t>({2}, {1, 2});
    whole.none();
    whole.add(false);
    whole.none();
    whole.emptyTensor<std::int64_t>({});
    EXPECT_THAT(errorOf(whole, "aten::mean.out"), HasSubstr("expected a dtype"));
}

TEST(Product, OfNothingIsOne) {
    KernelCall call;
    call.emptyTensor<float>({0, 2});
    call.add(std::int64_t{0});
    call.add(true);
    call.none();
    Tensor& out = call.emptyTensor<float>({1, 2});
    ASSERT_TRUE(call.run("aten::prod.int_out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 1));
}

/// Checks that every reduction reads the same elements whatever the memory order.
TEST(Reductions, DoNotDependOnTheDimOrder) {
    const std::vector<std::int64_t> sizes{2, 9, 3, 10};
    const std::vector<std::vector<std::uint8_t>> orders{
        {0, 1, 2, 3}, {0, 2, 3, 1}, {3, 2, 1, 0}, {1, 0, 3, 2}};
    for (const std::initializer_list<std::int64_t> dims :
         {std::initializer_list<std::int64_t>{1, 3}, {0, 2}, {3}, {1}}) {
        std::vector<std::vector<float>> results;
        for (const auto& order : orders) {
            KernelCall call;
            Tensor& input = call.emptyTensor<float>(sizes, order);
            for (std::int64_t i = 0; i < input.numel(); ++i) {
                const std::int64_t at = i / 270 * input.stride(0) + i / 30 % 9 * input.stride(1) +
                                        i / 10 % 3 * input.stride(2) + i % 10 * input.stride(3);
                input.mutableData<float>()[at] = static_cast<float>((i * 7919) % 541);
            }
            call.ints(dims);
            call.none();
            call.add(true);
            std::vector<std::int64_t> outSizes = sizes;
            for (const std::int64_t dim : dims) {
                outSizes[static_cast<std::size_t>(dim)] = 1;
            }
            Tensor& variance = call.emptyTensor<float>(outSizes);
            Tensor& mean = call.emptyTensor<float>(outSizes);
            ASSERT_TRUE(call.run("aten::var_mean.correction_out"));
            results.push_back(elements<float>(mean));
            for (const float number : elements<float>(variance)) {
                results.back().push_back(number);
            }
        }
        for (const auto& result : results) {
            EXPECT_THAT(result, testing::Pointwise(testing::FloatNear(0.05F), results[0]));
        }
    }
}

TEST(Reductions, GiveTheSameOnSeveralThreads) {
    std::vector<std::vector<float>> results;
    for (const std::size_t threads : {1U, 3U}) {
        KernelCall call(threads);
        call.tensor<float>({600, 700}, countUp(600 * 700));
        call.ints({1});
        call.add(false);
        Tensor& out = call.emptyTensor<float>({600});
        ASSERT_TRUE(call.run("aten::amax.out"));
        results.push_back(elements<float>(out));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0][1], 1400.0F);
}

TEST(Truth, NanIsTrueAndAnEmptyListReducesNothing) {
    KernelCall call;
    call.tensor<float>({3}, {0, nan, 0.5F});
    call.ints({});
    call.add(false);
    Tensor& out = call.emptyTensor<bool>({3});
    ASSERT_TRUE(call.run("aten::any.dims_out"));
    EXPECT_THAT(elements<bool>(out), ElementsAre(false, true, true));
}

TEST(Truth, OfNothing) {
    for (const auto& [name, expected] :
         {std::pair("aten::any.all_out", false), {"aten::all.all_out", true}}) {
        KernelCall call;
        call.emptyTensor<float>({0});
        Tensor& out = call.emptyTensor<bool>({});
        ASSERT_TRUE(call.run(name));
        EXPECT_EQ(out.data<bool>()[0], expected);
    }
}

TEST(Variance, OfTooFewIsNanOrInfinity) {
    KernelCall call;
    call.tensor<float>({2, 2}, {1, 1, 1, 3});
    call.ints({1});
    call.add(2.0);
    call.add(false);
    Tensor& out = call.emptyTensor<float>({2});
    ASSERT_TRUE(call.run("aten::var.correction_out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(IsNan(), infinity));
}

TEST(Variance, SurvivesALargeMean) {
    for (const bool columns : {false, true}) {
        std::vector<double> numbers;
        for (int i = 0; i < 1200 * 8; ++i) {
            numbers.push_back(1e9 + ((columns ? i / 8 : i) % 2 == 0 ? 1.0 : -1.0));
        }
        KernelCall call;
        call.tensor<double>(columns ? std::vector<std::int64_t>{1200, 8} : std::vector<std::int64_t>{8, 1200},
                            numbers);
        call.ints({columns ? 0 : 1});
        call.add(false);
        call.add(false);
        Tensor& out = call.emptyTensor<double>({8});
        ASSERT_TRUE(call.run("aten::var.out"));
        EXPECT_THAT(elements<double>(out), Each(DoubleNear(1, 1e-9)));
    }
}

TEST(CumulativeSum, AlongEveryDimension) {
    for (const std::int64_t width : {2, 10}) {
        KernelCall call;
        call.tensor<std::int32_t>({3, width},
                                  std::vector<std::int32_t>(static_cast<std::size_t>(3 * width), 2));
        call.add(std::int64_t{0});
        call.none();
        Tensor& out = call.emptyTensor<std::int64_t>({3, width}, {1, 0});
        ASSERT_TRUE(call.run("aten::cumsum.out"));
        const auto sums = elements<std::int64_t>(out);
        EXPECT_THAT(std::vector(sums.begin(), sums.begin() + 3), ElementsAre(2, 4, 6));
        EXPECT_THAT(std::vector(sums.end() - 3, sums.end()), ElementsAre(2, 4, 6));
    }
}

TEST(Distance, BroadcastsBatches) {
    KernelCall call;
    call.tensor<float>({2, 1, 2}, {0, 0, 3, 4});
    call.tensor<float>({2, 2}, {0, 0, 6, 8});
    call.add(2.0);
    call.none();
    Tensor& out = call.emptyTensor<float>({2, 1, 2});
    ASSERT_TRUE(call.run("aten::_cdist_forward.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(0, 10, 5, 5));
}

TEST(Distance, RejectsWrongShapesAndNorms) {
    KernelCall call;
    call.tensor<float>({1, 2}, {0, 0});
    call.tensor<float>({1, 3}, {0, 0, 0});
    core::Value& p = call.add(2.0);
    call.none();
    call.emptyTensor<float>({1, 1});
    EXPECT_THAT(errorOf(call, "aten::_cdist_forward.out"), HasSubstr("equal row lengths"));
    for (const double wrong : {-1.0, static_cast<double>(nan)}) {
        p.set(wrong);
        EXPECT_THAT(errorOf(call, "aten::_cdist_forward.out"), HasSubstr("p of at least 0"));
    }
}

TEST(Distance, OfPairs) {
    KernelCall call;
    call.tensor<float>({3, 1}, {1, 3, 7});
    call.add(1.0);
    Tensor& out = call.emptyTensor<float>({3});
    ASSERT_TRUE(call.run("aten::_pdist_forward.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(2, 6, 4));
}

TEST(Reductions, OfEmptyTensorsWithEnormousSizes) {
    constexpr std::int64_t huge = std::int64_t{1} << 40;
    for (const char* name : {"aten::sum.IntList_out", "aten::mean.out"}) {
        KernelCall call;
        call.emptyTensor<float>({huge, 0, huge, huge});
        call.ints({0, 2, 3});
        call.add(false);
        call.none();
        Tensor& out = call.emptyTensor<float>({0});
        ASSERT_TRUE(call.run(name));
        EXPECT_THAT(elements<float>(out), IsEmpty());
    }
}

}  // namespace
}  // namespace et::test
