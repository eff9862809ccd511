#pragma once

#include <c10/macros/Macros.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_switch.h>
#include <executorch/runtime/core/portable_type/scalar_type.h>
#include <executorch/runtime/platform/assert.h>

#include <cinttypes>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace executorch::runtime {

using ::executorch::aten::ScalarType;

template <typename T>
struct is_reduced_floating_point
    : std::bool_constant<std::is_same_v<T, etensor::Half> || std::is_same_v<T, etensor::BFloat16>> {};
template <typename T>
constexpr bool is_reduced_floating_point_v = is_reduced_floating_point<T>::value;
template <typename T>
struct is_floating_point : std::bool_constant<std::is_floating_point_v<T> || is_reduced_floating_point_v<T>> {
};

template <ScalarType N>
struct ScalarTypeToCppType;
template <typename T>
struct CppTypeToScalarType;
#define ET_INTERNAL_MAP_DTYPE(ctype, name)         \
    template <>                                    \
    struct ScalarTypeToCppType<ScalarType::name> { \
        using type = ctype;                        \
    };                                             \
    template <>                                    \
    struct CppTypeToScalarType<ctype> : std::integral_constant<ScalarType, ScalarType::name> {};
ET_FORALL_SCALAR_TYPES(ET_INTERNAL_MAP_DTYPE)
#undef ET_INTERNAL_MAP_DTYPE

inline bool isValid(ScalarType type) {
    return static_cast<int8_t>(type) >= 0 && type < ScalarType::Undefined;
}

inline const char* toString(ScalarType type) {
    switch (type) {
#define ET_INTERNAL_NAME(ctype, name) \
    case ScalarType::name:            \
        return #name;
        ET_FORALL_SCALAR_TYPES(ET_INTERNAL_NAME)
#undef ET_INTERNAL_NAME
        case ScalarType::Undefined:
            return "Undefined";
        default:
            return "UNKNOWN_SCALAR";
    }
}

inline size_t elementSize(ScalarType type) {
    switch (type) {
#define ET_INTERNAL_SIZE(ctype, name) \
    case ScalarType::name:            \
        return sizeof(ctype);
        ET_FORALL_SCALAR_TYPES(ET_INTERNAL_SIZE)
#undef ET_INTERNAL_SIZE
        default:
            ET_CHECK_MSG(false, "unknown dtype %d", static_cast<int>(type));
    }
}

constexpr bool isIntegralType(ScalarType type, bool includeBool) {
    return (type >= ScalarType::Byte && type <= ScalarType::Long) ||
           (includeBool && type == ScalarType::Bool);
}
constexpr bool isFloatingType(ScalarType type) {
    return type == ScalarType::Half || type == ScalarType::BFloat16 || type == ScalarType::Float ||
           type == ScalarType::Double;
}
constexpr bool isRealType(ScalarType type) {
    return isIntegralType(type, false) || type == ScalarType::Float || type == ScalarType::Double;
}
constexpr bool isRealHType(ScalarType type) {
    return isRealType(type) || type == ScalarType::Half;
}
constexpr bool isRealHBType(ScalarType type) {
    return isRealHType(type) || type == ScalarType::Bool;
}
constexpr bool isRealHBF16Type(ScalarType type) {
    return isRealHType(type) || type == ScalarType::BFloat16;
}
constexpr bool isRealHBBF16Type(ScalarType type) {
    return isRealHBType(type) || type == ScalarType::BFloat16;
}
constexpr bool isComplexType(ScalarType type) {
    return type >= ScalarType::ComplexHalf && type <= ScalarType::ComplexDouble;
}
constexpr bool isBitsType(ScalarType type) {
    return type >= ScalarType::Bits1x8 && type <= ScalarType::Bits16;
}
constexpr bool isQIntType(ScalarType type) {
    return (type >= ScalarType::QInt8 && type <= ScalarType::QInt32) || type == ScalarType::QUInt4x2 ||
           type == ScalarType::QUInt2x4;
}
constexpr bool isFloat8Type(ScalarType type) {
    return type >= ScalarType::Float8_e5m2 && type <= ScalarType::Float8_e4m3fnuz;
}
constexpr bool isBarebonesUnsignedType(ScalarType type) {
    return type >= ScalarType::UInt16 && type <= ScalarType::UInt64;
}

template <typename T, bool includeBool>
struct is_integral_type : std::bool_constant<isIntegralType(CppTypeToScalarType<T>::value, includeBool)> {};
template <typename T>
struct is_complex_type : std::bool_constant<isComplexType(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_bits_type : std::bool_constant<isBitsType(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_qint_type : std::bool_constant<isQIntType(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_float8_type : std::bool_constant<isFloat8Type(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_barebones_unsigned_type
    : std::bool_constant<isBarebonesUnsignedType(CppTypeToScalarType<T>::value)> {};

/// The dtype of the stored integers.
constexpr ScalarType toUnderlying(ScalarType type) {
    switch (type) {
        case ScalarType::QInt8:
            return ScalarType::Char;
        case ScalarType::QInt32:
            return ScalarType::Int;
        case ScalarType::QUInt8:
        case ScalarType::QUInt4x2:
        case ScalarType::QUInt2x4:
            return ScalarType::Byte;
        default:
            return type;
    }
}
constexpr ScalarType toQIntType(ScalarType type) {
    switch (type) {
        case ScalarType::Byte:
            return ScalarType::QUInt8;
        case ScalarType::Char:
            return ScalarType::QInt8;
        case ScalarType::Int:
            return ScalarType::QInt32;
        default:
            return type;
    }
}
inline bool isUnderlying(ScalarType type, ScalarType quantized) {
    return type == toUnderlying(quantized);
}
inline bool isSignedType(ScalarType type) {
    return type != ScalarType::Byte && type != ScalarType::Bool && !isBarebonesUnsignedType(type);
}
constexpr ScalarType toRealValueType(ScalarType type) {
    switch (type) {
        case ScalarType::ComplexHalf:
            return ScalarType::Half;
        case ScalarType::ComplexFloat:
            return ScalarType::Float;
        case ScalarType::ComplexDouble:
            return ScalarType::Double;
        default:
            return type;
    }
}
constexpr ScalarType toComplexType(ScalarType type) {
    switch (type) {
        case ScalarType::Half:
            return ScalarType::ComplexHalf;
        case ScalarType::BFloat16:
        case ScalarType::Float:
            return ScalarType::ComplexFloat;
        case ScalarType::Double:
            return ScalarType::ComplexDouble;
        default:
            return type;
    }
}

/// PyTorch's rule: no loss of an imaginary part or of a fraction, and only bool becomes bool.
constexpr bool canCast(ScalarType from, ScalarType to) {
    return (!isComplexType(from) || isComplexType(to)) &&
           (!isFloatingType(from) || !isIntegralType(to, false)) &&
           (from == ScalarType::Bool || to != ScalarType::Bool);
}
template <typename From, typename To>
struct can_cast
    : std::bool_constant<canCast(CppTypeToScalarType<From>::value, CppTypeToScalarType<To>::value)> {};

/// Floats become integers through int64, as in PyTorch.
template <typename To, typename From>
To convert(From value) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        return static_cast<To>(static_cast<int64_t>(value));
    } else {
        return static_cast<To>(value);
    }
}

namespace internal {

using U1 = uint8_t;
using I1 = int8_t;
using I2 = int16_t;
using I4 = int32_t;
using I8 = int64_t;
using F2 = etensor::Half;
using F4 = float;
using F8 = double;
using C2 = etensor::complex<etensor::Half>;
using C4 = etensor::complex<float>;
using C8 = etensor::complex<double>;
using B1 = bool;
using BF = etensor::BFloat16;

constexpr bool promotes(ScalarType type) {
    return isRealHBBF16Type(type) || isComplexType(type);
}

constexpr ScalarType promotedReal(ScalarType a, ScalarType b) {
    if (a == b) {
        return a;
    }
    if (isFloatingType(a) && isFloatingType(b)) {
        const bool reduced = static_cast<int>(a) != static_cast<int>(ScalarType::Double) &&
                             static_cast<int>(b) != static_cast<int>(ScalarType::Double);
        return reduced ? ScalarType::Float : ScalarType::Double;
    }
    if (isFloatingType(a) || isFloatingType(b)) {
        return isFloatingType(a) ? a : b;
    }
    if (a == ScalarType::Bool || b == ScalarType::Bool) {
        return a == ScalarType::Bool ? b : a;
    }
    const ScalarType wider = a > b ? a : b;  // integers are numbered by width
    const bool mixed = a == ScalarType::Byte || b == ScalarType::Byte;
    return mixed && wider == ScalarType::Char ? ScalarType::Short : wider;
}

}  // namespace internal

/// The dtype of the result of an operator with two operands.
constexpr ScalarType promoteTypes(ScalarType a, ScalarType b, bool half_to_float = false) {
    ScalarType result = a;
    if (a != b || internal::promotes(a)) {
        if (!internal::promotes(a) || !internal::promotes(b)) {
            ET_CHECK_MSG(false, "no common dtype of %d and %d", static_cast<int>(a), static_cast<int>(b));
        }
        result = internal::promotedReal(toRealValueType(a), toRealValueType(b));
        if (isComplexType(a) || isComplexType(b)) {
            result = isFloatingType(result) ? toComplexType(result) : ScalarType::ComplexFloat;
        }
    }
    const bool reduced = result == ScalarType::Half || result == ScalarType::BFloat16;
    return half_to_float && reduced ? ScalarType::Float : result;
}

template <typename T1, typename T2, bool half_to_float = false>
struct promote_types {
    using type = typename ScalarTypeToCppType<promoteTypes(
        CppTypeToScalarType<T1>::value, CppTypeToScalarType<T2>::value, half_to_float)>::type;
};

}  // namespace executorch::runtime

namespace executorch::aten {
using ::executorch::runtime::elementSize;
}

namespace torch::executor {
using ::executorch::runtime::can_cast;
using ::executorch::runtime::canCast;
using ::executorch::runtime::convert;
using ::executorch::runtime::CppTypeToScalarType;
using ::executorch::runtime::elementSize;
using ::executorch::runtime::is_barebones_unsigned_type;
using ::executorch::runtime::is_bits_type;
using ::executorch::runtime::is_complex_type;
using ::executorch::runtime::is_float8_type;
using ::executorch::runtime::is_floating_point;
using ::executorch::runtime::is_integral_type;
using ::executorch::runtime::is_qint_type;
using ::executorch::runtime::is_reduced_floating_point;
using ::executorch::runtime::is_reduced_floating_point_v;
using ::executorch::runtime::isBitsType;
using ::executorch::runtime::isComplexType;
using ::executorch::runtime::isFloatingType;
using ::executorch::runtime::isIntegralType;
using ::executorch::runtime::isQIntType;
using ::executorch::runtime::isRealHBBF16Type;
using ::executorch::runtime::isRealHBF16Type;
using ::executorch::runtime::isRealHBType;
using ::executorch::runtime::isRealHType;
using ::executorch::runtime::isRealType;
using ::executorch::runtime::isValid;
using ::executorch::runtime::promote_types;
using ::executorch::runtime::promoteTypes;
using ::executorch::runtime::ScalarTypeToCppType;
using ::executorch::runtime::toString;
namespace internal {
using namespace ::executorch::runtime::internal;
}
}  // namespace torch::executor
