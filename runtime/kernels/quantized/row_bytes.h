#pragma once

#include <cstddef>
#include <cstdint>

// Quantization of float rows to the bytes that BlockProduct multiplies.
namespace et::kernels::quantized {

/// Minimum and maximum of some numbers and zero.
struct NumberRange {
    float min = 0;
    float max = 0;
};

/// Returns the range of `count` numbers, a multiple of 32. NaN is ignored.
[[nodiscard]] NumberRange rangeOfRow(const float* row, std::size_t count);

/// Quantizes `count` numbers, a multiple of 32, as round(x * inverseScale) + zeroPoint + 128 clamped to 0 …
/// 255. In each group of eight, elements with even indices come first.
void quantizeRow(const float* row, std::size_t count, float inverseScale, float zeroPoint, std::uint8_t* to);

}  // namespace et::kernels::quantized
