#include "backends/xnnpack/nodes/window_axis.h"

#include <algorithm>
#include <array>

namespace et::backends::xnnpack {

bool WindowAxis::isSane() const {
    const std::array steps{window, stride, dilation};
    return std::ranges::all_of(steps, [](std::uint32_t step) { return step >= 1 && step <= largestStep; }) &&
           before <= largestStep && after <= largestStep;
}

bool WindowAxis::isMaximumInside() const {
    const std::size_t padding = before % dilation;
    const auto isInside = [&](std::size_t window) {
        const std::size_t start = window * stride;
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

}  // namespace et::backends::xnnpack
