#pragma once

#include "runtime/core/scalar_type.h"

#include <complex>
#include <cstdint>
#include <type_traits>

// The C++ types of tensor elements.
namespace et::core {

/// IEEE 754 binary16 and bfloat16. Arithmetic rounds after every operation: compute in float.
__extension__ using Half = _Float16;
using BFloat16 = __bf16;

/// The dtype with element type `T`.
template <class T>
inline constexpr ScalarType scalarTypeOf = [] {
    static_assert(!std::is_same_v<T, T>, "no dtype has elements of this type");
    return ScalarType::Byte;
}();
template <>
inline constexpr ScalarType scalarTypeOf<std::uint8_t> = ScalarType::Byte;
template <>
inline constexpr ScalarType scalarTypeOf<std::int8_t> = ScalarType::Char;
template <>
inline constexpr ScalarType scalarTypeOf<std::int16_t> = ScalarType::Short;
template <>
inline constexpr ScalarType scalarTypeOf<std::int32_t> = ScalarType::Int;
template <>
inline constexpr ScalarType scalarTypeOf<std::int64_t> = ScalarType::Long;
template <>
inline constexpr ScalarType scalarTypeOf<Half> = ScalarType::Half;
template <>
inline constexpr ScalarType scalarTypeOf<float> = ScalarType::Float;
template <>
inline constexpr ScalarType scalarTypeOf<double> = ScalarType::Double;
template <>
inline constexpr ScalarType scalarTypeOf<std::complex<float>> = ScalarType::ComplexFloat;
template <>
inline constexpr ScalarType scalarTypeOf<std::complex<double>> = ScalarType::ComplexDouble;
template <>
inline constexpr ScalarType scalarTypeOf<bool> = ScalarType::Bool;
template <>
inline constexpr ScalarType scalarTypeOf<BFloat16> = ScalarType::BFloat16;
template <>
inline constexpr ScalarType scalarTypeOf<std::uint16_t> = ScalarType::UInt16;
template <>
inline constexpr ScalarType scalarTypeOf<std::uint32_t> = ScalarType::UInt32;
template <>
inline constexpr ScalarType scalarTypeOf<std::uint64_t> = ScalarType::UInt64;

[[nodiscard]] constexpr bool isReducedFloat(ScalarType type) {
    return type == ScalarType::Half || type == ScalarType::BFloat16;
}
[[nodiscard]] constexpr bool isFloating(ScalarType type) {
    return scalarKind(type) == ScalarKind::Float;
}
[[nodiscard]] constexpr bool isComplex(ScalarType type) {
    return scalarKind(type) == ScalarKind::Complex;
}
/// True for integers, excluding bool.
[[nodiscard]] constexpr bool isIntegral(ScalarType type) {
    return scalarKind(type) == ScalarKind::Signed || scalarKind(type) == ScalarKind::Unsigned;
}

/// Calls `function` with a std::type_identity of the element type for all real dtypes (bool, integers,
/// floats), and `otherwise()` for every other dtype. Returns the result.
template <class Function, class Otherwise>
decltype(auto) visitRealType(ScalarType type, Function&& function, Otherwise&& otherwise) {
    switch (type) {
        case ScalarType::Byte:
            return function(std::type_identity<std::uint8_t>{});
        case ScalarType::Char:
            return function(std::type_identity<std::int8_t>{});
        case ScalarType::Short:
            return function(std::type_identity<std::int16_t>{});
        case ScalarType::Int:
            return function(std::type_identity<std::int32_t>{});
        case ScalarType::Long:
            return function(std::type_identity<std::int64_t>{});
        case ScalarType::Half:
            return function(std::type_identity<Half>{});
        case ScalarType::Float:
            return function(std::type_identity<float>{});
        case ScalarType::Double:
            return function(std::type_identity<double>{});
        case ScalarType::Bool:
            return function(std::type_identity<bool>{});
        case ScalarType::BFloat16:
            return function(std::type_identity<BFloat16>{});
        case ScalarType::UInt16:
            return function(std::type_identity<std::uint16_t>{});
        case ScalarType::UInt32:
            return function(std::type_identity<std::uint32_t>{});
        case ScalarType::UInt64:
            return function(std::type_identity<std::uint64_t>{});
        default:
            return otherwise();
    }
}

/// As visitRealType(), including complex numbers (except half precision).
template <class Function, class Otherwise>
decltype(auto) visitNumberType(ScalarType type, Function&& function, Otherwise&& otherwise) {
    switch (type) {
        case ScalarType::ComplexFloat:
            return function(std::type_identity<std::complex<float>>{});
        case ScalarType::ComplexDouble:
            return function(std::type_identity<std::complex<double>>{});
        default:
            return visitRealType(type, function, otherwise);
    }
}

/// As visitRealType(), for the given types only.
template <class... Elements>
struct ElementTypes {
    template <class Function, class Otherwise>
    static decltype(auto) visit(ScalarType type, Function&& function, Otherwise&& otherwise) {
        return visitNumberType(
            type,
            [&]<class T>(std::type_identity<T> element) -> decltype(otherwise()) {
                if constexpr ((std::is_same_v<T, Elements> || ...)) {
                    return function(element);
                } else {
                    return otherwise();
                }
            },
            otherwise);
    }
};
using FloatTypes = ElementTypes<Half, BFloat16, float, double>;

}  // namespace et::core
