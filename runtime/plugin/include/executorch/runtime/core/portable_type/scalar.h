#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>
#include <executorch/runtime/core/portable_type/half.h>
#include <executorch/runtime/platform/assert.h>

#include <cstdint>
#include <type_traits>

namespace executorch::runtime::etensor {

/// A Python number: an int, a float or a bool.
class Scalar {
    enum class Kind : uint8_t { Int, Double, Bool };

  public:
    Scalar() : Scalar(int64_t{0}) {}
    template <typename T, std::enable_if_t<std::is_integral_v<T>, bool> = true>
    Scalar(T number) : kind(Kind::Int), integer(static_cast<int64_t>(number)) {}
    Scalar(bool truth) : kind(Kind::Bool), integer(truth ? 1 : 0) {}
    Scalar(double value) : kind(Kind::Double), number(value) {}
    Scalar(BFloat16 value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
    Scalar(Half value) : Scalar(static_cast<double>(static_cast<float>(value))) {}

    /// For int64_t, double and bool; the kinds must match, except that a bool is also an int.
    template <typename T>
    T to() const;

    bool isIntegral(bool include_bool) const {
        return kind == Kind::Int || (include_bool && kind == Kind::Bool);
    }
    bool isFloatingPoint() const { return kind == Kind::Double; }
    bool isBoolean() const { return kind == Kind::Bool; }

  private:
    Kind kind;
    union {
        int64_t integer;
        double number;
    };
};

template <>
inline int64_t Scalar::to<int64_t>() const {
    ET_CHECK_MSG(kind != Kind::Double, "the scalar is not an integer or bool");
    return integer;
}
template <>
inline double Scalar::to<double>() const {
    ET_CHECK_MSG(kind == Kind::Double, "the scalar is not a double");
    return number;
}
template <>
inline bool Scalar::to<bool>() const {
    ET_CHECK_MSG(kind == Kind::Bool, "the scalar is not a bool");
    return integer != 0;
}

}  // namespace executorch::runtime::etensor

namespace torch::executor {
using ::executorch::runtime::etensor::Scalar;
}
