#pragma once

#include <executorch/runtime/core/portable_type/small_float.h>

namespace executorch::runtime::etensor {

/// The upper half of a float.
struct alignas(2) BFloat16 {
    uint16_t x;

    struct from_bits_t {};
    static constexpr from_bits_t from_bits() { return {}; }

    BFloat16() = default;
    constexpr BFloat16(unsigned short bits, from_bits_t /*tag*/) : x(bits) {}
    BFloat16(float number) : x(internal::bfloat16_bits(number)) {}
    operator float() const { return internal::float_of_bits(static_cast<uint32_t>(x) << 16); }
};

ET_INTERNAL_SMALL_FLOAT_OPERATORS(BFloat16)

}  // namespace executorch::runtime::etensor

namespace std {

template <>
class numeric_limits<executorch::runtime::etensor::BFloat16> : public numeric_limits<float> {
    using BFloat16 = executorch::runtime::etensor::BFloat16;

  public:
    static constexpr int digits = 8;
    static constexpr int digits10 = 2;
    static constexpr int max_digits10 = 4;
    static constexpr BFloat16 min() { return {0x0080, BFloat16::from_bits()}; }
    static constexpr BFloat16 lowest() { return {0xFF7F, BFloat16::from_bits()}; }
    static constexpr BFloat16 max() { return {0x7F7F, BFloat16::from_bits()}; }
    static constexpr BFloat16 epsilon() { return {0x3C00, BFloat16::from_bits()}; }
    static constexpr BFloat16 round_error() { return {0x3F00, BFloat16::from_bits()}; }
    static constexpr BFloat16 infinity() { return {0x7F80, BFloat16::from_bits()}; }
    static constexpr BFloat16 quiet_NaN() { return {0x7FC0, BFloat16::from_bits()}; }
    static constexpr BFloat16 signaling_NaN() { return {0x7F81, BFloat16::from_bits()}; }
    static constexpr BFloat16 denorm_min() { return {0x0001, BFloat16::from_bits()}; }
};

}  // namespace std

namespace torch::executor {
using ::executorch::runtime::etensor::BFloat16;
}
namespace c10 {
using ::executorch::runtime::etensor::BFloat16;
}
