#pragma once

#include <executorch/runtime/core/portable_type/small_float.h>

namespace executorch::runtime::etensor {

/// IEEE 754 binary16.
struct alignas(2) Half {
    unsigned short x;

    struct from_bits_t {};
    static constexpr from_bits_t from_bits() { return {}; }

    Half() = default;
    constexpr Half(unsigned short bits, from_bits_t /*tag*/) : x(bits) {}
    Half(float number) : x(internal::half_bits(number)) {}
    operator float() const { return internal::half_number(x); }
};

ET_INTERNAL_SMALL_FLOAT_OPERATORS(Half)

}  // namespace executorch::runtime::etensor

namespace std {

template <>
class numeric_limits<executorch::runtime::etensor::Half> : public numeric_limits<float> {
    using Half = executorch::runtime::etensor::Half;

  public:
    static constexpr int digits = 11;
    static constexpr int digits10 = 3;
    static constexpr int max_digits10 = 5;
    static constexpr int min_exponent = -13;
    static constexpr int min_exponent10 = -4;
    static constexpr int max_exponent = 16;
    static constexpr int max_exponent10 = 4;
    static constexpr Half min() { return {0x0400, Half::from_bits()}; }
    static constexpr Half lowest() { return {0xFBFF, Half::from_bits()}; }
    static constexpr Half max() { return {0x7BFF, Half::from_bits()}; }
    static constexpr Half epsilon() { return {0x1400, Half::from_bits()}; }
    static constexpr Half round_error() { return {0x3800, Half::from_bits()}; }
    static constexpr Half infinity() { return {0x7C00, Half::from_bits()}; }
    static constexpr Half quiet_NaN() { return {0x7E00, Half::from_bits()}; }
    static constexpr Half signaling_NaN() { return {0x7D00, Half::from_bits()}; }
    static constexpr Half denorm_min() { return {0x0001, Half::from_bits()}; }
};

}  // namespace std

namespace torch::executor {
using ::executorch::runtime::etensor::Half;
}
namespace c10 {
using ::executorch::runtime::etensor::Half;
}
