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
    for (std::size_t i = 0, count = windows(); i < count; ++i) {
        const std::size_t start = i * stride;
        const bool reachesOut = start < before || start + span() > before + size;
        const std::size_t substitute = (start < padding ? start + dilation : start) - padding;
        if (reachesOut && substitute >= size) {
            return false;
        }
    }
    return true;
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
