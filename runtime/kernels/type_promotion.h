#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <initializer_list>
#include <string_view>

// Type promotion: the dtype in which an operation on two dtypes computes and returns its result:
// https://pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
namespace et::kernels {

/// Promotes two dtypes of equal priority.
[[nodiscard]] core::ScalarType promoteTypes(core::ScalarType left, core::ScalarType right);

/// Promotes two tensors: one without dimensions only matters if its kind (bool, integer, float, complex) is
/// higher.
[[nodiscard]] core::ScalarType resultType(const core::Tensor& left, const core::Tensor& right);
/// Promotes one or more tensors.
[[nodiscard]] core::ScalarType resultType(std::initializer_list<const core::Tensor*> tensors);
/// Promotes a tensor and a scalar: the scalar only matters if its kind is higher, and then as float32, int64
/// or complex64's default.
[[nodiscard]] core::ScalarType resultType(const core::Tensor& tensor, const core::Scalar& number);

/// Float for bool and integers, otherwise the dtype itself: the result type of sqrt or true division.
[[nodiscard]] core::ScalarType floatingType(core::ScalarType type);

/// True if PyTorch allows writing a result of `from` to an out argument of `to`: any conversion except to a
/// lower kind (a float result to an integer).
[[nodiscard]] bool canCast(core::ScalarType from, core::ScalarType to);

/// Errors: InvalidArgument (`tensor` has another dtype); `what` names the tensor in the message.
[[nodiscard]] core::Result<> expectType(const core::Tensor& tensor, core::ScalarType type,
                                        std::string_view what = "result");

/// True if PyTorch converts a number to a dtype without an error: values beyond the dtype's range do not fit,
/// but negative ones wrap modulo 2^n for unsigned dtypes, infinities fit floats, and everything fits bool.
/// Definition: c10::overflows(), https://github.com/pytorch/pytorch/blob/main/c10/util/overflows.h
[[nodiscard]] bool fits(core::ScalarType type, const core::Scalar& number);
/// Errors: InvalidArgument (the number does not fit); `name` of the argument, for the message.
[[nodiscard]] core::Result<> expectFits(core::ScalarType type, const core::Scalar& number,
                                        std::string_view name);

}  // namespace et::kernels
