#pragma once

#include <cstdint>

// Scales and zero points from ranges, computed like torchao's observers: in float32. Definitions:
// torchao/quantization/pt2e/observer.py.
namespace et::backends::xnnpack {

/// Minimum and maximum of a tensor, or of a quantized range.
struct ValueRange {
    float low = 0;
    float high = 0;
    bool operator==(const ValueRange&) const = default;
};

/// Range of quantized integers.
struct IntegerRange {
    std::int32_t low = -128;
    std::int32_t high = 127;
    bool operator==(const IntegerRange&) const = default;
};
/// The signed integers of this many bits, 2 to 16.
[[nodiscard]] constexpr IntegerRange integersOf(int bits) {
    const std::int32_t half = std::int32_t{1} << (bits - 1);
    return {-half, half - 1};
}
inline constexpr IntegerRange activationIntegers{-128, 127};
inline constexpr IntegerRange weightIntegers{-127, 127};

/// number = scale * (integer - zeroPoint)
struct QuantizationNumbers {
    float scale = 1;
    std::int32_t zeroPoint = 0;
    IntegerRange integers{};  ///< for activations: more than eight bits only for estimates
    bool operator==(const QuantizationNumbers&) const = default;
};

/// Minimum scale.
inline constexpr float smallestScale = 0x1p-12F;

/// Uses all integers; 0 is represented exactly.
[[nodiscard]] QuantizationNumbers affineNumbers(ValueRange range, IntegerRange integers);
/// The zero point is 0; the integers cover the end of the range that is further from 0.
[[nodiscard]] QuantizationNumbers symmetricNumbers(ValueRange range, IntegerRange integers);

/// The numbers that the first and last integer represent.
[[nodiscard]] ValueRange rangeOf(QuantizationNumbers numbers, IntegerRange integers);

/// Quantizes a number, rounding half to even. NaN becomes the zero point.
[[nodiscard]] std::int32_t quantized(float number, QuantizationNumbers numbers, IntegerRange integers);

}  // namespace et::backends::xnnpack
