#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/elementwise/loops.h"
#include "runtime/kernels/elementwise/operation.h"
#include "runtime/kernels/type_promotion.h"

#include <array>

// Kernels of operators that have nothing to say but their loops and which dtypes they compute in and give.
namespace et::kernels {

struct Types {
    ScalarType common;
    ScalarType result;
};

/// What an operation does with the dtype that its inputs promote to.
using TypeRule = Types (*)(ScalarType promoted);

inline Types sameType(ScalarType promoted) {
    return {.common = promoted, .result = promoted};
}
/// Integers become float32, as in sqrt.
inline Types floatType(ScalarType promoted) {
    return sameType(floatingType(promoted));
}
/// Comparisons and the like.
inline Types truthType(ScalarType promoted) {
    return {.common = promoted, .result = ScalarType::Bool};
}

/// The second operand of a product or quotient in `type`: PyTorch does not round a single number to half or
/// bfloat16 first.
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

/// The same, where PyTorch converts no result: `out` has to have its dtype.
template <Loops loops, TypeRule rule>
core::Result<> unaryExact(KernelContext& context, const Tensor& self, Tensor& out) {
    ET_TRY(expectType(out, rule(self.dtype()).result));
    return unary<loops, rule>(context, self, out);
}

/// (Tensor self, Tensor other, out)
template <Loops loops, TypeRule rule>
core::Result<> binary(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
    const Types types = rule(resultType(self, other));
    return compute(context, {.loops = loops, .common = types.common, .result = types.result},
                   std::array{Input(self), Input(other)}, out);
}

/// (Tensor self, Scalar other, out)
template <Loops loops, TypeRule rule>
core::Result<> binaryScalar(KernelContext& context, const Tensor& self, Scalar other, Tensor& out) {
    const Types types = rule(resultType(self, other));
    return compute(context, {.loops = loops, .common = types.common, .result = types.result},
                   std::array{Input(self), Input(other)}, out);
}

}  // namespace et::kernels
