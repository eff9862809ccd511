// Tests that custom fp32 depthwise convolutions, used because they are faster, are bit-exact with XNNPACK.

#include "backends/xnnpack/custom_kernels/custom_float_convolution.h"
#include "backends/xnnpack/custom_kernels/custom_image_convolution.h"
#include "runtime/kernels/dense/image_depthwise.h"
#include "tests/backends/xnnpack/one_convolution.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using test::bitsOf;
using test::OneConvolution;

class FloatDepthwiseTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!kernels::dense::ImageDepthwise::takes(makeImageConvolution(form(16).payload.nodes[0]))) {
            GTEST_SKIP() << "the library is as fast on this processor";
        }
    }
    static OneConvolution form(std::uint32_t channels, std::uint32_t kernel = 3, std::uint32_t stride = 1,
                               std::uint32_t size = 40) {
        return {NodeKind::DepthwiseConvolution,
                {.batch = 1,
                 .height = size,
                 .width = size,
                 .inputs = channels,
                 .outputs = channels,
                 .kernel = {kernel, kernel},
                 .stride = {stride, stride},
                 .padding = {kernel / 2, kernel / 2, kernel / 2, kernel / 2}}};
    }
    static bool isOurs(const OneConvolution& convolution) {
        return isFloatDepthwise(convolution.payload, convolution.payload.nodes[0], convolution.shapes);
    }
};

/// Tests full and partial vectors, all edges, images narrower than a kernel, and several images.
TEST_F(FloatDepthwiseTest, MatchesXnnpackBitForBit) {
    for (const std::uint32_t channels : {1U, 7U, 16U, 24U, 32U, 45U, 96U}) {
        for (const auto& [kernel, stride] :
             {std::pair(3U, 1U), std::pair(3U, 2U), std::pair(5U, 1U), std::pair(5U, 2U)}) {
            const std::uint32_t half = kernel / 2;
            for (const OneConvolution::Form& each :
                 {OneConvolution::Form{1,
                                       13,
                                       14,
                                       channels,
                                       channels,
                                       {kernel, kernel},
                                       {stride, stride},
                                       {1, 1},
                                       {half, half, half, half}},
                  {2,
                   6,
                   7,
                   channels,
                   channels,
                   {kernel, kernel},
                   {stride, stride},
                   {1, 1},
                   {half, 0, 1, half + 1},
                   false},
                  {1,
                   3,
                   2,
                   channels,
                   channels,
                   {kernel, kernel},
                   {stride, stride},
                   {1, 1},
                   {half, half, half, half},
                   true,
                   {-0.25F, 0.5F}},
                  {1, 9, 21, channels, channels, {kernel, kernel}, {stride, stride}}}) {
                OneConvolution convolution(NodeKind::DepthwiseConvolution, each);
                for (const std::size_t threads : {1, 3}) {
                    const auto [ours, theirs] = convolution.run(threads);
                    EXPECT_EQ(bitsOf(ours), bitsOf(theirs))
                        << channels << " channels, kernel " << kernel << ", stride " << stride << ", "
                        << each.height << "x" << each.width;
                }
            }
        }
    }
}

TEST_F(FloatDepthwiseTest, PropagatesNan) {
    OneConvolution convolution = form(20, 3, 1, 12);
    convolution.input[200] = std::numeric_limits<float>::quiet_NaN();
    convolution.input[900] = std::numeric_limits<float>::infinity();
    const auto [ours, theirs] = convolution.run();
    EXPECT_THAT(ours, testing::Pointwise(testing::NanSensitiveFloatEq(), theirs));
    EXPECT_TRUE(std::ranges::any_of(ours, [](float number) { return std::isnan(number); }));
}

TEST_F(FloatDepthwiseTest, IsUsedForSupportedKernelsWithEnoughWork) {
    EXPECT_TRUE(isOurs(form(32, 5)));
    EXPECT_TRUE(isOurs(form(32, 5, 2)));
    EXPECT_TRUE(isOurs(form(32)));
    EXPECT_TRUE(isOurs(form(32, 3, 2)));
    EXPECT_FALSE(isOurs(form(32, 7))) << "another kernel";
    EXPECT_FALSE(isOurs(form(32, 5, 3))) << "another step";
    EXPECT_FALSE(isOurs(form(32, 5, 1, 4))) << "little to do";
    OneConvolution convolution = form(32, 5);
    convolution.payload.nodes[0].flags = XNN_FLAG_TENSORFLOW_SAME_PADDING;
    EXPECT_FALSE(isOurs(convolution)) << "a flag that the library heeds";
    convolution.payload.nodes[0].flags = 0;
    std::get<ConvolutionFields>(convolution.payload.nodes[0].fields).dilation = {2, 2};
    EXPECT_FALSE(isOurs(convolution)) << "dilation";
}

}  // namespace
}  // namespace et::backends::xnnpack
