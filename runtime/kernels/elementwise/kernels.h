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

/// `function` of two integers as uint64, whose larger half is negative in int64: for what asks which number
/// is larger.
template <auto function>
constexpr Loops unsignedLoops() {
    return integerLoops<[](auto a, auto b) {
        return function(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
    },
                        2>();
}

/// (Tensor self, Tensor other, out)
template <Loops loops, Loops loopsOfUInt64, TypeRule rule>
core::Result<> ordered(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
    return resultType(self, other) == ScalarType::UInt64
               ? binary<loopsOfUInt64, rule>(context, self, other, out)
               : binary<loops, rule>(context, self, other, out);
}

/// (Tensor self, Scalar other, out)
template <Loops loops, Loops loopsOfUInt64, TypeRule rule>
core::Result<> orderedScalar(KernelContext& context, const Tensor& self, Scalar other, Tensor& out) {
    return resultType(self, other) == ScalarType::UInt64
               ? binaryScalar<loopsOfUInt64, rule>(context, self, other, out)
               : binaryScalar<loops, rule>(context, self, other, out);
}

}  // namespace et::kernels
