#pragma once

#include <c10/util/overflows.h>
#include <executorch/kernels/portable/cpu/selective_build.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

// Scalars: dtypes, and conversions that check the kind and range.

#define ET_CHECK_SCALAR_SAME_TYPE(a_, b_)                                         \
    ET_CHECK_MSG(torch::executor::native::utils::scalars_have_same_dtype(a_, b_), \
                 "the scalars differ in kind")
#define ET_EXTRACT_SCALAR(scalar_, out_)                                           \
    ET_CHECK_MSG(torch::executor::native::utils::extract_scalar(scalar_, &(out_)), \
                 #scalar_ " has the wrong kind or range");

namespace torch::executor::native::utils {

inline ScalarType get_scalar_dtype(Scalar scalar) {
    return scalar.isBoolean()         ? ScalarType::Bool
           : scalar.isFloatingPoint() ? ScalarType::Double
                                      : ScalarType::Long;
}

inline bool scalars_have_same_dtype(Scalar a, Scalar b) {
    ET_CHECK_OR_RETURN_FALSE(get_scalar_dtype(a) == get_scalar_dtype(b), "the scalars are of %s and %s",
                             toString(get_scalar_dtype(a)), toString(get_scalar_dtype(b)));
    return true;
}

/// The dtype of an operator on a tensor and a number: the tensor's, unless the number is of a higher kind.
inline ScalarType promote_type_with_scalar(ScalarType type, Scalar scalar, bool half_to_float = false) {
    ET_CHECK_MSG(!isQIntType(type) && !isBitsType(type), "%s has no arithmetic", toString(type));
    if (half_to_float && type == ScalarType::Half) {
        type = ScalarType::Float;
    }
    if (isComplexType(type) || isFloatingType(type) || scalar.isBoolean()) {
        return type;
    }
    if (scalar.isFloatingPoint()) {
        return ScalarType::Float;
    }
    return isIntegralType(type, false) ? type : ScalarType::Long;
}

/// As promote_type_with_scalar(), of types; T2 is bool, int64_t or double.
template <typename T1, typename T2, bool half_to_float = false>
struct promote_type_with_scalar_type {
  private:
    static constexpr bool keeps = is_complex_type<T1>::value || std::is_same_v<T2, bool> ||
                                  (std::is_same_v<T2, int64_t> && !std::is_same_v<T1, bool>) ||
                                  is_floating_point<T1>::value;
    using widened = std::conditional_t<std::is_same_v<T2, int64_t>, int64_t, float>;
    using promoted = std::conditional_t<keeps, T1, widened>;

  public:
    using type = std::conditional_t<half_to_float && is_reduced_floating_point_v<promoted>, float, promoted>;
};

/// False for another kind or a value out of range. Integers accept ints, floats accept ints and doubles,
/// bools accept ints and bools.
template <typename T>
bool extract_scalar(Scalar scalar, T* out) {
    if constexpr (std::is_same_v<T, bool>) {
        if (scalar.isFloatingPoint()) {
            return false;
        }
        *out = scalar.isBoolean() ? scalar.to<bool>() : scalar.to<int64_t>() != 0;
        return true;
    } else if constexpr (std::is_integral_v<T>) {
        return scalar.isIntegral(false) && !__builtin_add_overflow(scalar.to<int64_t>(), int64_t{0}, out);
    } else {
        if (scalar.isBoolean()) {
            return false;
        }
        const double value =
            scalar.isFloatingPoint() ? scalar.to<double>() : static_cast<double>(scalar.to<int64_t>());
        if (std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<T>::max())) {
            return false;
        }
        *out = static_cast<T>(value);
        return true;
    }
}

template <typename T>
T scalar_to(const Scalar& scalar) {
    return scalar.isFloatingPoint() ? static_cast<T>(scalar.to<double>())
                                    : static_cast<T>(scalar.to<int64_t>());
}

namespace internal {

template <typename To, typename From>
std::optional<To> check_overflow_cast(From value) {
    if (c10::overflows<To, From>(value)) {
        return std::nullopt;
    }
    return static_cast<To>(value);
}
template <typename To>
std::optional<To> check_overflow_scalar_cast(const Scalar& scalar) {
    if (scalar.isBoolean()) {
        return check_overflow_cast<To>(scalar.to<bool>());
    }
    if (scalar.isFloatingPoint()) {
        return check_overflow_cast<To>(scalar.to<double>());
    }
    return check_overflow_cast<To>(scalar.to<int64_t>());
}

}  // namespace internal
}  // namespace torch::executor::native::utils
