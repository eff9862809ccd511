// Tests of Cadence's operators against hand-computed sums and against each other.

#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace et::test {
namespace {

using core::ScalarType;
using core::Tensor;
using testing::ElementsAre;

TEST(CadenceQuantize, RoundTrips) {
    KernelCall call;
    call.tensor<float>({4}, {-1.0F, 0.24F, 0.26F, 100.0F});
    call.add(0.5);
    for (const std::int64_t number : {std::int64_t{3}, std::int64_t{-128}, std::int64_t{127}}) {
        call.add(number);
    }
    call.add(static_cast<std::int64_t>(ScalarType::Char));
    const Tensor& out = call.emptyTensor<std::int8_t>({4});
    ASSERT_TRUE(call.run("cadence::quantize_per_tensor.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(1, 3, 4, 127));

    KernelCall back;
    back.tensor<std::int8_t>({2}, {1, 5});
    back.add(0.5);
    back.add(whole(3));
    back.add(whole(-128));
    back.add(whole(127));
    back.add(static_cast<std::int64_t>(ScalarType::Char));
    const Tensor& real = back.emptyTensor<float>({2});
    ASSERT_TRUE(back.run("cadence::dequantize_per_tensor.out"));
    EXPECT_THAT(elements<float>(real), ElementsAre(-1.0F, 1.0F));
}

TEST(CadenceQuantize, RequantizesToAnotherScale) {
    KernelCall call;
    call.tensor<std::int8_t>({3}, {10, 11, -100});
    call.add(0.5);
    call.add(whole(1));
    call.add(0.25);
    call.add(whole(-2));
    call.add(static_cast<std::int64_t>(ScalarType::Char));
    const Tensor& out = call.emptyTensor<std::int8_t>({3});
    ASSERT_TRUE(call.run("cadence::requantize.per_tensor_out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(16, 18, -128));
}

/// Adds arguments for (x - 1) * weight + bias, halved, with zero point 2.
void addLinearNumbers(KernelCall& call, bool tensors) {
    call.add(whole(1));
    const std::vector<std::int64_t> numbers{0, half, 0};
    for (const std::int64_t number : numbers) {
        if (tensors) {
            call.tensor<std::int32_t>({1}, {static_cast<std::int32_t>(number)});
        } else {
            call.add(number);
        }
    }
    call.add(whole(2));
    call.none();
}

TEST(CadenceLinear, SubtractsTheZeroPointBeforeMultiplying) {
    for (const auto& [name, tensors] : std::vector<std::pair<std::string, bool>>{
             {"cadence::quantized_linear.per_tensor_out", false},
             {"cadence::quantized_linear.out", true},
             {"cadence::quantized_linear_asym8sxasym8s_asym8s.per_tensor_out", false},
             {"cadence::quantized_fully_connected.per_tensor_out", false}}) {
        KernelCall call;
        call.tensor<std::int8_t>({1, 3}, {2, 3, 4});
        call.tensor<std::int8_t>({2, 3}, {1, 2, 3, -1, 0, 100});
        call.tensor<std::int32_t>({2}, {10, -10});
        addLinearNumbers(call, tensors);
        const Tensor& out = call.emptyTensor<std::int8_t>({1, 2});
        const auto done = call.run(name);
        ASSERT_TRUE(done) << name << done.error().toString();
        // 1 + 4 + 9 + 10 = 24 -> 14; -1 + 300 - 10 = 289 -> 146, clamped to 127.
        EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(14, 127)) << name;
    }
}

TEST(CadenceLinear, TakesAScaleForEachChannel) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 2}, {8, 4});
    call.tensor<std::int8_t>({2, 2}, {1, 1, 1, 1});
    call.tensor<std::int32_t>({2}, {0, 0});
    call.add(whole(0));
    call.none();  // no zero point for the weights
    call.tensor<std::int32_t>({2}, {1 << 30, 1 << 30});
    call.tensor<std::int32_t>({2}, {0, 1});
    call.add(whole(0));
    call.none();
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2});
    ASSERT_TRUE(call.run("cadence::quantized_linear.out"));
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(6, 12));
}

TEST(CadenceLinear, RejectsMismatchedArguments) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 3}, {2, 3, 4});
    call.tensor<std::int8_t>({2, 2}, {1, 2, 3, -1});
    call.tensor<std::int32_t>({2}, {10, -10});
    addLinearNumbers(call, false);
    call.emptyTensor<std::int8_t>({1, 2});
    const auto done = call.run("cadence::quantized_linear.per_tensor_out");
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, testing::HasSubstr("cannot be multiplied"));
}

TEST(CadenceMatmul, TakesTheRightMatrixTransposed) {
    for (const bool transposed : {false, true}) {
        KernelCall call;
        call.tensor<std::int8_t>({1, 2, 2}, {1, 2, 3, 4});
        call.add(whole(1));
        call.tensor<std::int8_t>({1, 2, 2}, transposed ? std::vector<std::int8_t>{2, 6, 4, 8}
                                                       : std::vector<std::int8_t>{2, 4, 6, 8});
        call.add(whole(0));
        call.none();
        call.add(half);
        call.add(whole(0));
        call.add(whole(-1));
        call.add(transposed);
        const Tensor& out = call.emptyTensor<std::int8_t>({1, 2, 2});
        ASSERT_TRUE(call.run("cadence::quantized_matmul.out"));
        // [0 1; 2 3] x [2 4; 6 8] = [6 8; 22 32], halved, minus 1.
        EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(2, 3, 10, 15));
    }
}

void addConvolutionNumbers(KernelCall& call, std::int64_t groups) {
    call.ints({1, 1});
    call.ints({0, 0});
    call.ints({1, 1});
    call.add(groups);
    call.add(whole(1));  // zero point of the input
    call.add(whole(0));
    call.add(0.5);   // scale of the sums
    call.add(0.25);  // scale of the result
    call.add(whole(-3));
    call.add(whole(0));
    call.add(whole(0));
}

TEST(CadenceConvolution, IsTheSameInBothLayouts) {
    // Two channels of 1 x 2, two filters of 1 x 1.
    KernelCall first;
    first.tensor<std::int8_t>({1, 2, 1, 2}, {1, 2, 3, 4});
    first.tensor<std::int8_t>({2, 2, 1, 1}, {1, 2, 3, 4});
    first.tensor<std::int32_t>({2}, {1, -1});
    addConvolutionNumbers(first, 1);
    const Tensor& rows = first.emptyTensor<std::int8_t>({1, 2, 1, 2});
    auto done = first.run("cadence::quantized_conv_nchw.per_tensor_out");
    ASSERT_TRUE(done) << done.error().toString();
    // Inputs minus 1: [0 1] and [2 3]; sums 5, 8 and 7, 14; doubled, minus 3.
    EXPECT_THAT(elements<std::int8_t>(rows), ElementsAre(7, 13, 11, 25));

    KernelCall last;
    last.tensor<std::int8_t>({1, 1, 2, 2}, {1, 3, 2, 4});
    last.tensor<std::int8_t>({2, 1, 1, 2}, {1, 2, 3, 4});
    last.tensor<std::int32_t>({2}, {1, -1});
    addConvolutionNumbers(last, 1);
    last.none();  // the offset argument of the newer operator
    const Tensor& pixels = last.emptyTensor<std::int8_t>({1, 1, 2, 2});
    done = last.run("cadence::quantized_conv2d_nhwc.per_tensor_out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(pixels), ElementsAre(7, 11, 13, 25));
}

TEST(CadenceConvolution, TakesDepthwiseWeightsWithoutAnInputChannel) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 1, 2, 2}, {1, 3, 2, 4});
    call.tensor<std::int8_t>({1, 1, 2}, {2, -1});
    call.tensor<std::int32_t>({2}, {0, 0});
    addConvolutionNumbers(call, 2);
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 1, 2, 2});
    const auto done = call.run("cadence::quantized_conv2d_nhwc_depthwise_asym8sxsym8s_asym8s.per_tensor_out");
    ASSERT_TRUE(done) << done.error().toString();
    // 0, 1 times 2 and 2, 3 times -1; doubled, minus 3.
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(-3, -7, 1, -9));
}

TEST(CadenceConvolution, OlderOperatorHasNoOffset) {
    const auto* newest = kernels::builtin().find("cadence::quantized_conv2d_nhwc.per_tensor_out");
    ASSERT_NE(newest, nullptr);
    EXPECT_EQ(kernels::versionFor(newest, 17), newest);
    EXPECT_EQ(kernels::versionFor(newest, 16), newest->older) << "15 arguments and the repeated result";
    EXPECT_EQ(newest->older->kernel.arguments + 1, newest->kernel.arguments);
}

TEST(CadenceConvolution, TransposedRestoresExportedWeightLayout) {
    KernelCall call;
    call.tensor<float>({1, 1, 3}, {1, 10, 100});
    call.tensor<float>({1, 1, 2}, {2, 1});  // in reverse: 1 2
    call.tensor<float>({1}, {0});
    call.ints({1});
    call.ints({0});
    call.ints({1});
    call.ints({0});
    call.add(whole(1));
    call.add(false);
    const Tensor& out = call.emptyTensor<float>({1, 1, 4});
    const auto done = call.run("cadence::transposed_convolution.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 12, 120, 200));
}

TEST(CadenceElementwise, AddsAndMultipliesDequantizedValues) {
    for (const bool adds : {true, false}) {
        KernelCall call;
        call.tensor<std::int8_t>({2}, {2, 4});
        call.add(0.5);
        call.add(whole(0));
        call.tensor<std::int8_t>({1}, {4});
        call.add(1.0);
        call.add(whole(1));
        call.add(adds ? 0.5 : 0.375);
        call.add(whole(-1));
        const Tensor& out = call.emptyTensor<std::int8_t>({2});
        const auto done = call.run(adds ? "cadence::quantized_add.per_tensor_out"
                                        : "cadence::quantized_mul.per_tensor_out");
        ASSERT_TRUE(done) << done.error().toString();
        // (1 + 3) / 0.5 - 1 and (2 + 3) / 0.5 - 1; 1 * 3 / 0.375 - 1 and 2 * 3 / 0.375 - 1.
        EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(7, adds ? 9 : 15));
    }
}

TEST(CadenceElementwise, ReluCutsAtTheZeroPoint) {
    KernelCall call;
    call.tensor<std::uint8_t>({4}, {0, 10, 11, 14});
    call.add(whole(10));
    call.add(whole(5));
    call.add(half);
    call.add(whole(1));
    const Tensor& out = call.emptyTensor<std::uint8_t>({4});
    ASSERT_TRUE(call.run("cadence::quantized_relu.per_tensor_out"));
    EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(5, 5, 6, 9));
}

TEST(CadenceRows, SoftmaxOfEqualNumbersIsFlat) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 4}, {7, 7, 7, 7});
    call.none();
    call.add(whole(-1));
    call.add(0.1);
    call.add(whole(0));
    call.add(1.0 / 256);
    call.add(whole(-128));
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 4});
    const auto* newest = kernels::builtin().find("cadence::quantized_softmax.per_tensor_out");
    ASSERT_NE(newest, nullptr);
    ASSERT_NE(newest->older, nullptr);
    kernels::ThreadPool pool;
    kernels::ScratchMemory scratch{1 << 20};
    std::mt19937_64 random;
    kernels::KernelContext context(pool, scratch, random);
    std::vector<core::Value*> arguments;
    for (std::size_t i = 0; i < 8; ++i) {
        arguments.push_back(&call.argument(i));
    }
    const auto done = newest->older->kernel.call(context, arguments);
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(-64, -64, -64, -64));
}

TEST(CadenceRows, LayerNormGivesMeanAndVariance) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 2}, {10, 30});
    call.add(0.1);
    call.add(whole(0));
    call.ints({2});
    call.tensor<float>({2}, {1, 1});
    call.tensor<float>({2}, {0, 1});
    call.add(0.0);
    call.add(0.5);
    call.add(whole(0));
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2});
    const auto done = call.run("cadence::quantized_layer_norm.per_tensor_out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(-2, 4));
}

TEST(CadenceRows, RopeRotatesPairs) {
    KernelCall call;
    call.tensor<float>({1, 2, 1, 4}, {1, 2, 3, 4, 1, 2, 3, 4});
    call.tensor<float>({3, 2}, {9, 9, 0, 1, 1, 0});  // sines
    call.tensor<float>({3, 2}, {9, 9, 1, 0, 0, 1});
    call.tensor<std::int64_t>({2}, {1, 2});
    const Tensor& out = call.emptyTensor<float>({1, 2, 1, 4});
    const auto done = call.run("cadence::rope.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, -4, 3, -2, 1, 3, 4));
}

TEST(CadenceRows, RopeRefusesAPositionBehindTheTables) {
    KernelCall call;
    call.tensor<float>({1, 1, 1, 2}, {1, 2});
    call.tensor<float>({3, 1}, {0, 0, 0});
    call.tensor<float>({3, 1}, {1, 1, 1});
    call.tensor<std::int64_t>({1}, {3});
    call.emptyTensor<float>({1, 1, 1, 2});
    EXPECT_FALSE(call.run("cadence::rope.out"));
}

TEST(CadenceWindows, Im2rowFillsThePaddingWithTheZeroPoint) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 1, 2, 2}, {1, 2, 3, 4});
    call.ints({2, 2});
    call.ints({1, 1});
    call.ints({1, 0});
    call.ints({2, 2});
    call.add(whole(9));
    call.add(false);
    const Tensor& out = call.emptyTensor<std::int8_t>({1, 2, 4});
    const auto done = call.run("cadence::im2row.per_tensor_out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(9, 9, 1, 2, 3, 4, 9, 9));
}

TEST(CadenceWindows, TransposedIm2rowReadsBetweenTheInputs) {
    KernelCall call;
    call.tensor<float>({1, 1, 1, 2}, {1, 2});
    call.ints({1, 2});
    call.ints({1, 1});
    call.ints({0, 0});
    call.ints({1, 2});
    call.ints({0, 0});
    call.tensor<std::int32_t>({1}, {0});
    call.add(false);
    const Tensor& out = call.emptyTensor<float>({1, 4, 2});
    const auto done = call.run("cadence::transposed_im2row.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<float>(out), ElementsAre(0, 1, 1, 0, 0, 2, 2, 0));
}

TEST(CadenceWindows, MaxPoolIsTheSameInBothLayouts) {
    for (const bool last : {false, true}) {
        KernelCall call;
        call.tensor<std::int8_t>(
            last ? std::vector<std::int64_t>{1, 2, 2, 1} : std::vector<std::int64_t>{1, 1, 2, 2},
            {1, -2, 3, 4});
        call.ints({2, 2});
        call.ints({2, 2});
        call.ints({0, 0});
        call.ints({1, 1});
        call.add(false);
        const Tensor& out = call.emptyTensor<std::int8_t>({1, 1, 1, 1});
        ASSERT_TRUE(call.run(last ? "cadence::quantized_max_pool2d_nhwc.out"
                                  : "cadence::quantized_max_pool2d_nchw.out"));
        EXPECT_THAT(elements<std::int8_t>(out), ElementsAre(4));
    }
}

TEST(CadenceWindows, RejectInvalidWindows) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 1, 2, 2}, {1, 2, 3, 4});
    call.ints({3, 3});
    call.ints({1, 1});
    call.ints({0, 0});
    call.ints({0, 2});
    call.add(whole(9));
    call.add(false);
    call.emptyTensor<std::int8_t>({1, 2, 4});
    EXPECT_FALSE(call.run("cadence::im2row.per_tensor_out"));
}

}  // namespace
}  // namespace et::test
