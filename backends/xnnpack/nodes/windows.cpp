#include "backends/xnnpack/nodes/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace et::backends::xnnpack {

using core::Result;

std::array<WindowAxis, 2> windowAxes(const ValueSizes& image, const ImagePadding& padding,
                                     const HeightWidth& window, const HeightWidth& stride,
                                     const HeightWidth& dilation) {
    return {
        WindowAxis{image[Height], padding.top, padding.bottom, window.height, stride.height, dilation.height},
        WindowAxis{image[Width], padding.left, padding.right, window.width, stride.width, dilation.width}};
}

Result<ValueSizes> slide(ShapeStep& step, const std::array<WindowAxis, 2>& axes, std::size_t channels) {
    ValueSizes out = step.input(0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const WindowAxis& axis = axes[i];
        if (!axis.isSane() || axis.span() > axis.padded()) {
            return step.fail(fmt::format(
                "expected a window within the {} padded pixels, got {} with dilation {} and stride {}",
                axis.padded(), axis.window, axis.dilation, axis.stride));
        }
        out[Height + i] = axis.windows();
    }
    out[Channels] = channels;
    countPointers(step, out, axes);
    return out;
}

void countPointers(ShapeStep& step, const ValueSizes& out, const std::array<WindowAxis, 2>& axes) {
    std::uint64_t& bytes = step.bookkeeping;
    bytes = std::uint64_t{std::min(out[Height], maxElements) * sizeof(void*)} *
            std::min<std::uint64_t>(out[Width], largestStep);
    if (__builtin_mul_overflow(bytes, std::uint64_t{axes[0].window} * axes[1].window, &bytes)) {
        bytes = std::numeric_limits<std::uint64_t>::max();
    }
}

}  // namespace et::backends::xnnpack
