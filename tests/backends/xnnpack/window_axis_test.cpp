// Which windows of pooling the library gets right.
#include "backends/xnnpack/nodes/window_axis.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>

namespace et::backends::xnnpack {
namespace {

/// As isMaximumInside() is meant, window by window.
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

TEST(WindowAxisTest, TheLastWindowsTellOfAll) {
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

TEST(WindowAxisTest, ManyWindowsAreNoWork) {
    const WindowAxis axis{std::size_t{1} << 50U, 1, 1, 3, 1, 1};
    EXPECT_TRUE(axis.isMaximumInside());
}

}  // namespace
}  // namespace et::backends::xnnpack
