#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar.h"

// Python's arithmetic on the scalars of a program (https://docs.python.org/3/reference/expressions.html),
// except that integers have 64 bits and wrap. A bool is treated as 0 or 1.
namespace et::kernels::prim {

using core::Scalar;

[[nodiscard]] core::Result<Scalar> add(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> subtract(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> multiply(Scalar left, Scalar right);
/// `left // right`, rounded towards minus infinity. Errors: InvalidArgument (division by zero), as below.
[[nodiscard]] core::Result<Scalar> floorDivide(Scalar left, Scalar right);
/// `left / right`: always a float.
[[nodiscard]] core::Result<Scalar> trueDivide(Scalar left, Scalar right);
/// `left % right`: has the sign of `right`.
[[nodiscard]] core::Result<Scalar> modulo(Scalar left, Scalar right);
/// Maximum and minimum; a float if either operand is one.
[[nodiscard]] core::Result<Scalar> maximum(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> minimum(Scalar left, Scalar right);

[[nodiscard]] core::Result<Scalar> equal(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> notEqual(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> less(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> lessOrEqual(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> greater(Scalar left, Scalar right);
[[nodiscard]] core::Result<Scalar> greaterOrEqual(Scalar left, Scalar right);

[[nodiscard]] core::Result<Scalar> negate(Scalar number);
[[nodiscard]] core::Result<Scalar> toFloat(Scalar number);
[[nodiscard]] core::Result<Scalar> logicalNot(Scalar number);
/// These return integers; round() rounds ties to even. Errors: InvalidArgument (NaN, infinity, out of int64).
[[nodiscard]] core::Result<Scalar> ceil(Scalar number);
[[nodiscard]] core::Result<Scalar> floor(Scalar number);
[[nodiscard]] core::Result<Scalar> round(Scalar number);
[[nodiscard]] core::Result<Scalar> trunc(Scalar number);

}  // namespace et::kernels::prim
