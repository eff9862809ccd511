#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/elementwise/loops.h"
#include "runtime/kernels/elementwise/operation.h"
#include "runtime/kernels/type_promotion.h"

#include <array>

// Kernels of operators that are fully defined by their loops, compute dtype and result dtype.
namespace et::kernels {

struct Types {
    ScalarType common;
    ScalarType result;
};

/// Maps the promoted dtype of the inputs to the operation's dtypes.
using TypeRule = Types (*)(ScalarType promoted);

inline Types sameType(ScalarType promoted) {
    return {.common = promoted, .result = promoted};
}
/// Integers become float32, as in sqrt.
inline Types floatType(ScalarType promoted) {
    return sameType(floatingType(promoted));
}
/// For comparisons and other predicates.
inline Types truthType(ScalarType promoted) {
    return {.common = promoted, .result = ScalarType::Bool};
}

/// The second operand of a product or quotient in `type`: PyTorch does not first round a single-element
/// tensor to half or bfloat16.
inline Input factor(const Tensor& other, ScalarType type) {
    return other.numel() == 1 && core::isReducedFloat(type) ? Input(other).unrounded() : Input(other);
}
inline Input factor(const Scalar& other, ScalarType type) {
    return core::isReducedFloat(type) ? Input(other).unrounded() : Input(other);
}

/// (Tensor self, out)
template <Loops loops, TypeRule rule>
core::Result<> unary(KernelContext& context, const Tensor& self, Tensor& out) {
    const Types types = rule(self.dtype());
    return compute(context, {.loops = loops, .common = types.common, .result = types.result},
                   std::array{Input(self)}, out);
}

/// The same for operators whose results PyTorch does not convert: `out` must have the result dtype.
template <Loops loops, TypeRule rule>
core::Result<> unaryExact(KernelContext& context, const Tensor& self, Tensor& out) {
    ET_TRY(expectType(out, rule(self.dtype()).result));
    return unary<loops, rule>(context, self, out);
}

/// (Tensor self, Tensor or Scalar other, out)
template <Loops loops, TypeRule rule, class Other = const Tensor&>
core::Result<> binary(KernelContext& context, const Tensor& self, Other other, Tensor& out) {
    const Types types = rule(resultType(self, other));
    return compute(context, {.loops = loops, .common = types.common, .result = types.result},
                   std::array{Input(self), Input(other)}, out);
}

}  // namespace et::kernels
