#pragma once

#include <cstddef>
#include <cstdint>

// Arithmetic of quantized bytes without intermediate floats in memory, bit-exact with XNNPACK on x86. Bytes
// are unsigned, or signed with the highest bit flipped: then 128 is added to all zero points and bounds.
namespace et::kernels::quantized {

/// Output stage: adds the output's zero point and clamps.
struct ByteOutput {
    std::int32_t zeroPoint;
    std::uint8_t low;
    std::uint8_t high;
};

/// round((left - leftZero) * (right - rightZero) * scale), the last product in fp32, ties to even.
struct ByteProduct {
    std::int32_t leftZero;
    std::int32_t rightZero;
    float scale;  ///< below maxByteScale
    ByteOutput output;
};

/// Maximum scale for which products are rounded exactly.
inline constexpr float maxByteScale = 64;

/// (left * leftMultiplier + right * rightMultiplier + bias) >> shift. The sum must fit in 32 bits.
struct ByteSum {
    std::int32_t leftMultiplier;  ///< from -2^22 to 2^22
    std::int32_t rightMultiplier;
    std::int32_t bias;  ///< includes the zero points times their multipliers; modulo 2^32
    std::int32_t shift;
    ByteOutput output;
};

/// True if this CPU processes more than 16 bytes at once and XNNPACK uses the same arithmetic: x86 with AVX2
/// or later.
[[nodiscard]] bool hasFastByteArithmetic();

/// `flip` is 0x80 for signed bytes, otherwise 0. `to` must not overlap the inputs.
void multiplyBytes(const ByteProduct& product, std::uint8_t flip, const std::uint8_t* left,
                   const std::uint8_t* right, std::size_t count, std::uint8_t* to);
void addBytes(const ByteSum& sum, std::uint8_t flip, const std::uint8_t* left, const std::uint8_t* right,
              std::size_t count, std::uint8_t* to);

/// True if this CPU can look up bytes in registers (AVX-512 VBMI).
[[nodiscard]] bool hasFastByteTable();
/// to[i] = table[from[i]], for a table of 256 bytes.
void lookUpBytes(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to);

}  // namespace et::kernels::quantized
