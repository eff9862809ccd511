#pragma once

#include <cstddef>
#include <cstdint>

// Arithmetic of quantized bytes without floats in memory, to the bit what XNNPACK computes on x86. Bytes are
// unsigned, or signed ones of which the highest bit was turned over: then 128 is added to all zero points
// and bounds.
namespace et::kernels::quantized {

/// What becomes of a result: it is added to the output's zero point and held within bounds.
struct ByteOutput {
    std::int32_t zeroPoint;
    std::uint8_t low;
    std::uint8_t high;
};

/// round((left - leftZero) * (right - rightZero) * scale), the last product in fp32, halves to the even one.
struct ByteProduct {
    std::int32_t leftZero;
    std::int32_t rightZero;
    float scale;  ///< below maxByteScale
    ByteOutput output;
};

/// Above it, products would not be rounded exactly.
inline constexpr float maxByteScale = 64;

/// (left * leftMultiplier + right * rightMultiplier + bias) >> shift. The sum fits 32 bits.
struct ByteSum {
    std::int32_t leftMultiplier;  ///< from -2^22 to 2^22
    std::int32_t rightMultiplier;
    std::int32_t bias;  ///< with the zero points times their multipliers; of it, 32 bits count
    std::int32_t shift;
    ByteOutput output;
};

/// Whether this processor computes more than 16 bytes at once, and XNNPACK as we do: x86 with AVX2 or more.
[[nodiscard]] bool hasFastByteArithmetic();

/// `flip` is 0x80 for signed bytes, or 0. `to` may not overlap the others.
void multiplyBytes(const ByteProduct& product, std::uint8_t flip, const std::uint8_t* left,
                   const std::uint8_t* right, std::size_t count, std::uint8_t* to);
void addBytes(const ByteSum& sum, std::uint8_t flip, const std::uint8_t* left, const std::uint8_t* right,
              std::size_t count, std::uint8_t* to);

/// Whether this processor looks bytes up in registers (AVX-512 VBMI).
[[nodiscard]] bool hasFastByteTable();
/// table[from[i]] of a table of 256 bytes.
void lookUpBytes(const std::uint8_t* table, const std::uint8_t* from, std::size_t count, std::uint8_t* to);

}  // namespace et::kernels::quantized
