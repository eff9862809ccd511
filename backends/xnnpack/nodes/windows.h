#pragma once

#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace et::backends::xnnpack {

/// Larger windows, strides or paddings are rejected; products of a few of them stay below 2^63.
inline constexpr std::uint32_t largestStep = 1U << 20U;

/// Geometry of a sliding window along one axis of an image.
struct WindowAxis {
    std::size_t size = 0;
    std::uint32_t before = 0, after = 0;  ///< padding
    std::uint32_t window = 0, stride = 0, dilation = 0;

    /// Whether all numbers are in a valid range. The other functions require this.
    [[nodiscard]] bool isSane() const;
    /// Number of pixels from the first to the last of a window.
    [[nodiscard]] std::size_t span() const { return std::size_t{window - 1} * dilation + 1; }
    [[nodiscard]] std::size_t padded() const { return size + before + after; }
    /// Number of windows within the padded image; 0 if a window is larger.
    [[nodiscard]] std::size_t windows() const {
        return span() > padded() ? 0 : (padded() - span()) / stride + 1;
    }

    /// Whether the library's dilated max pooling stays inside the image: it replaces a padding element of a
    /// window by another element of that window, as if the padding were less than the dilation.
    [[nodiscard]] bool isMaximumInside() const;

    /// Whether the library's average pooling computes its rows correctly: it makes pixel lists only for
    /// windows that reach into the padding on either side, and shares one list among the windows between.
    [[nodiscard]] bool isAverageRight() const;
};

/// Window geometry along height and width of an image of these sizes.
[[nodiscard]] std::array<WindowAxis, 2> windowAxes(const ValueSizes& image, const ImagePadding& padding,
                                                   const HeightWidth& window, const HeightWidth& stride,
                                                   const HeightWidth& dilation);

/// Output sizes of sliding the window over input 0, which is an image. Errors: InvalidArgument.
[[nodiscard]] core::Result<ValueSizes> slide(ShapeStep& step, const std::array<WindowAxis, 2>& axes,
                                             std::size_t channels);

/// Counts the pointers that the library stores: one for every element of every window of `out`.
void countPointers(ShapeStep& step, const ValueSizes& out, const std::array<WindowAxis, 2>& axes);

}  // namespace et::backends::xnnpack
