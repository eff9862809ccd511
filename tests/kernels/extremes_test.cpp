// Tests of extremes, top k and nonzero: values and indices.
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

using core::Tensor;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

TEST(Extremes, NanWinsAndTheFirstOfEquals) {
    for (const std::int64_t width : {1, 9}) {  // one at a time, or adjacent
        KernelCall call;
        std::vector<float> numbers;
        for (const float x : {2.0F, 5.0F, nan, 5.0F, nan}) {
            numbers.insert(numbers.end(), static_cast<std::size_t>(width), x);
        }
        call.tensor<float>({5, width}, numbers);
        call.add(std::int64_t{0});
        call.add(false);
        Tensor& values = call.emptyTensor<float>({width});
        Tensor& indices = call.emptyTensor<std::int64_t>({width});
        ASSERT_TRUE(call.run("aten::max.dim_max"));
        EXPECT_THAT(elements<float>(values), Each(IsNan()));
        EXPECT_THAT(elements<std::int64_t>(indices), Each(2));
    }
    KernelCall ties;
    ties.tensor<std::int32_t>({5}, {1, 7, 7, 0, 0});
    ties.add(std::int64_t{-1});
    ties.add(true);
    Tensor& out = ties.emptyTensor<std::int64_t>({1});
    ASSERT_TRUE(ties.run("aten::argmin.out"));
    EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(3));
}

TEST(Extremes, OfInfinitiesAndLeastNumbers) {
    KernelCall floats;
    floats.tensor<float>({3}, {-infinity, -infinity, -infinity});
    floats.none();
    floats.add(false);
    Tensor& place = floats.emptyTensor<std::int64_t>({});
    ASSERT_TRUE(floats.run("aten::argmax.out"));
    EXPECT_EQ(place.data<std::int64_t>()[0], 0);

    KernelCall whole;
    whole.tensor<std::int64_t>({2}, {INT64_MIN, INT64_MIN});
    Tensor& out = whole.emptyTensor<std::int64_t>({});
    ASSERT_TRUE(whole.run("aten::max.unary_out"));
    EXPECT_EQ(out.data<std::int64_t>()[0], INT64_MIN);
}

TEST(Extremes, CountInRowMajorOrder) {
    KernelCall call;
    // [[1, 2, 3], [4, 9, 9]], column-major
    call.tensor<float>({2, 3}, {1, 4, 2, 9, 3, 9}, {1, 0});
    call.none();
    call.add(false);
    Tensor& out = call.emptyTensor<std::int64_t>({});
    ASSERT_TRUE(call.run("aten::argmax.out"));
    EXPECT_EQ(out.data<std::int64_t>()[0], 4);
}

TEST(Extremes, OfNothingIsAnError) {
    KernelCall call;
    call.emptyTensor<float>({2, 0});
    call.ints({1});
    call.add(false);
    call.emptyTensor<float>({2});
    EXPECT_THAT(errorOf(call, "aten::amax.out"), HasSubstr("expected a non-empty dimension 1"));
}

TEST(Extremes, RejectOtherDtypes) {
    KernelCall call;
    call.tensor<float>({2}, {1, 2});
    call.add(std::int64_t{0});
    call.add(false);
    call.emptyTensor<float>({});
    call.emptyTensor<std::int32_t>({});
    EXPECT_THAT(errorOf(call, "aten::min.dim_min"), HasSubstr("expected a result of int64, got int32"));
}

TEST(TopK, CountsNanAsTheLargest) {
    const auto topTwo = [](bool largest) {
        KernelCall call;
        call.tensor<float>({5}, {3, nan, 1, 2, infinity});
        call.add(std::int64_t{2});
        call.add(std::int64_t{0});
        call.add(largest);
        call.add(true);
        call.emptyTensor<float>({2});
        Tensor& indices = call.emptyTensor<std::int64_t>({2});
        EXPECT_TRUE(call.run("aten::topk.values"));
        return elements<std::int64_t>(indices);
    };
    EXPECT_THAT(topTwo(true), ElementsAre(1, 4));
    EXPECT_THAT(topTwo(false), ElementsAre(2, 3));
}

TEST(TopK, OfManyAndWrongCounts) {
    KernelCall call;
    std::vector<float> numbers = countUp(1000);
    std::swap(numbers[10], numbers[999]);
    call.tensor<float>({1000}, numbers);
    core::Value& k = call.add(std::int64_t{2});
    call.add(std::int64_t{-1});
    call.add(true);
    call.add(true);
    call.emptyTensor<float>({2});
    Tensor& indices = call.emptyTensor<std::int64_t>({2});
    ASSERT_TRUE(call.run("aten::topk.values"));
    EXPECT_THAT(elements<std::int64_t>(indices), ElementsAre(10, 998));
    for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{1001}, INT64_MAX}) {
        k.set(wrong);
        EXPECT_THAT(errorOf(call, "aten::topk.values"), HasSubstr("expected k from 0 to 1000"));
    }
}

TEST(Nonzero, CountsInRowMajorOrder) {
    KernelCall call;
    // [[0, 1], [nan, 2]], column-major
    call.tensor<float>({2, 2}, {0, nan, 1, 2}, {1, 0});
    Tensor& out = call.resizableTensor<std::int64_t>({4, 2});
    ASSERT_TRUE(call.run("aten::nonzero.out"));
    EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(0, 1, 1, 0, 1, 1));
    EXPECT_EQ(out.size(0), 3);
}

TEST(Nonzero, OfANumberHasNoCoordinates) {
    KernelCall call;
    call.tensor<float>({}, {5});
    Tensor& out = call.resizableTensor<std::int64_t>({1, 1});
    ASSERT_TRUE(call.run("aten::nonzero.out"));
    EXPECT_EQ(out.size(0), 1);
    EXPECT_EQ(out.size(1), 0);
}

}  // namespace
}  // namespace et::test
