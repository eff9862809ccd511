#pragma once

#include <cstddef>
#include <cstdint>

// Inner loops of quantization, dispatched by CPU.
namespace et::kernels::quantized {

/// Parameters of quantization: round(x * inverseScale) + zeroPoint clamped to low and high, ties to even, NaN
/// to
/// 0. `low` and `high` are within the integer's range.
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
