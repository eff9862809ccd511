#include "runtime/kernels/strided_copy.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

// Tests that the conformance cases do not cover: layouts that exporters do not write, and invalid arguments.
namespace et::test {
namespace {

using core::Scalar;
using core::Tensor;
using testing::ElementsAre;

const std::vector<std::uint8_t> channelsLast{0, 2, 3, 1};

/// The elements in logical order.
template <class T>
std::vector<T> logical(const Tensor& tensor) {
    std::vector<T> found;
    std::vector<std::int64_t> at(tensor.dim(), 0);
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        std::int64_t offset = 0;
        for (std::size_t dim = 0; dim < at.size(); ++dim) {
            offset += at[dim] * tensor.stride(dim);
        }
        found.push_back(tensor.data<T>()[offset]);
        for (std::size_t dim = at.size(); dim-- > 0 && ++at[dim] == tensor.size(dim);) {
            at[dim] = 0;
        }
    }
    return found;
}

/// Sets the elements in logical order.
template <class T>
void setLogical(Tensor& tensor, const std::vector<T>& values) {
    KernelCall call;
    call.add(tensor);
    std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
    call.tensor<T>(sizes, values);
    call.add(false);
    ASSERT_TRUE(call.run("aten::copy_"));
}

// --- Shapes

TEST(Shape, ViewReadsAndWritesInTheOrderOfTheDimensions) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({1, 2, 3, 4}, channelsLast);
    setLogical(self, counted<float>(24));
    call.ints({2, 3, -1, 2});
    Tensor& out = call.emptyTensor<float>({2, 3, 2, 2}, channelsLast);
    ASSERT_TRUE(call.run("aten::view_copy.out"));
    EXPECT_EQ(logical<float>(out), counted<float>(24));
}

TEST(Shape, CatConvertsAndSkipsEmptyTensors) {
    KernelCall call;
    call.tensor<std::int32_t>({1, 2}, {1, 2});
    call.tensor<float>({0}, {});
    call.tensor<float>({2, 2}, {3, 4, 5, 6});
    call.list(3);
    call.add(std::int64_t{0});
    Tensor& out = call.resizableTensor<float>({3, 2});
    ASSERT_TRUE(call.run("aten::cat.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Shape, RepeatFillsEveryDimension) {
    KernelCall call;
    call.tensor<std::int8_t>({2}, {1, 2});
    call.ints({3, 2});
    Tensor& out = call.emptyTensor<std::int8_t>({3, 4}, {1, 0});
    ASSERT_TRUE(call.run("aten::repeat.out"));
    EXPECT_THAT(logical<std::int8_t>(out), ElementsAre(1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2));
}

TEST(Shape, FlatRollOfAnotherDimOrder) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3}, {1, 0});
    setLogical<float>(self, {1, 2, 3, 4, 5, 6});
    call.ints({-2});
    call.ints({});
    Tensor& out = call.emptyTensor<float>({2, 3}, {1, 0});
    ASSERT_TRUE(call.run("aten::roll.out"));
    EXPECT_THAT(logical<float>(out), ElementsAre(3, 4, 5, 6, 1, 2));
}

TEST(Shape, PixelShuffleAndItsInverseInChannelsLast) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({1, 8, 3, 2}, channelsLast);
    setLogical(self, counted<float>(48));
    call.add(std::int64_t{2});
    Tensor& shuffled = call.emptyTensor<float>({1, 2, 6, 4});
    ASSERT_TRUE(call.run("aten::pixel_shuffle.out"));
    EXPECT_EQ(shuffled.data<float>()[0], 1);
    EXPECT_EQ(shuffled.data<float>()[1], 7);   // the next channel is to the right
    EXPECT_EQ(shuffled.data<float>()[4], 13);  // the second next channel is below
    KernelCall back;
    back.add(shuffled);
    back.add(std::int64_t{2});
    Tensor& out = back.emptyTensor<float>({1, 8, 3, 2}, channelsLast);
    ASSERT_TRUE(back.run("aten::pixel_unshuffle.out"));
    EXPECT_EQ(logical<float>(out), counted<float>(48));
}

TEST(Shape, ReflectionReachesCorners) {
    KernelCall call;
    call.tensor<float>({1, 2, 3}, counted<float>(6));
    call.ints({2, 1, 1, 0});
    Tensor& out = call.emptyTensor<float>({1, 3, 6});
    ASSERT_TRUE(call.run("aten::reflection_pad2d.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(6, 5, 4, 5, 6, 5, 3, 2, 1, 2, 3, 2, 6, 5, 4, 5, 6, 5));
}

TEST(Shape, ANegativePaddingCutsOff) {
    KernelCall call;
    call.tensor<float>({1, 2, 3}, counted<float>(6));
    call.ints({2, -1, 1, 0});
    Tensor& out = call.emptyTensor<float>({1, 3, 4});
    ASSERT_TRUE(call.run("aten::replication_pad2d.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 1, 1, 2, 1, 1, 1, 2, 4, 4, 4, 5));
}

// --- Indices

TEST(Index, IndicesThatAreNotSideBySideComeFirst) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3, 4}, {2, 0, 1});
    setLogical(self, counted<float>(24));
    call.tensor<std::int64_t>({2}, {1, -2});
    call.none();
    call.tensor<std::int32_t>({1}, {-1});
    call.list(3);
    Tensor& out = call.emptyTensor<float>({2, 3});
    ASSERT_TRUE(call.run("aten::index.Tensor_out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(16, 20, 24, 4, 8, 12));
}

TEST(Index, AMaskOverTwoDimensionsBetweenOthers) {
    KernelCall call;
    call.tensor<float>({2, 2, 2, 2}, counted<float>(16));
    call.none();
    call.tensor<bool>({2, 2}, {true, false, false, true});
    call.list(2);
    Tensor& out = call.resizableTensor<float>({2, 4, 2});
    ASSERT_TRUE(call.run("aten::index.Tensor_out"));
    EXPECT_EQ(core::sizesText(out.sizes()), "[2, 2, 2]");
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 7, 8, 9, 10, 15, 16));
}

TEST(Index, PutAccumulatesWhereAnIndexRepeats) {
    KernelCall call;
    call.tensor<std::int32_t>({3, 2}, {1, 2, 3, 4, 5, 6});
    call.tensor<std::int64_t>({3}, {2, 0, 2});
    call.list(1);
    call.tensor<std::int32_t>({2}, {10, 20});
    call.add(true);
    Tensor& out = call.emptyTensor<std::int32_t>({3, 2}, {1, 0});
    ASSERT_TRUE(call.run("aten::index_put.out"));
    EXPECT_THAT(logical<std::int32_t>(out), ElementsAre(11, 22, 3, 4, 25, 46));
}

TEST(Index, GatherAndScatterInAnyDimOrder) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3}, {1, 0});
    setLogical<float>(self, {1, 2, 3, 4, 5, 6});
    call.add(std::int64_t{-1});
    Tensor& index = call.emptyTensor<std::int64_t>({2, 2}, {1, 0});
    setLogical<std::int64_t>(index, {2, 0, 1, 1});
    call.add(false);
    Tensor& out = call.emptyTensor<float>({2, 2}, {1, 0});
    ASSERT_TRUE(call.run("aten::gather.out"));
    EXPECT_THAT(logical<float>(out), ElementsAre(3, 1, 5, 5));

    KernelCall add;
    add.add(self);
    add.add(std::int64_t{1});
    add.add(index);
    add.tensor<float>({2, 2}, {10, 20, 30, 40});
    Tensor& sum = add.emptyTensor<float>({2, 3});
    ASSERT_TRUE(add.run("aten::scatter_add.out"));
    EXPECT_THAT(elements<float>(sum), ElementsAre(21, 2, 13, 4, 75, 6));
}

TEST(Mask, SelectTakesRowMajorOrder) {
    KernelCall call;
    Tensor& self = call.emptyTensor<float>({2, 3}, {1, 0});
    setLogical<float>(self, {1, 2, 3, 4, 5, 6});
    call.tensor<bool>({3}, {true, false, true});
    Tensor& out = call.resizableTensor<float>({6});
    ASSERT_TRUE(call.run("aten::masked_select.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 3, 4, 6));
}

TEST(Creation, RangesUseTheArithmeticOfTheirDtype) {
    const auto range = [](Scalar start, Scalar end, Scalar step, auto zero) {
        using T = decltype(zero);
        KernelCall call;
        for (const Scalar& number : {start, end, step}) {
            number.isInt() ? call.add(number.to<std::int64_t>()) : call.add(number.to<double>());
        }
        Tensor& out = call.resizableTensor<T>({16});
        EXPECT_TRUE(call.run("aten::arange.start_out"));
        return elements<T>(out);
    };
    EXPECT_THAT(range(1.0, 2.0, 0.25, 0.0F), ElementsAre(1, 1.25, 1.5, 1.75));
    EXPECT_THAT(range(std::int64_t{5}, std::int64_t{-1}, std::int64_t{-2}, std::int64_t{}),
                ElementsAre(5, 3, 1));
    EXPECT_THAT(range(min, std::int64_t{min + 5}, std::int64_t{3}, std::int64_t{}),
                ElementsAre(min, min + 3));
}

TEST(Random, NumbersStayBelowOneAndRepeatWithTheSeed) {
    const auto draw = [] {
        KernelCall call;
        call.ints({4096});
        Tensor& out = call.emptyTensor<core::BFloat16>({4096});
        EXPECT_TRUE(call.run("aten::rand.out"));
        std::vector<float> numbers;
        for (const core::BFloat16 number : elements<core::BFloat16>(out)) {
            numbers.push_back(static_cast<float>(number));
        }
        return numbers;
    };
    const std::vector<float> numbers = draw();
    EXPECT_LT(std::ranges::max(numbers), 1.0F);
    EXPECT_GE(std::ranges::min(numbers), 0.0F);
    EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0F) / 4096, 0.5F, 0.03F);
    EXPECT_EQ(numbers, draw());
}

TEST(Layout, HandlesEmptyTensorsOfHugeShapes) {
    KernelCall call;
    call.emptyTensor<float>({std::int64_t{1} << 62, 0, std::int64_t{1} << 62});
    call.add(std::int64_t{0});
    call.add(std::int64_t{1} << 61);
    call.add(max);
    call.add(std::int64_t{1});
    Tensor& out = call.resizableTensor<float>({0});
    ASSERT_TRUE(call.run("aten::slice_copy.Tensor_out"));
    EXPECT_EQ(out.numel(), 0);
    EXPECT_EQ(out.size(0), std::int64_t{1} << 61);
}

}  // namespace
}  // namespace et::test
