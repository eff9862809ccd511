#include "runtime/kernels/cortex_m/fixed_point.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace et::kernels::cortex_m {
namespace {

std::int64_t wrapped32(std::int64_t value) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

}  // namespace

std::int64_t requantized(std::int64_t value, std::int64_t multiplier, std::int64_t shift) {
    constexpr std::int64_t fraction = 31;
    const std::int64_t places = fraction - shift;  // 0 … 62
    const std::int64_t product = wrapped32(value) * multiplier;
    return wrapped32(places == 0 ? product : ((product >> (places - 1)) + 1) >> 1);
}

core::Result<> checkRequantization(double multiplier, double shift) {
    if (!(std::abs(multiplier) <= std::numeric_limits<std::int32_t>::max()) || !(std::abs(shift) <= 31)) {
        return invalid(fmt::format("expected a 32-bit multiplier and a shift from -31 to 31, got {} and {}",
                                   multiplier, shift));
    }
    return {};
}

core::Result<> Requantization::check(std::int64_t channels) const {
    for (std::int64_t channel = 0; channel < channels; ++channel) {
        ET_TRY(checkRequantization(multipliers[channel], shifts[channel]));
    }
    return {};
}

double Requantization::operator()(double sum, std::int64_t channel) const {
    const std::int64_t moved =
        requantized(static_cast<std::int64_t>(sum), static_cast<std::int64_t>(multipliers[channel]),
                    static_cast<std::int64_t>(shifts[channel]));
    return quantized::clampedTo(range, static_cast<double>(moved) + static_cast<double>(offset));
}

core::Result<> expectInt8(std::initializer_list<const Tensor*> tensors) {
    for (const Tensor* tensor : tensors) {
        if (tensor->dtype() != ScalarType::Char) {
            return invalid("expected tensors of int8, got " + core::describe(*tensor));
        }
    }
    return {};
}

core::Result<quantized::QuantizeRange> activationRange(std::int64_t low, std::int64_t high) {
    constexpr std::int64_t min = -128;
    constexpr std::int64_t max = 127;
    if (low > high || low < min || high > max) {
        return invalid(fmt::format("expected bounds within {} and {}, got {} and {}", min, max, low, high));
    }
    return quantized::QuantizeRange{low, high};
}

}  // namespace et::kernels::cortex_m
