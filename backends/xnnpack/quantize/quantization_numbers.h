#pragma once

#include <cstdint>

// Ranges as scales and zero points, as torchao's observers compute them: in float32.
// Definitions: torchao/quantization/pt2e/observer.py.
namespace et::backends::xnnpack {

/// The smallest and the largest number that a tensor holds, or that quantizing keeps.
struct ValueRange {
    float low = 0;
    float high = 0;
    bool operator==(const ValueRange&) const = default;
};

/// The integers that stand for numbers.
struct IntegerRange {
    std::int32_t low = -128;
    std::int32_t high = 127;
    bool operator==(const IntegerRange&) const = default;
};
/// The integers of so many bits, 2 to 16.
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
    IntegerRange integers{};  ///< of activations: more than eight bits only as an estimate
    bool operator==(const QuantizationNumbers&) const = default;
};

/// No scale is smaller.
inline constexpr float smallestScale = 0x1p-12F;

/// All integers are used, and 0 is one of the numbers.
[[nodiscard]] QuantizationNumbers affineNumbers(ValueRange range, IntegerRange integers);
/// The zero point is 0; the integers reach as far as the end of the range that is further from 0.
[[nodiscard]] QuantizationNumbers symmetricNumbers(ValueRange range, IntegerRange integers);

/// The numbers that the first and the last integer stand for.
[[nodiscard]] ValueRange rangeOf(QuantizationNumbers numbers, IntegerRange integers);

/// The integer that is nearest to a number, of two the even one. NaN is the zero point.
[[nodiscard]] std::int32_t quantized(float number, QuantizationNumbers numbers, IntegerRange integers);

}  // namespace et::backends::xnnpack
