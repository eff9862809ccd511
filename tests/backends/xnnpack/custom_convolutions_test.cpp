// Compares custom fp32 convolutions, used because they are faster, with XNNPACK's.

#include "backends/xnnpack/custom_kernels/custom_float_convolution.h"
#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/custom_kernels/custom_up_convolution.h"
#include "runtime/kernels/dense/narrow_convolution.h"
#include "tests/backends/xnnpack/one_convolution.h"

#include <gmock/gmock.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using test::bitsOf;
using test::OneConvolution;

/// A transposed convolution whose stride equals its kernel size.
OneConvolution upConvolution(OneConvolution::Form form) {
    form.stride = form.kernel;
    return {NodeKind::TransposedConvolution, form};
}

/// Most results are bit-exact; XNNPACK sums some in another order.
TEST(CustomUpConvolutionTest, MatchesXnnpack) {
    for (const OneConvolution::Form& form : {OneConvolution::Form{1, 8, 8, 32, 16, {2, 2}},
                                             {.batch = 2,
                                              .height = 5,
                                              .width = 7,
                                              .inputs = 3,
                                              .outputs = 5,
                                              .kernel = {2, 2},
                                              .hasBias = false},
                                             {1, 4, 33, 17, 9, {3, 2}},
                                             {.batch = 1,
                                              .height = 16,
                                              .width = 16,
                                              .inputs = 64,
                                              .outputs = 32,
                                              .kernel = {2, 2},
                                              .range = {-0.5F, 1}},
                                             {1, 1, 1, 1, 1, {2, 4}}}) {
        OneConvolution convolution = upConvolution(form);
        ASSERT_TRUE(isUpConvolution(convolution.payload, convolution.payload.nodes[0]));
        const auto [ours, theirs] = convolution.run();
        EXPECT_THAT(ours, testing::Pointwise(testing::FloatNear(1e-5F), theirs))
            << form.height << "x" << form.width;
    }
}

TEST(CustomUpConvolutionTest, IsUsedOnlyForNonOverlappingBlocks) {
    OneConvolution convolution = upConvolution({1, 8, 8, 32, 16, {2, 2}});
    PayloadNode& node = convolution.payload.nodes[0];
    auto& fields = std::get<ConvolutionFields>(node.fields);
    EXPECT_TRUE(isUpConvolution(convolution.payload, node));
    fields.kernel = {3, 3};
    EXPECT_FALSE(isUpConvolution(convolution.payload, node));
    fields.kernel = {2, 2};
    fields.padding.left = 1;
    EXPECT_FALSE(isUpConvolution(convolution.payload, node));
    fields.padding.left = 0;
    fields.adjustment.width = 1;
    EXPECT_FALSE(isUpConvolution(convolution.payload, node));
    fields.adjustment.width = 0;
    convolution.payload.values[1].constant = 0;
    EXPECT_FALSE(isUpConvolution(convolution.payload, node)) << "weights that are no constant";
}

/// Returns forms with at most `channels` outputs: all edges, strides, dilations, images narrower than a tile,
/// asymmetric padding, several images.
std::vector<OneConvolution::Form> narrowForms(std::uint32_t channels) {
    const std::uint32_t some = channels / 2 + 1;
    return {{1, 40, 40, 16, channels, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}},
            {1, 30, 29, 3, some, {3, 3}, {2, 2}, {1, 1}, {1, 1, 1, 1}},
            {2, 9, 11, 5, 1, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, false},
            {1, 7, 13, 8, channels, {1, 1}, {1, 1}, {1, 1}, {}, true, {-0.25F, 0.5F}},
            {3, 6, 5, 4, some, {5, 5}, {1, 1}, {1, 1}, {2, 2, 2, 2}},
            {1, 20, 33, 7, channels, {3, 5}, {1, 2}, {2, 3}, {2, 4, 1, 3}},
            {1, 12, 70, 2, some, {1, 9}, {1, 4}, {1, 1}, {0, 6, 0, 8}},
            {1, 1, 1, 9, channels, {1, 1}},
            {1, 3, 2, 4, some, {2, 2}, {1, 1}, {1, 1}, {0, 1, 1, 0}}};
}

class NarrowConvolutionTest : public testing::Test {
  protected:
    void SetUp() override {
        if (kernels::dense::narrowChannels() == 0) {
            GTEST_SKIP() << "the library is as fast on this processor";
        }
    }
    const std::uint32_t channels = static_cast<std::uint32_t>(kernels::dense::narrowChannels());
};

TEST_F(NarrowConvolutionTest, MatchesXnnpackBitForBit) {
    for (const OneConvolution::Form& form : narrowForms(channels)) {
        OneConvolution convolution(NodeKind::Convolution, form);
        for (const std::size_t threads : {1, 2, 3}) {
            const auto [ours, theirs] = convolution.run(threads);
            EXPECT_EQ(bitsOf(ours), bitsOf(theirs))
                << form.height << "x" << form.width << ", threads: " << threads;
        }
    }
}

TEST_F(NarrowConvolutionTest, PropagatesNan) {
    OneConvolution convolution(NodeKind::Convolution, {.batch = 1,
                                                       .height = 8,
                                                       .width = 30,
                                                       .inputs = 2,
                                                       .outputs = channels,
                                                       .kernel = {3, 3},
                                                       .range = {-1, 1}});
    convolution.input[200] = std::numeric_limits<float>::quiet_NaN();
    convolution.input[300] = std::numeric_limits<float>::infinity();
    const auto [ours, theirs] = convolution.run();
    const auto isNan = [](float number) { return std::isnan(number); };
    EXPECT_EQ(std::ranges::count_if(ours, isNan), 9 * channels);
    EXPECT_EQ(std::ranges::count_if(theirs, isNan), 9 * channels);
    EXPECT_THAT(ours, testing::Pointwise(testing::NanSensitiveFloatEq(), theirs));
}

TEST_F(NarrowConvolutionTest, FusesFollowingClamp) {
    const OneConvolution::Form form{1, 64, 64, 16, channels, {3, 3}};
    OneConvolution joined(NodeKind::Convolution, form);
    joined.addClamp({.min = -0.25F, .max = 0.5F});
    const auto [ours, names] = joined.runGraph();
    EXPECT_THAT(names, testing::ElementsAre("Convolution (NHWC, F32) IGEMM"));
    // If the convolution's own output is also used, both operators remain.
    OneConvolution apart(NodeKind::Convolution, form);
    apart.addClamp({.min = -0.25F, .max = 0.5F});
    apart.payload.values[3].isOutput = true;
    apart.payload.externals = {0, 3, 4};
    const auto [both, moreNames] = apart.runGraph();
    ASSERT_EQ(moreNames.size(), 2U);
    EXPECT_EQ(ours.front(), both.back());
    EXPECT_GT(std::ranges::max(both.front()), 0.5F);
    EXPECT_EQ(std::ranges::max(ours.front()), 0.5F);
}

TEST_F(NarrowConvolutionTest, IsUsedForFewChannelsAndEnoughWork) {
    const OneConvolution::Form form{1, 64, 64, 16, channels, {3, 3}};
    const auto isNarrow = [](const OneConvolution& convolution) {
        return isNarrowConvolution(convolution.payload, convolution.payload.nodes[0], convolution.shapes);
    };
    OneConvolution convolution(NodeKind::Convolution, form);
    EXPECT_TRUE(isNarrow(convolution));
    PayloadNode& node = convolution.payload.nodes[0];
    node.flags = XNN_FLAG_TENSORFLOW_SAME_PADDING;
    EXPECT_FALSE(isNarrow(convolution)) << "a flag that the library heeds";
    node.flags = 0;
    auto& fields = std::get<ConvolutionFields>(node.fields);
    fields.groups = 2;
    EXPECT_FALSE(isNarrow(convolution)) << "groups";
    fields.groups = 1;
    convolution.payload.values[0].datatype = Datatype::Fp16;
    EXPECT_FALSE(isNarrow(convolution)) << "another datatype";
    OneConvolution::Form more = form;
    ++more.outputs;
    EXPECT_FALSE(isNarrow(OneConvolution(NodeKind::Convolution, more))) << "more channels";
    OneConvolution::Form small = form;
    small.height = 8;
    small.width = 8;
    EXPECT_FALSE(isNarrow(OneConvolution(NodeKind::Convolution, small))) << "little to do";
    OneConvolution::Form tall = form;
    tall.kernel.height = kernels::dense::maxNarrowKernel + 1;
    EXPECT_FALSE(isNarrow(OneConvolution(NodeKind::Convolution, tall))) << "a tall kernel";
}

}  // namespace
}  // namespace et::backends::xnnpack
