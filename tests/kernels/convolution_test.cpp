// Tests every code path of convolution against loops in double that follow the definition.
#include "tests/kernels/dense_reference.h"
#include "tests/kernels/every_target.h"
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::test {
namespace {

using core::BFloat16;
using core::Half;
using core::Tensor;
using testing::HasSubstr;

template <class T>
void checkForward(const Case& shape, std::uint64_t seed) {
    Call call(seed, shape.threads);
    const Numbers input = call.add<T>(shape.inputSizes(), shape.activationOrder);
    const Numbers weight = call.add<T>(shape.weightSizes(), shape.weightOrder);
    if (shape.constantWeight) {
        call.makeConstant();
    }
    Numbers expected(shape.outputSizes());
    if (shape.hasBias) {
        const Numbers bias = call.add<T>({shape.groups * shape.groupOutputs});
        if (shape.constantWeight) {
            call.makeConstant();
        }
        forIndices(expected.sizes, [&](const Shape& index) {
            expected.values[expected.at(index)] = bias.values[static_cast<std::size_t>(index[1])];
        });
    } else {
        call().none();
    }
    forProducts(shape, [&](const Shape& in, const Shape& tap, const Shape& out) {
        expected.values[expected.at(out)] += input.values[input.at(in)] * weight.values[weight.at(tap)];
    });
    call.ints(shape.stride);
    call.ints(shape.padding);
    call.ints(shape.dilation);
    call().add(shape.transposed);
    call.ints(shape.outputPadding);
    call().add(shape.groups);
    Tensor& out = call().template emptyTensor<T>(shape.outputSizes(), shape.resultOrder);
    // The second run uses data cached by the first.
    for (int run = 0; run < 2; ++run) {
        std::ranges::fill(out.rawBytes(), std::byte{0x7F});
        const auto done = call().run("aten::convolution.out");
        ASSERT_TRUE(done) << done.error().toString();
        expectNear<T>(out, expected, toleranceOf<T>);
    }
}

TEST(Convolution, MatchesTheDefinition) {
    for (std::uint64_t seed = 0; seed < 160; ++seed) {
        SCOPED_TRACE(seed);
        checkForward<float>(randomCase(seed), seed);
    }
}

TEST(Convolution, TakesOtherTypes) {
    for (std::uint64_t seed = 1000; seed < 1040; ++seed) {
        SCOPED_TRACE(seed);
        const Case shape = randomCase(seed);
        checkForward<double>(shape, seed);
        checkForward<Half>(shape, seed);
        checkForward<BFloat16>(shape, seed);
        checkForward<std::int32_t>(shape, seed);
    }
}

/// Shapes from real models, and sizes with remainders after whole vectors and tiles.
TEST(Convolution, HandlesWideImages) {
    Case stem{.dims = 2,
              .groupInputs = 3,
              .groupOutputs = 16,
              .input = {37, 61},
              .kernel = {3, 3},
              .stride = {2, 2},
              .padding = {1, 1},
              .dilation = {1, 1},
              .outputPadding = {0, 0},
              .hasBias = true};
    Case depthwise{.dims = 2,
                   .batch = 2,
                   .groups = 7,
                   .input = {35, 67},
                   .kernel = {3, 5},
                   .stride = {1, 2},
                   .padding = {1, 2},
                   .dilation = {2, 1},
                   .outputPadding = {0, 0},
                   .hasBias = true};
    Case multiplied{.dims = 2,
                    .groups = 6,
                    .groupOutputs = 3,
                    .input = {20, 33},
                    .kernel = {3, 3},
                    .stride = {3, 4},
                    .padding = {2, 3},
                    .dilation = {1, 1},
                    .outputPadding = {0, 0},
                    .constantWeight = true};
    Case pointwise{.dims = 2,
                   .batch = 2,
                   .groups = 2,
                   .groupInputs = 33,
                   .groupOutputs = 21,
                   .input = {11, 13},
                   .kernel = {1, 1},
                   .stride = {1, 1},
                   .padding = {0, 0},
                   .dilation = {1, 1},
                   .outputPadding = {0, 0},
                   .constantWeight = true};
    for (Case shape : {stem, depthwise, multiplied, pointwise}) {
        for (const Order& order : {Order{}, Order{0, 2, 3, 1}}) {
            for (const std::size_t threads : {1U, 2U}) {
                shape.activationOrder = shape.resultOrder = order;
                shape.threads = threads;
                checkForward<float>(shape, 7);
                checkForward<double>(shape, 7);
            }
        }
    }
}

/// Padded 3x3 kernels at widths around and below whole vectors of every size.
TEST(Convolution, HandlesSmallDepthwiseKernels) {
    Case shape{.dims = 2,
               .batch = 2,
               .groups = 3,
               .kernel = {3, 3},
               .padding = {1, 1},
               .dilation = {1, 1},
               .outputPadding = {0, 0}};
    onEveryTarget([&] {
        for (const std::int64_t width : {3, 14, 15, 16, 17, 31, 32, 33, 34, 47, 65}) {
            for (const std::int64_t stride : {1, 2}) {
                shape.stride = {stride, stride};
                shape.input = {(stride * 112 + width - 1) / width * stride + 3, width};
                shape.hasBias = width % 2 == 1;
                shape.groupOutputs = shape.hasBias ? 2 : 1;
                shape.threads = shape.hasBias ? 1 : 2;
                SCOPED_TRACE(core::sizesText(shape.input));
                checkForward<float>(shape, 11);
            }
        }
    });
}

TEST(Convolution, HandlesImagesOfFewChannels) {
    Case shape{.dims = 2, .batch = 2, .outputPadding = {0, 0}};
    onEveryTarget([&] {
        for (const std::int64_t channels : {1, 2, 3, 4}) {
            for (const std::int64_t width : {12, 33, 97, 112}) {
                shape.groupInputs = channels;
                shape.groupOutputs = 7 + 3 * channels;
                shape.input = {21 + channels, width + channels};
                shape.kernel = {channels, 3};
                shape.stride = {1, channels};
                shape.padding = {1, 2};
                shape.dilation = {2, 1};
                shape.hasBias = shape.constantWeight = channels % 2 == 0;
                shape.threads = static_cast<std::size_t>(1 + channels % 2);
                SCOPED_TRACE(core::sizesText(shape.input));
                checkForward<float>(shape, 13);
            }
        }
    });
}

template <class T>
void checkBackward(const Case& shape, std::uint64_t seed) {
    Call call(seed, shape.threads);
    const Numbers errors = call.add<T>(shape.outputSizes(), shape.resultOrder);
    const Numbers input = call.add<T>(shape.inputSizes(), shape.activationOrder);
    const Numbers weight = call.add<T>(shape.weightSizes(), shape.weightOrder);
    Numbers inputGradient(shape.inputSizes());
    Numbers weightGradient(shape.weightSizes());
    Numbers biasGradient({shape.groups * shape.groupOutputs});
    forProducts(shape, [&](const Shape& in, const Shape& tap, const Shape& out) {
        const double error = errors.values[errors.at(out)];
        inputGradient.values[input.at(in)] += error * weight.values[weight.at(tap)];
        weightGradient.values[weight.at(tap)] += error * input.values[input.at(in)];
    });
    forIndices(errors.sizes, [&](const Shape& index) {
        biasGradient.values[static_cast<std::size_t>(index[1])] += errors.values[errors.at(index)];
    });
    call.ints(biasGradient.sizes);
    call.ints(shape.stride);
    call.ints(shape.padding);
    call.ints(shape.dilation);
    call().add(shape.transposed);
    call.ints(shape.outputPadding);
    call().add(shape.groups);
    et::core::BoolListValue mask{.numbers = std::make_unique<bool[]>(3), .size = 3};
    std::fill_n(mask.numbers.get(), 3, true);
    call().add(std::move(mask));
    Tensor& first = call().template emptyTensor<T>(inputGradient.sizes);
    Tensor& second = call().template emptyTensor<T>(weightGradient.sizes);
    Tensor& third = call().template emptyTensor<T>(biasGradient.sizes);
    const auto done = call().run("aten::convolution_backward.out");
    ASSERT_TRUE(done) << done.error().toString();
    expectNear<T>(first, inputGradient, 1e-5);
    expectNear<T>(second, weightGradient, 1e-5);
    expectNear<T>(third, biasGradient, 1e-5);
}

TEST(Convolution, GradientsMatchTheDefinition) {
    for (std::uint64_t seed = 2000; seed < 2040; ++seed) {
        SCOPED_TRACE(seed);
        checkBackward<float>(randomCase(seed), seed);
        checkBackward<double>(randomCase(seed), seed);
    }
}

/// A 2-D convolution of ones with these parameters, and its error (empty if none).
struct Parameters {
    Shape input{1, 2, 4, 4};
    Shape weight{2, 2, 3, 3};
    Shape stride{1, 1};
    Shape padding{0, 0};
    Shape dilation{1, 1};
    bool transposed = false;
    Shape outputPadding{0, 0};
    std::int64_t groups = 1;
    Shape out{1, 2, 2, 2};
};

std::string errorOf(const Parameters& parameters) {
    Call call(1, 1);
    call.add<float>(parameters.input);
    call.add<float>(parameters.weight);
    call().none();
    call.ints(parameters.stride);
    call.ints(parameters.padding);
    call.ints(parameters.dilation);
    call().add(parameters.transposed);
    call.ints(parameters.outputPadding);
    call().add(parameters.groups);
    call().emptyTensor<float>(parameters.out);
    const auto done = call().run("aten::convolution.out");
    return done ? std::string() : done.error().message;
}

TEST(Convolution, RejectsMismatchedParameters) {
    constexpr std::int64_t huge = std::int64_t{1} << 62;
    EXPECT_EQ(errorOf({}), "");
    EXPECT_THAT(errorOf({.stride = {0, 1}}), HasSubstr("stride: expected at least 1, got 0"));
    EXPECT_THAT(errorOf({.stride = {1, 1, 1}}), HasSubstr("stride: expected 1 or 2 values, got 3"));
    EXPECT_THAT(errorOf({.padding = {-1, 0}}), HasSubstr("padding: expected at least 0, got -1"));
    EXPECT_THAT(errorOf({.padding = {huge, huge}}), HasSubstr("too small or too large"));
    EXPECT_THAT(errorOf({.padding = {huge / 4, huge / 4}}), HasSubstr("expected a result of"));
    EXPECT_THAT(errorOf({.padding = {INT64_MAX, 0}}), HasSubstr("too small or too large"));
    EXPECT_THAT(errorOf({.dilation = {huge, 1}}), HasSubstr("too small or too large"));
    EXPECT_THAT(errorOf({.dilation = {INT64_MIN, 1}}), HasSubstr("dilation: expected at least 1"));
    EXPECT_THAT(errorOf({.groups = 0}), HasSubstr("expected at least 1 group, got 0"));
    EXPECT_THAT(errorOf({.groups = huge}), HasSubstr("does not fit an input of 2 channels"));
    EXPECT_THAT(errorOf({.groups = 2}), HasSubstr("does not fit an input of 2 channels"));
    EXPECT_THAT(errorOf({.weight = {2, 2, 3}}), HasSubstr("input: expected 2 or 3 dimensions, got 4"));
    EXPECT_THAT(errorOf({.weight = {2, 2}}), HasSubstr("weight: expected 3 to 5 dimensions, got 2"));
    EXPECT_THAT(errorOf({.weight = {2, 2, 0, 3}}), HasSubstr("expected kernel sizes of at least 1"));
    EXPECT_THAT(errorOf({.weight = {2, 2, 5, 5}}), HasSubstr("too small"));
    EXPECT_THAT(errorOf({.out = {1, 2, 2, 3}}),
                HasSubstr("expected a result of [1, 2, 2, 3], got [1, 2, 2, 2]"));
    EXPECT_THAT(errorOf({.transposed = true, .outputPadding = {1, 0}}), HasSubstr("output padding below"));
    EXPECT_THAT(errorOf({.stride = {huge, huge}, .transposed = true}), HasSubstr("too small or too large"));
}

/// With a huge stride that allows one step, or one element surrounded by padding, only few products remain.
TEST(Convolution, HandlesHugeStridesAndPadding) {
    constexpr std::int64_t huge = std::int64_t{1} << 62;
    EXPECT_EQ(errorOf({.stride = {huge, huge}, .out = {1, 2, 1, 1}}), "");
    EXPECT_EQ(errorOf({.input = {1, 2, 1, 1},
                       .weight = {2, 2, 1, 1},
                       .stride = {huge, huge},
                       .padding = {huge, huge},
                       .out = {1, 2, 3, 3}}),
              "");
    EXPECT_EQ(errorOf({.input = {1, 1, 1, 2},
                       .weight = {1, 1, 1, 1 << 16},
                       .padding = {0, 1 << 16},
                       .out = {1, 1, 1, (1 << 16) + 3}}),
              "");
}

TEST(Convolution, WithoutInputChannelsIsTheBias) {
    KernelCall call;
    call.emptyTensor<float>({1, 0, 4});
    call.emptyTensor<float>({2, 0, 3});
    call.tensor<float>({2}, {5, 6});
    call.ints({1});
    call.ints({0});
    call.ints({1});
    call.add(false);
    call.ints({0});
    call.add(std::int64_t{1});
    Tensor& out = call.resizableTensor<float>({1, 2, 4});
    ASSERT_TRUE(call.run("aten::convolution.out"));
    EXPECT_THAT(et::test::elements<float>(out), testing::ElementsAre(5, 5, 6, 6));
}

TEST(Convolution, KeepsNanInItsWindow) {
    for (const Order& order : {Order{}, Order{0, 2, 3, 1}}) {
        KernelCall call;
        Tensor& input = call.emptyTensor<float>({1, 2, 4, 4}, order);
        input.mutableData<float>()[0] = std::numeric_limits<float>::quiet_NaN();
        call.tensor<float>({2, 2, 3, 3}, std::vector<float>(36, 1));
        call.none();
        call.ints({1, 1});
        call.ints({1, 1});
        call.ints({1, 1});
        call.add(false);
        call.ints({0, 0});
        call.add(std::int64_t{1});
        Tensor& out = call.emptyTensor<float>({1, 2, 4, 4});
        ASSERT_TRUE(call.run("aten::convolution.out"));
        EXPECT_EQ(
            std::ranges::count_if(et::test::elements<float>(out), [](float x) { return std::isnan(x); }), 8);
        EXPECT_TRUE(std::isnan(out.data<float>()[5]));
        EXPECT_EQ(out.data<float>()[2], 0);
    }
}

}  // namespace
}  // namespace et::test
