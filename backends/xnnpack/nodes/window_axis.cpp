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
    // The further right a window is, the further right is what takes the place of its padding. So of those
    // that reach out, the last ones tell: of the first pixels, of all padding before the image, and of all
    // windows.
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
    // A window that is among the first and among the last ones is found only where it is the very last.
    const std::size_t shared = std::min(first, count) - std::min(std::min(first, count), count - last);
    return shared == 0 || (shared == 1 && first >= count);
}

}  // namespace et::backends::xnnpack
