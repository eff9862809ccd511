#include "inspector/roofline/window_taps.h"

#include <algorithm>

namespace et::inspector::roofline::detail {
namespace {

constexpr std::int64_t mostElements = std::int64_t{1} << 40;
constexpr std::int64_t mostKernel = 1 << 16;
constexpr std::int64_t mostSteps = 1 << 20;

bool makesSense(const WindowAxis& axis) {
    const auto within = [](std::int64_t number, std::int64_t least, std::int64_t most) {
        return number >= least && number <= most;
    };
    return within(axis.input, 0, mostElements) && within(axis.output, 0, mostElements) &&
           within(axis.kernel, 1, mostKernel) && within(axis.stride, 1, mostSteps) &&
           within(axis.dilation, 1, mostSteps) && within(axis.padding, 0, mostElements);
}

std::int64_t floorDivide(std::int64_t number, std::int64_t by) {
    const std::int64_t quotient = number / by;
    return number % by < 0 ? quotient - 1 : quotient;
}

}  // namespace

std::optional<double> tapsInside(const WindowAxis& axis) {
    if (!makesSense(axis)) {
        return std::nullopt;
    }
    double taps = 0;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
        // Position o covers element o * stride + offset.
        const std::int64_t offset = k * axis.dilation - axis.padding;
        const std::int64_t first =
            std::max<std::int64_t>(0, floorDivide(axis.stride - 1 - offset, axis.stride));
        const std::int64_t last =
            std::min(axis.output - 1, floorDivide(axis.input - 1 - offset, axis.stride));
        taps += static_cast<double>(std::max<std::int64_t>(0, last - first + 1));
    }
    return taps;
}

}  // namespace et::inspector::roofline::detail
