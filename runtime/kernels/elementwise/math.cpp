#include "runtime/core/element_types.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/float_loops.h"
#include "runtime/kernels/elementwise/kernels.h"

#include <cmath>

namespace et::kernels {
namespace {

/// An operation on floats; integers are converted to float32.
template <auto function, auto fast = nullptr>
constexpr Kernel onFloats = box<&unary<floatLoops<function, 1, fast>(), floatType>>;

/// An operation that returns integers unchanged.
template <auto function>
constexpr auto exceptIntegers = [](auto x) {
    if constexpr (isInteger<decltype(x)>) {
        return x;
    } else {
        return function(x);
    }
};
template <auto function, auto fast>
constexpr Kernel onFractions = box<&unary<realLoops<exceptIntegers<function>, 1, fast>(), sameType>>;
/// The same, not defined for bool.
template <auto function, auto fast>
constexpr Kernel onFractionsOfNumbers =
    box<&unary<withoutBool(realLoops<exceptIntegers<function>, 1, fast>()), sameType>>;

constexpr auto absolute = [](auto x) {
    if constexpr (isInteger<decltype(x)>) {
        return isNegative(x) ? differenceOf(decltype(x){0}, x) : x;
    } else {
        return std::abs(x);
    }
};

constexpr auto negative = [](auto x) {
    if constexpr (isInteger<decltype(x)>) {
        return differenceOf(decltype(x){0}, x);
    } else {
        return -x;
    }
};

/// 0 for NaN.
constexpr auto sign = [](auto x) { return static_cast<int>(x > 0) - static_cast<int>(isNegative(x)); };

constexpr auto relu = [](auto x) { return isNegative(x) ? decltype(x){0} : x; };

/// The absolute value of a complex number is real.
Types absoluteType(ScalarType type) {
    switch (type) {
        case ScalarType::ComplexHalf:
            return {.common = type, .result = ScalarType::Half};
        case ScalarType::ComplexFloat:
            return {.common = type, .result = ScalarType::Float};
        case ScalarType::ComplexDouble:
            return {.common = type, .result = ScalarType::Double};
        default:
            return sameType(type);
    }
}

/// The complex conjugate; the identity for real numbers.
constexpr auto conjugate = [](auto x) {
    if constexpr (isComplexNumber<decltype(x)>) {
        return std::conj(x);
    } else {
        return x;
    }
};

constexpr Loops rootLoops = floatLoops<[](auto x) { return std::sqrt(x); }, 1, fast::sqrt>();
constexpr Loops reciprocalLoops = floatLoops<[](auto x) { return 1 / x; }, 1>();
constexpr Loops inverseRootLoops = floatLoops<[](auto x) { return 1 / std::sqrt(x); }, 1, fast::rsqrt>();

/// (Tensor self, out): PyTorch rounds the root of a half or bfloat16 before dividing.
core::Result<> rsqrtOut(KernelContext& context, const Tensor& self, Tensor& out) {
    const ScalarType type = self.dtype();
    if (!core::isReducedFloat(type) || out.dtype() != type) {
        return unary<inverseRootLoops, floatType>(context, self, out);
    }
    ET_TRY((unary<rootLoops, sameType>(context, self, out)));
    return computeInto(context, {.loops = reciprocalLoops, .common = type, .result = type},
                       std::array{Input(out)}, out);
}

constexpr KernelEntry mathEntries[] = {
    {"aten::acos.out", onFloats<[](auto x) { return std::acos(x); }>},
    {"aten::acosh.out", onFloats<[](auto x) { return std::acosh(x); }>},
    {"aten::asin.out", onFloats<[](auto x) { return std::asin(x); }>},
    {"aten::asinh.out", onFloats<[](auto x) { return std::asinh(x); }>},
    {"aten::atan.out", onFloats<[](auto x) { return std::atan(x); }>},
    {"aten::atanh.out", onFloats<[](auto x) { return std::atanh(x); }>},
    {"aten::cos.out", onFloats<[](auto x) { return std::cos(x); }>},
    {"aten::cosh.out", onFloats<[](auto x) { return std::cosh(x); }>},
    {"aten::erf.out", onFloats<[](auto x) { return std::erf(x); }>},
    {"aten::exp.out", onFloats<[](auto x) { return std::exp(x); }, fast::exponential>},
    {"aten::expm1.out", onFloats<[](auto x) { return std::expm1(x); }>},
    {"aten::log.out", onFloats<[](auto x) { return std::log(x); }, fast::logarithm>},
    {"aten::log10.out", onFloats<[](auto x) { return std::log10(x); }>},
    {"aten::log1p.out", onFloats<[](auto x) { return std::log1p(x); }>},
    {"aten::log2.out", onFloats<[](auto x) { return std::log2(x); }>},
    {"aten::reciprocal.out", box<&unary<reciprocalLoops, floatType>>},
    {"aten::rsqrt.out", box<&rsqrtOut>},
    {"aten::sin.out", onFloats<[](auto x) { return std::sin(x); }>},
    {"aten::sinh.out", onFloats<[](auto x) { return std::sinh(x); }>},
    {"aten::sqrt.out", box<&unary<rootLoops, floatType>>},
    {"aten::tan.out", onFloats<[](auto x) { return std::tan(x); }>},
    {"aten::tanh.out", onFloats<[](auto x) { return std::tanh(x); }, fast::tanh>},

    {"aten::atan2.out",
     box<&binary<floatLoops<[](auto y, auto x) { return std::atan2(y, x); }, 2>(), floatType>>},

    {"aten::ceil.out", onFractions<[](auto x) { return std::ceil(x); }, fast::ceil>},
    {"aten::floor.out", onFractions<[](auto x) { return std::floor(x); }, fast::floor>},
    {"aten::round.out", onFractionsOfNumbers<[](auto x) { return std::nearbyint(x); }, fast::round>},
    {"aten::trunc.out", onFractions<[](auto x) { return std::trunc(x); }, fast::trunc>},

    {"aten::_conj_physical.out",
     box<&unaryExact<withComplex<conjugate, 1>(realLoops<conjugate, 1>()), sameType>>},
    {"aten::abs.out", box<&unary<withComplex<absolute, 1>(orderedLoops<absolute, 1>()), absoluteType>>},
    {"aten::neg.out", box<&unary<withComplex<negative, 1>(withoutBool(realLoops<negative, 1>())), sameType>>},
    {"aten::relu.out", box<&unary<withoutBool(orderedLoops<relu, 1, fast::relu>()), sameType>>},
    {"aten::sign.out", box<&unary<orderedLoops<sign, 1>(), sameType>>},
};

}  // namespace

std::span<const KernelEntry> mathKernels() {
    return mathEntries;
}

}  // namespace et::kernels
