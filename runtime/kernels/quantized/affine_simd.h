#pragma once

#include <cstddef>
#include <cstdint>

// The inner loops of quantization, chosen by what the CPU has.
namespace et::kernels::quantized {

/// How a float becomes an integer: round(x * inverseScale) + zeroPoint within low and high, halves to the
/// even one, NaN to 0. `low` and `high` are within the integer's type.
struct QuantizeStep {
    float inverseScale;
    float zeroPoint;
    float low;
    float high;
    bool roundLast = false;  ///< round(x * inverseScale + zeroPoint) instead
};

/// T: int8, uint8, int16 or int32.
template <class T>
void quantize(const float* from, std::size_t count, const QuantizeStep& step, T* to);

/// (x - zeroPoint) * scale.
template <class T>
void dequantize(const T* from, std::size_t count, float scale, float zeroPoint, float* to);

}  // namespace et::kernels::quantized
