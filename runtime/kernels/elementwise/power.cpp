#include "runtime/core/element_types.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/kernels.h"

#include <fmt/format.h>

#include <cmath>

namespace et::kernels {
namespace {

/// Integers wrap around; negative exponents yield 0 except for bases 1 and -1.
constexpr auto power = [](auto base, auto exponent) {
    using T = decltype(base);
    if constexpr (isInteger<T>) {
        if (isNegative(exponent)) {
            return base == 1 ? T{1} : isMinusOne(base) ? (exponent % 2 == 0 ? T{1} : base) : T{0};
        }
        T result = 1;
        for (T square = base; exponent != 0; exponent /= 2) {
            result = exponent % 2 != 0 ? productOf(result, square) : result;
            square = productOf(square, square);
        }
        return result;
    } else {
        return std::pow(base, exponent);
    }
};

constexpr Loops powers = orderedLoops<power, 2>();

/// Exponents for which PyTorch does not call pow; results differ in the last bits, at -0 and at -infinity.
struct SpecialExponent {
    double exponent;
    Loops loops;
    bool inHalf;  ///< also for half
};
constexpr SpecialExponent specialExponents[] = {
    {.exponent = 0.5, .loops = floatLoops<[](auto x) { return std::sqrt(x); }, 1>(), .inHalf = false},
    {.exponent = -0.5, .loops = floatLoops<[](auto x) { return 1 / std::sqrt(x); }, 1>(), .inHalf = false},
    {.exponent = -1, .loops = floatLoops<[](auto x) { return 1 / x; }, 1>(), .inHalf = false},
    {.exponent = 2, .loops = floatLoops<[](auto x) { return x * x; }, 1>(), .inHalf = true},
    {.exponent = 3, .loops = floatLoops<[](auto x) { return x * x * x; }, 1>(), .inHalf = true},
    {.exponent = -2, .loops = floatLoops<[](auto x) { return 1 / (x * x); }, 1>(), .inHalf = true},
};

/// (Tensor self, Tensor exponent, out)
core::Result<> powTensorTensor(KernelContext& context, const Tensor& self, const Tensor& exponent,
                               Tensor& out) {
    const ScalarType type = resultType(self, exponent);
    return compute(context, {.loops = powers, .common = type, .result = type},
                   std::array{Input(self), Input(exponent)}, out);
}

/// (Tensor self, Scalar exponent, out)
core::Result<> powTensorScalar(KernelContext& context, const Tensor& self, Scalar exponent, Tensor& out) {
    const ScalarType type = resultType(self, exponent);
    if (!core::isFloating(type) && exponent.to<std::int64_t>() < 0) {
        return invalid(
            fmt::format("exponent: expected at least 0 for integers, got {}", exponent.to<std::int64_t>()));
    }
    if (core::isFloating(type)) {
        for (const SpecialExponent& special : specialExponents) {
            if (exponent.to<double>() == special.exponent && (special.inHalf || type != ScalarType::Half)) {
                return compute(context, {.loops = special.loops, .common = type, .result = type},
                               std::array{Input(self)}, out);
            }
        }
    }
    return compute(context, {.loops = powers, .common = type, .result = type},
                   std::array{Input(self), Input(exponent)}, out);
}

/// (Scalar self, Tensor exponent, out)
core::Result<> powScalar(KernelContext& context, Scalar self, const Tensor& exponent, Tensor& out) {
    const ScalarType type = resultType(exponent, self);
    return compute(context, {.loops = powers, .common = type, .result = type},
                   std::array{Input(self), Input(exponent)}, out);
}

constexpr KernelEntry powerEntries[] = {
    {"aten::pow.Tensor_Tensor_out", box<&powTensorTensor>},
    {"aten::pow.Tensor_Scalar_out", box<&powTensorScalar>},
    {"aten::pow.Scalar_out", box<&powScalar>},
};

}  // namespace

std::span<const KernelEntry> powerKernels() {
    return powerEntries;
}

}  // namespace et::kernels
