// Tests of the Cortex-M operators: CMSIS-NN's arithmetic with hand-computed examples.

#include "runtime/kernels/cortex_m/fixed_point.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace et::test {
namespace {

using core::Tensor;
using kernels::cortex_m::requantized;
using testing::ElementsAre;

TEST(CortexMFixedPoint, RoundsHalfUpAndOnce) {
    EXPECT_EQ(requantized(10, half, 0), 5);
    EXPECT_EQ(requantized(11, half, 0), 6) << "half up";
    EXPECT_EQ(requantized(-11, half, 0), -5) << "half up";
    EXPECT_EQ(requantized(10, half, 1), 10);
    EXPECT_EQ(requantized(12, half, -2), 2) << "1.5";
    EXPECT_EQ(requantized(-12, half, -2), -1) << "-1.5";
    EXPECT_EQ(requantized(11, half, -2), 1) << "1.375: not 5.5, 6, 1.5, 2";
    EXPECT_EQ(requantized(-10, half, -2), -1);
    EXPECT_EQ(requantized(1, half, -31), 0);
}

TEST(CortexMFixedPoint, WrapsAroundLikeTheDevice) {
    EXPECT_EQ(requantized(std::int64_t{1} << 32, half, 0), 0);
    EXPECT_EQ(requantized(4, half, 31), 0);
    EXPECT_EQ(requantized(2, half, 31), -2 * half);
}

/// Adds the 11 or 13 arguments of quantized_add.
void addSum(KernelCall& call, bool bounded) {
    call.tensor<std::int8_t>({1, 2}, {3, 10});
    call.add(whole(1));
    call.add(half);
    call.add(whole(1));  // times 1
    call.tensor<std::int8_t>({1, 1}, {4});
    call.add(whole(0));
    call.add(half);
    call.add(whole(0));  // multiplied by 0.5
    call.add(whole(-1));
    call.add(half);
    call.add(whole(-19));  // times 2^-20
    if (bounded) {
        call.add(whole(-2));
        call.add(whole(5));
    }
}

TEST(CortexMAdd, AddsInFractionsOfAStep) {
    KernelCall call;
    addSum(call, true);
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2});
    const auto done = call.run("cortex_m::quantized_add.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(3, 5)) << "2 + 2 - 1; 9 + 2 - 1 is beyond 5";
}

TEST(CortexMAdd, OlderOperatorHasNoBounds) {
    const auto* newest = kernels::builtin().find("cortex_m::quantized_add.out");
    ASSERT_NE(newest, nullptr);
    EXPECT_EQ(kernels::versionFor(newest, 15), newest);
    ASSERT_NE(newest->older, nullptr);
    EXPECT_EQ(kernels::versionFor(newest, 13), newest->older) << "12 arguments and the repeated result";
}

TEST(CortexMAdd, RefusesAShiftBeyondABound) {
    KernelCall call;
    addSum(call, true);
    call.argument(10) = core::Value(core::Value::Kind(std::int64_t{-32}));
    call.emptyTensor<std::int8_t>({1, 2});
    EXPECT_FALSE(call.run("cortex_m::quantized_add.out"));
}

TEST(CortexMMul, SubtractsZeroPointsBeforeMultiplying) {
    KernelCall call;
    call.tensor<std::int8_t>({3}, {3, -5, 127});
    call.add(whole(1));
    call.tensor<std::int8_t>({3}, {4, 4, 127});
    call.add(whole(0));
    call.add(whole(2));
    call.add(half);
    call.add(whole(0));
    const Tensor& out = call.emptyTensor<std::int8_t>({3});
    ASSERT_TRUE(call.run("cortex_m::quantized_mul.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(6, -10, 127));
}

TEST(CortexMLinear, TakesABiasOrTheSumsThatHoldIt) {
    for (const bool sums : {false, true}) {
        KernelCall call;
        call.tensor<std::int8_t>({1, 2, 1, 1}, {5, 7});
        call.tensor<std::int8_t>({2, 2}, {1, 2, 3, -4});
        if (sums) {
            call.none();
            call.tensor<std::int32_t>({1, 2}, {100 + 1 * 3, -50 + 1 * -1});  // bias + offset * sum of weights
        } else {
            call.tensor<std::int32_t>({2}, {100, -50});
            call.none();
        }
        call.add(whole(1));
        call.add(whole(0));
        call.add(whole(-4));
        call.ints({half});
        call.ints({0});
        call.add(whole(127));
        call.add(whole(-30));
        const Tensor& out = call.emptyTensor<std::int8_t>({1, 2});
        const auto done = call.run("cortex_m::quantized_linear.out");
        ASSERT_TRUE(done) << done.error().toString();
        // 6 + 16 + 100 = 122 -> 61 - 4; 18 - 32 - 50 = -64 -> -32 - 4, clamped to -30.
        EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(57, -30)) << sums;
    }
}

void addConvolution(KernelCall& call, const std::vector<std::int32_t>& multipliers) {
    const auto channels = static_cast<std::int64_t>(multipliers.size());
    call.add(whole(-1));  // input offset
    call.add(whole(3));
    call.tensor<std::int32_t>({channels}, multipliers);
    call.tensor<std::int32_t>({channels}, std::vector<std::int32_t>(multipliers.size(), 0));
    call.add(whole(-128));
    call.add(whole(127));
    call.emptyTensor<std::int8_t>({0});  // scratch
}

TEST(CortexMConvolution, HasChannelsLastInMemory) {
    KernelCall call;
    // [1, 2, 1, 2] in the order N, H, W, C.
    call.tensor<std::int8_t>({1, 2, 1, 2}, {1, 3, 2, 4}, {0, 2, 3, 1});
    call.tensor<std::int8_t>({2, 1, 1, 2}, {1, 2, 3, 4});
    call.tensor<std::int32_t>({2}, {1, -1});
    call.ints({1, 1});
    call.ints({0, 0});
    call.ints({1, 1});
    addConvolution(call, {1 << 30, 1 << 29});
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2, 1, 2}, {0, 2, 3, 1});
    const auto done = call.run("cortex_m::quantized_conv2d.out");
    ASSERT_TRUE(done) << done.error().toString();
    // Sums 5, 8 and 7, 14: halves 3, 4; quarters 2, 4 (3.5 rounds up); plus 3.
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(6, 5, 7, 7));
}

TEST(CortexMConvolution, DepthwiseHasOneFilterForEachOutput) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 1, 1, 2}, {3, 5}, {0, 2, 3, 1});
    call.tensor<std::int8_t>({1, 1, 1, 2}, {2, 4});
    call.none();
    call.ints({1, 1});
    call.ints({0, 0});
    call.ints({1, 1});
    call.add(whole(2));
    addConvolution(call, {1 << 30, 1 << 30});
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2, 1, 2}, {0, 2, 3, 1});
    const auto done = call.run("cortex_m::quantized_depthwise_conv2d.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(5, 7, 7, 11));
}

TEST(CortexMPooling, AveragesRoundAwayFromZeroWithoutThePadding) {
    KernelCall pool;
    pool.tensor<std::int8_t>({1, 1, 2, 2}, {1, 2, -1, -2});
    pool.ints({1, 2});
    pool.ints({1, 2});
    pool.ints({0, 0});
    pool.add(false);
    pool.add(whole(0));
    pool.add(whole(0));
    pool.add(whole(0));
    pool.emptyTensor<std::int8_t>({0});
    const Tensor& out = pool.emptyTensor<std::int8_t>({1, 1, 2, 1});
    const auto done = pool.run("cortex_m::quantized_avg_pool2d.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(2, -2));
}

TEST(CortexMPad, PadsInTheOrderOfMemory) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 2, 1, 2}, {1, 2, 3, 4}, {0, 2, 3, 1});
    call.ints({0, 0, 1, 0});  // N, H, W, C
    call.ints({0, 0, 0, 0});
    call.add(whole(9));
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2, 1, 3}, {0, 2, 3, 1});
    const auto done = call.run("cortex_m::pad.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(9, 9, 1, 2, 3, 4));
}

TEST(CortexMSoftmax, GivesProbabilities) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 2}, {5, 5});
    call.add(whole(-1));
    call.add(whole(0));
    call.add(whole(-128));
    call.add(half);
    call.add(whole(20));
    call.add(whole(-100));
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2});
    ASSERT_TRUE(call.run("cortex_m::softmax.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(0, 0));
}

TEST(CortexMTranspose, PutsDimensionsInAnotherOrder) {
    KernelCall call;
    call.tensor<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
    call.ints({1, 0});
    const Tensor& out = call.emptyTensor<std::int8_t>({3, 2});
    ASSERT_TRUE(call.run("cortex_m::transpose.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(CortexMActivation, IsATable) {
    std::vector<std::int8_t> table(256);
    for (int i = 0; i < 256; ++i) {
        table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(127 - i);
    }
    KernelCall call;
    call.tensor<std::int8_t>({3}, {-128, 0, 127});
    call.tensor<std::int8_t>({256}, table);
    const Tensor& out = call.emptyTensor<std::int8_t>({3});
    ASSERT_TRUE(call.run("cortex_m::quantized_activation.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(127, -1, -128));
}

}  // namespace
}  // namespace et::test
