#include "backends/xnnpack/nodes/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace et::backends::xnnpack {

using core::Result;

bool WindowAxis::isSane() const {
    const std::array steps{window, stride, dilation};
    return std::ranges::all_of(steps, [](std::uint32_t step) { return step >= 1 && step <= largestStep; }) &&
           before <= largestStep && after <= largestStep;
}

bool WindowAxis::isMaximumInside() const {
    const std::size_t padding = before % dilation;
    const auto isInside = [&](std::size_t index) {
        const std::size_t start = index * stride;
        const bool reachesOut = start < before || start + span() > before + size;
        const std::size_t substitute = (start < padding ? start + dilation : start) - padding;
        return !reachesOut || substitute < size;
    };
    // The further right a window is, the further right is the pixel that replaces its padding. So it is
    // enough to check the last window of each group: those with the first pixels, those starting in the
    // padding before the image, and all windows.
    const std::size_t count = windows();
    const auto startingBefore = [&](std::size_t pixel) {
        return std::min(count, (pixel + stride - 1) / stride);
    };
    return std::ranges::all_of(std::array{startingBefore(padding), startingBefore(before), count},
                               [&](std::size_t end) { return end == 0 || isInside(end - 1); });
}

bool WindowAxis::isAverageRight() const {
    const std::size_t count = windows();
    const std::size_t first = (std::size_t{before} + stride - 1) / stride;
    const std::size_t last = (std::size_t{after} + stride - 1) / stride;
    if (last > count) {
        return false;
    }
    // A window that is among both the first and the last ones is only found if it is the very last.
    const std::size_t shared = std::min(first, count) - std::min(std::min(first, count), count - last);
    return shared == 0 || (shared == 1 && first >= count);
}

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
