#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

// Floating-point formats of at most 8 bits, which quantized weights and their scales use. Definitions: OCP
// 8-bit Floating Point Specification and OCP Microscaling Formats.
namespace et::core {

/// A sign, then exponent and mantissa, 8 bits in all. The largest exponent is an infinity or NaN if
/// `hasInfinity`; otherwise only the largest number is NaN.
constexpr float float8(unsigned byte, unsigned mantissaBits, bool hasInfinity) {
    const unsigned exponentBits = 7 - mantissaBits;
    const unsigned exponent = byte >> mantissaBits & ((1U << exponentBits) - 1);
    const unsigned mantissa = byte & ((1U << mantissaBits) - 1);
    const unsigned bias = (1U << (exponentBits - 1)) - 1;
    const float sign = (byte & 0x80U) != 0 ? -1.0F : 1.0F;
    const bool isSpecial = hasInfinity ? exponent == (1U << exponentBits) - 1 : (byte & 0x7FU) == 0x7FU;
    if (isSpecial) {
        return mantissa == 0 ? sign * std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    }
    if (exponent == 0) {
        // A multiple of the smallest number, 2^(1 - bias - mantissaBits).
        return sign * static_cast<float>(mantissa) *
               std::bit_cast<float>((127U + 1U - bias - mantissaBits) << 23U);
    }
    return sign * std::bit_cast<float>((exponent + 127U - bias) << 23U | mantissa << (23U - mantissaBits));
}

/// The numbers of all bytes of a format; see float8().
constexpr std::array<float, 256> float8Table(unsigned mantissaBits, bool hasInfinity) {
    std::array<float, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        table[byte] = float8(byte, mantissaBits, hasInfinity);
    }
    return table;
}

inline constexpr std::array<float, 256> e4m3 = float8Table(3, false);
inline constexpr std::array<float, 256> e5m2 = float8Table(2, true);
/// 4 bits: 2 of exponent and 1 of mantissa.
inline constexpr std::array<float, 16> e2m1 = {0,     0.5F,  1,  1.5F,  2,  3,  4,  6,
                                               -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6};

}  // namespace et::core
