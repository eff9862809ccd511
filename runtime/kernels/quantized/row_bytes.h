#pragma once

#include <cstddef>
#include <cstdint>

// Rows of floats as the bytes that BlockProduct multiplies.
namespace et::kernels::quantized {

/// The extremes of some numbers and zero.
struct NumberRange {
    float min = 0;
    float max = 0;
};

/// Those of `count` numbers, a multiple of 32. NaN does not count.
[[nodiscard]] NumberRange rangeOfRow(const float* row, std::size_t count);

/// `count` numbers, a multiple of 32, as round(x * inverseScale) + zeroPoint + 128 within 0 and 255. Of each
/// eight, those with even indices come first.
void quantizeRow(const float* row, std::size_t count, float inverseScale, float zeroPoint, std::uint8_t* to);

}  // namespace et::kernels::quantized
