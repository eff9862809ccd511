#pragma once

#include "runtime/kernels/quantized/integer_operators.h"

#include <cstdint>

// CMSIS-NN's requantization of sums to 8 bits.
namespace et::kernels::cortex_m {

/// value * multiplier / 2^31 * 2^shift in 32 bits, rounded half up: arm_nn_requantize() of CMSIS-NN with
/// CMSIS_NN_USE_SINGLE_ROUNDING, which is closest to the exporter's own arithmetic. `shift` is -31 … 31.
/// Wraps around on 32-bit overflow.
[[nodiscard]] std::int64_t requantized(std::int64_t value, std::int64_t multiplier, std::int64_t shift);

/// Errors: InvalidArgument (multiplier exceeds 32 bits, shift exceeds 31).
[[nodiscard]] core::Result<> checkRequantization(double multiplier, double shift);

/// Requantization factors from sums to results.
struct Requantization {
    quantized::PerChannel multipliers{};
    quantized::PerChannel shifts{};
    std::int64_t offset = 0;
    quantized::QuantizeRange range{-128, 127};

    /// Errors: InvalidArgument.
    [[nodiscard]] core::Result<> check(std::int64_t channels) const;
    [[nodiscard]] double operator()(double sum, std::int64_t channel) const;
};

/// Errors: InvalidArgument (not int8).
[[nodiscard]] core::Result<> expectInt8(std::initializer_list<const Tensor*> tensors);

/// Bounds of an activation within int8. Errors: InvalidArgument.
[[nodiscard]] core::Result<quantized::QuantizeRange> activationRange(std::int64_t low, std::int64_t high);

}  // namespace et::kernels::cortex_m
