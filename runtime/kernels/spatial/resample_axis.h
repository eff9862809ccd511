#pragma once

#include "runtime/core/scalar.h"
#include "runtime/kernels/boxing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

// Mapping from outputs of torch.nn.functional.interpolate to inputs, per dimension.
namespace et::kernels::spatial {

/// Target height and width of a resized image.
struct ResizeTarget {
    std::array<std::int64_t, 2> output{};  ///< 1 to 2^31 - 1
    std::array<std::optional<double>, 2>
        factors{};  ///< output / input as given by the caller, before rounding
};

/// For operators that accept either sizes or factors. Errors: InvalidArgument (`input` is not a nonempty
/// image [batch, channels, height, width], both or neither given, sizes out of range).
[[nodiscard]] core::Result<ResizeTarget> resizeTarget(const Tensor& input, std::optional<IntList> outputSize,
                                                      std::optional<DoubleList> factors);
/// For operators that accept sizes and optional factors.
[[nodiscard]] core::Result<ResizeTarget> resizeTarget(const Tensor& input, IntList outputSize,
                                                      std::optional<double> heightFactor,
                                                      std::optional<double> widthFactor);

/// Returns the width of an output in inputs. F: the type that the operator computes in.
template <class F>
F inputsPerOutput(std::int64_t input, std::int64_t output, std::optional<double> factor) {
    return factor && *factor > 0 ? static_cast<F>(1.0 / *factor)
                                 : static_cast<F>(input) / static_cast<F>(output);
}

/// The same with optional corner alignment, where the centres of the corner pixels coincide.
template <class F>
F inputsPerOutput(std::int64_t input, std::int64_t output, bool alignCorners, std::optional<double> factor) {
    if (!alignCorners) {
        return inputsPerOutput<F>(input, output, factor);
    }
    return output > 1 ? static_cast<F>(input - 1) / static_cast<F>(output - 1) : F{0};
}

/// Returns the input that an output copies: the one at its lower edge, or (`exact`) at its centre.
inline std::int64_t nearestInput(std::int64_t at, float scale, std::int64_t input, bool exact) {
    const float place = (static_cast<float>(at) + (exact ? 0.5F : 0.0F)) * scale;
    return std::clamp<std::int64_t>(core::toInt64(std::floor(place)), 0, input - 1);
}

/// The two inputs surrounding an output.
template <class F>
struct LinearTap {
    std::int64_t low;
    std::int64_t high;
    F lowWeight;
    F highWeight;
};

template <class F>
LinearTap<F> linearTap(std::int64_t at, F scale, std::int64_t input, std::int64_t output, bool alignCorners) {
    if (input == output) {
        return {.low = at, .high = at, .lowWeight = 1, .highWeight = 0};
    }
    F place = alignCorners ? scale * static_cast<F>(at)
                           : scale * (static_cast<F>(at) + static_cast<F>(0.5)) - static_cast<F>(0.5);
    const auto last = static_cast<F>(input - 1);
    place = place > 0 ? std::min(place, last) : F{0};
    const std::int64_t low = std::min(core::toInt64(static_cast<double>(place)), input - 1);
    const F highWeight = std::clamp<F>(place - static_cast<F>(low), 0, 1);
    return {.low = low,
            .high = std::min(low + 1, input - 1),
            .lowWeight = 1 - highWeight,
            .highWeight = highWeight};
}

}  // namespace et::kernels::spatial
