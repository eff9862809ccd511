// Tests which windows of pooling and transposed convolutions XNNPACK handles correctly.
#include "backends/xnnpack/nodes/node_table.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/nodes/windows.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>

namespace et::backends::xnnpack {
namespace {

/// Definition of isMaximumInside(), window by window.
bool isEachInside(const WindowAxis& axis) {
    const std::size_t padding = axis.before % axis.dilation;
    for (std::size_t i = 0, count = axis.windows(); i < count; ++i) {
        const std::size_t start = i * axis.stride;
        const bool reachesOut = start < axis.before || start + axis.span() > axis.before + axis.size;
        const std::size_t substitute = (start < padding ? start + axis.dilation : start) - padding;
        if (reachesOut && substitute >= axis.size) {
            return false;
        }
    }
    return true;
}

TEST(WindowAxisTest, LastWindowsRepresentAll) {
    std::mt19937 random(1);
    const auto number = [&](std::uint32_t from, std::uint32_t to) {
        return std::uniform_int_distribution(from, to)(random);
    };
    int inside = 0;
    int outside = 0;
    for (int i = 0; i < 20'000; ++i) {
        const WindowAxis axis{number(1, 9), number(0, 9), number(0, 9),
                              number(1, 5), number(1, 5), number(1, 5)};
        if (axis.span() > axis.padded()) {
            continue;
        }
        const bool expected = isEachInside(axis);
        ++(expected ? inside : outside);
        EXPECT_EQ(axis.isMaximumInside(), expected)
            << axis.size << " pixels, padding " << axis.before << ", " << axis.after << ", window "
            << axis.window << ", stride " << axis.stride << ", dilation " << axis.dilation;
    }
    EXPECT_GT(inside, 1000);
    EXPECT_GT(outside, 1000);
}

TEST(WindowAxisTest, CountsManyWindowsInConstantTime) {
    const WindowAxis axis{std::size_t{1} << 50U, 1, 1, 3, 1, 1};
    EXPECT_TRUE(axis.isMaximumInside());
}

/// An input of one pixel with a padding of one, so that one pixel is left.
core::Result<> followOnePixelUp(std::uint32_t kernel, std::uint32_t stride) {
    Payload payload;
    payload.constants.resize(2);
    payload.values.resize(3);
    payload.values[0].sizes = {1, 1, 1, 2};
    payload.values[1].sizes = {3, kernel, kernel, 2};
    payload.values[1].constant = 1;
    payload.values[2].sizes = {1, 1, 1, 3};
    payload.nodes.push_back({.traits = nodeKind(static_cast<std::uint8_t>(NodeKind::TransposedConvolution)),
                             .inputs = {0, 1, noValue},
                             .outputs = {2},
                             .fields = ConvolutionFields{.padding = {1, 1, 1, 1},
                                                         .kernel = {kernel, kernel},
                                                         .stride = {stride, stride},
                                                         .dilation = {1, 1},
                                                         .adjustment = {},
                                                         .groups = 1,
                                                         .groupInputChannels = 2,
                                                         .groupOutputChannels = 3}});
    Shapes shapes = exportedShapes(payload);
    return followShapes(payload, shapes, std::uint64_t{1} << 20U);
}

TEST(TransposedConvolutionTest, AStrideDoesNotReachBehindTheOutput) {
    EXPECT_TRUE(followOnePixelUp(3, 1));
    EXPECT_TRUE(followOnePixelUp(3, 2));
    const auto refused = followOnePixelUp(3, 3);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().message, "expected an output of at least 2 pixels for a stride of 3, got 1");
}

}  // namespace
}  // namespace et::backends::xnnpack
