#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// Conversions and operators of Half and BFloat16.
namespace executorch::runtime::etensor::internal {

inline uint32_t bits_of_float(float number) {
    uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
}
inline float float_of_bits(uint32_t bits) {
    float number = 0;
    std::memcpy(&number, &bits, sizeof(number));
    return number;
}

/// Rounds to nearest, ties to even.
inline uint16_t bfloat16_bits(float number) {
    if (std::isnan(number)) {
        return 0x7FC0;
    }
    const uint32_t bits = bits_of_float(number);
    return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

/// Rounds to nearest, ties to even.
inline uint16_t half_bits(float number) {
    const uint32_t bits = bits_of_float(number);
    const uint32_t sign = (bits >> 16) & 0x8000;
    const uint32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude >= 0x47800000) {  // 65536 and more, infinity, NaN
        return static_cast<uint16_t>(sign | (magnitude > 0x7F800000 ? 0x7E00 : 0x7C00));
    }
    if (magnitude < 0x38800000) {  // subnormal: adding 0.5 lets the processor round
        const float shifted = float_of_bits(magnitude) + 0.5F;
        return static_cast<uint16_t>(sign | (bits_of_float(shifted) - 0x3F000000));
    }
    const uint32_t rounded = magnitude + 0xFFF + ((magnitude >> 13) & 1);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000) >> 13));
}

inline float half_number(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
    const uint32_t magnitude = bits & 0x7FFF;
    if (magnitude >= 0x7C00) {
        return float_of_bits(sign | 0x7F800000 | ((magnitude & 0x3FF) << 13));
    }
    if (magnitude < 0x0400) {
        const float number = static_cast<float>(magnitude) * 0x1p-24F;
        return float_of_bits(sign | bits_of_float(number));
    }
    return float_of_bits(sign | ((magnitude << 13) + 0x38000000));
}

}  // namespace executorch::runtime::etensor::internal

// Two small floats give a small float, rounded once; with a float or double the wider type; with an integer a
// small float.
#define ET_INTERNAL_SMALL_FLOAT_OPERATOR(Type, op)                                      \
    inline Type operator op(const Type& a, const Type& b) {                             \
        return static_cast<float>(a) op static_cast<float>(b);                          \
    }                                                                                   \
    inline Type& operator op##=(Type & a, const Type & b) {                             \
        return a = a op b;                                                              \
    }                                                                                   \
    inline float operator op(Type a, float b) {                                         \
        return static_cast<float>(a) op b;                                              \
    }                                                                                   \
    inline float operator op(float a, Type b) {                                         \
        return a op static_cast<float>(b);                                              \
    }                                                                                   \
    inline float& operator op##=(float& a, const Type & b) {                            \
        return a op## = static_cast<float>(b);                                          \
    }                                                                                   \
    inline double operator op(Type a, double b) {                                       \
        return static_cast<double>(static_cast<float>(a)) op b;                         \
    }                                                                                   \
    inline double operator op(double a, Type b) {                                       \
        return a op static_cast<double>(static_cast<float>(b));                         \
    }                                                                                   \
    template <typename Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0> \
    inline Type operator op(Type a, Integer b) {                                        \
        return a op static_cast<Type>(static_cast<float>(b));                           \
    }                                                                                   \
    template <typename Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0> \
    inline Type operator op(Integer a, Type b) {                                        \
        return static_cast<Type>(static_cast<float>(a)) op b;                           \
    }

#define ET_INTERNAL_SMALL_FLOAT_OPERATORS(Type) \
    ET_INTERNAL_SMALL_FLOAT_OPERATOR(Type, +)   \
    ET_INTERNAL_SMALL_FLOAT_OPERATOR(Type, -)   \
    ET_INTERNAL_SMALL_FLOAT_OPERATOR(Type, *)   \
    ET_INTERNAL_SMALL_FLOAT_OPERATOR(Type, /)   \
    inline Type operator-(const Type& a) {      \
        return -static_cast<float>(a);          \
    }
