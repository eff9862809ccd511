#pragma once

#include <cstddef>
#include <cstdint>

namespace et::backends::xnnpack {

/// Larger windows, strides or paddings are a mistake, and products of a few of them stay below 2^63.
inline constexpr std::uint32_t largestStep = 1U << 20U;

/// What an image has on one of its axes and what a window makes of it.
struct WindowAxis {
    std::size_t size = 0;
    std::uint32_t before = 0, after = 0;  ///< padding
    std::uint32_t window = 0, stride = 0, dilation = 0;

    /// Whether all numbers are of a possible magnitude. The rest holds only where they are.
    [[nodiscard]] bool isSane() const;
    /// Pixels from the first to the last of a window.
    [[nodiscard]] std::size_t span() const { return std::size_t{window - 1} * dilation + 1; }
    [[nodiscard]] std::size_t padded() const { return size + before + after; }
    /// Windows that lie within the padded image: none where a window is larger.
    [[nodiscard]] std::size_t windows() const {
        return span() > padded() ? 0 : (padded() - span()) / stride + 1;
    }

    /// Whether the library's dilated maximum pooling stays inside of the image: for an element of a window
    /// that is padding it takes another one of that window, as if the padding were less than the dilation.
    [[nodiscard]] bool isMaximumInside() const;

    /// Whether the library's average pooling gets its rows right: it makes lists of pixels only for the
    /// windows that reach into the padding, on each side, and shares one list among those between.
    [[nodiscard]] bool isAverageRight() const;
};

}  // namespace et::backends::xnnpack
