#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <initializer_list>
#include <string_view>

// Which dtype an operation on two dtypes computes in, and gives:
// https://pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
namespace et::kernels {

/// Of two dtypes of equal standing.
[[nodiscard]] core::ScalarType promoteTypes(core::ScalarType left, core::ScalarType right);

/// Of two tensors: one without dimensions only counts where its kind (bool, integer, float, complex) is
/// higher.
[[nodiscard]] core::ScalarType resultType(const core::Tensor& left, const core::Tensor& right);
/// Of several tensors, at least one.
[[nodiscard]] core::ScalarType resultType(std::initializer_list<const core::Tensor*> tensors);
/// Of a tensor and a number: the number only counts where its kind is higher, then as float32, int64 or
/// complex64's default.
[[nodiscard]] core::ScalarType resultType(const core::Tensor& tensor, const core::Scalar& number);

/// Float for bool and integers, else the dtype itself: what sqrt or true division give.
[[nodiscard]] core::ScalarType floatingType(core::ScalarType type);

/// Whether PyTorch lets a result of `from` be written to an out argument of `to`: never to a lower kind (a
/// float result to an integer), else always.
[[nodiscard]] bool canCast(core::ScalarType from, core::ScalarType to);

/// Errors: InvalidArgument (`tensor` has another dtype); `what` it is, for the message.
[[nodiscard]] core::Result<> expectType(const core::Tensor& tensor, core::ScalarType type,
                                        std::string_view what = "result");

/// Whether PyTorch converts a number to a dtype without an error: one beyond the dtype's range does not fit,
/// but negative ones count modulo 2^n for unsigned dtypes, infinities fit floats, and everything fits bool.
/// Definition: c10::overflows(), https://github.com/pytorch/pytorch/blob/main/c10/util/overflows.h
[[nodiscard]] bool fits(core::ScalarType type, const core::Scalar& number);
/// Errors: InvalidArgument (it does not); `name` of the argument, for the message.
[[nodiscard]] core::Result<> expectFits(core::ScalarType type, const core::Scalar& number,
                                        std::string_view name);

}  // namespace et::kernels
