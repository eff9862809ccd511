#include "backends/reference/composing.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

// Elementwise functions of the ATen dialect that export decomposes before the Edge dialect. Definitions:
// https://docs.pytorch.org/docs/stable/nn.functional.html and torch.html#math-operations
namespace et::backends::reference {
namespace {

using core::ScalarType;

/// `chosen` where `condition` holds, `otherwise` elsewhere; either may be a number.
Composed choose(Calls& calls, ReferenceTensor condition, const ReferenceValue& chosen,
                const ReferenceValue& otherwise, ScalarType dtype) {
    return gives(calls.tensor("aten.where.Scalar", {{std::move(condition)}, chosen, otherwise}, dtype));
}

Composed selu(Calls& calls, Arguments arguments, Kinds results) {
    constexpr double alpha = 1.6732632423543772848170429916717;
    constexpr double scale = 1.0507009873554804934193349852946;
    return gives(
        calls.tensor("aten.elu.default", {arguments[0], {alpha}, {scale}}, resultTypeOf(results, arguments)));
}

/// max(0, x) + min(0, alpha (exp(x / alpha) - 1))
Composed celu(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const double alpha, numberOf(arguments[1]));
    return gives(calls.tensor("aten.elu.default", {arguments[0], {alpha}, {1.0}, {1 / alpha}},
                              resultTypeOf(results, arguments)));
}

Composed hardshrink(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto size, calls.tensor("aten.abs.default", {arguments[0]}, dtype));
    ET_ASSIGN(auto isSmall, calls.tensor("aten.le.Scalar", {{size}, arguments[1]}, ScalarType::Bool));
    return choose(calls, std::move(isSmall), {0.0}, arguments[0], dtype);
}

Composed softshrink(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const double bound, numberOf(arguments[1]));
    ET_ASSIGN(auto cut, calls.tensor("aten.clamp.default", {arguments[0], {-bound}, {bound}}, dtype));
    return gives(calls.tensor("aten.sub.Tensor", {arguments[0], {cut}}, dtype));
}

/// x if above the threshold, otherwise the value.
Composed threshold(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto isBelow, calls.tensor("aten.le.Scalar", {arguments[0], arguments[1]}, ScalarType::Bool));
    return choose(calls, std::move(isBelow), arguments[2], arguments[0], dtype);
}

/// self lower upper training: outside training, uses the mean of both slopes.
Composed rrelu(Calls& calls, Arguments arguments, Kinds results) {
    if (isTrue(arguments[3])) {
        return core::fail(core::ErrorCode::Unsupported,
                          "rrelu in training mode uses PyTorch's random numbers");
    }
    ET_ASSIGN(const double lower, numberOf(arguments[1]));
    ET_ASSIGN(const double upper, numberOf(arguments[2]));
    return gives(calls.tensor("aten.leaky_relu.default", {arguments[0], {(lower + upper) / 2}},
                              resultTypeOf(results, arguments)));
}

/// max(a, b) + log(1 + exp(-|a - b|))
Composed logAddExp(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto larger, calls.tensor("aten.maximum.default", {arguments[0], arguments[1]}, dtype));
    ET_ASSIGN(auto apart, calls.tensor("aten.sub.Tensor", {arguments[0], arguments[1]}, dtype));
    ET_ASSIGN(apart, calls.tensor("aten.abs.default", {{apart}}, dtype));
    ET_ASSIGN(apart, calls.tensor("aten.neg.default", {{apart}}, dtype));
    ET_ASSIGN(auto power, calls.tensor("aten.exp.default", {{apart}}, dtype));
    ET_ASSIGN(auto rest, calls.tensor("aten.log1p.default", {{power}}, dtype));
    // The difference of equal infinities is NaN.
    ET_ASSIGN(auto sum, calls.tensor("aten.add.Tensor", {{larger}, {rest}}, dtype));
    ET_ASSIGN(auto isInfinite, calls.tensor("aten.isinf.default", {{larger}}, ScalarType::Bool));
    return choose(calls, std::move(isInfinite), {larger}, {sum}, dtype);
}

/// self * log(other); 0 where self is 0 and other is not NaN.
Composed xlogy(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto log, calls.tensor("aten.log.default", {arguments[1]}, dtype));
    ET_ASSIGN(auto product, calls.tensor("aten.mul.Tensor", {arguments[0], {log}}, dtype));
    ET_ASSIGN(auto isZero, calls.tensor("aten.eq.Scalar", {arguments[0], {0.0}}, ScalarType::Bool));
    ET_ASSIGN(auto isNone, calls.tensor("aten.isnan.default", {arguments[1]}, ScalarType::Bool));
    ET_ASSIGN(auto isSome, calls.tensor("aten.logical_not.default", {{isNone}}, ScalarType::Bool));
    ET_ASSIGN(auto both, calls.tensor("aten.logical_and.default", {{isZero}, {isSome}}, ScalarType::Bool));
    return choose(calls, std::move(both), {0.0}, {product}, dtype);
}

Composed frac(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto whole, calls.tensor("aten.trunc.default", {arguments[0]}, dtype));
    return gives(calls.tensor("aten.sub.Tensor", {arguments[0], {whole}}, dtype));
}

Composed powerOfTwo(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten.pow.Scalar", {{2.0}, arguments[0]}, resultTypeOf(results, arguments)));
}

Composed scaledBy(Calls& calls, Arguments arguments, Kinds results, double factor) {
    return gives(calls.tensor("aten.mul.Scalar", {arguments[0], {factor}}, resultTypeOf(results, arguments)));
}

Composed degreesToRadians(Calls& calls, Arguments arguments, Kinds results) {
    return scaledBy(calls, arguments, results, std::numbers::pi / 180);
}

Composed radiansToDegrees(Calls& calls, Arguments arguments, Kinds results) {
    return scaledBy(calls, arguments, results, 180 / std::numbers::pi);
}

Composed isFinite(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(auto isInfinite, calls.tensor("aten.isinf.default", {arguments[0]}, ScalarType::Bool));
    ET_ASSIGN(auto isNan, calls.tensor("aten.isnan.default", {arguments[0]}, ScalarType::Bool));
    ET_ASSIGN(auto isEither,
              calls.tensor("aten.logical_or.default", {{isInfinite}, {isNan}}, ScalarType::Bool));
    return gives(calls.tensor("aten.logical_not.default", {{isEither}}, ScalarType::Bool));
}

/// self nan posinf neginf: defaults are 0 and the extreme values of the dtype.
Composed nanToNum(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    const double largest = dtype == ScalarType::Double ? std::numeric_limits<double>::max()
                           : dtype == ScalarType::Half ? 65504.0
                           : dtype == ScalarType::BFloat16
                               ? 3.3895313892515355e38
                               : static_cast<double>(std::numeric_limits<float>::max());
    const auto orElse = [](const ReferenceValue& given, double otherwise) {
        return isNone(given) ? ReferenceValue{otherwise} : given;
    };
    ET_ASSIGN(auto isNan, calls.tensor("aten.isnan.default", {arguments[0]}, ScalarType::Bool));
    ET_ASSIGN(auto made, choose(calls, std::move(isNan), orElse(arguments[1], 0), arguments[0], dtype));
    for (const double sign : {1.0, -1.0}) {
        ET_ASSIGN(auto isThis,
                  calls.tensor("aten.eq.Scalar", {made.front(), {sign * HUGE_VAL}}, ScalarType::Bool));
        ET_ASSIGN(made, choose(calls, std::move(isThis), orElse(arguments[sign > 0 ? 2 : 3], sign * largest),
                               made.front(), dtype));
    }
    return made;
}

Composed clampMinTensor(Calls& calls, Arguments arguments, Kinds results) {
    return gives(
        calls.tensor("aten.maximum.default", {arguments[0], arguments[1]}, resultTypeOf(results, arguments)));
}

Composed clampMaxTensor(Calls& calls, Arguments arguments, Kinds results) {
    return gives(
        calls.tensor("aten.minimum.default", {arguments[0], arguments[1]}, resultTypeOf(results, arguments)));
}

/// self dim: a row of only -inf gives zeros.
Composed safeSoftmax(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(auto input, calls.converted(self, dtype));
    ET_ASSIGN(auto soft, calls.tensor("aten._softmax.default", {{input}, arguments[1], no}, dtype));
    ET_ASSIGN(auto isHidden, calls.tensor("aten.eq.Scalar", {{input}, {-HUGE_VAL}}, ScalarType::Bool));
    ET_ASSIGN(auto isNothing,
              calls.tensor("aten.all.dim", {{isHidden}, arguments[1], yes}, ScalarType::Bool));
    return choose(calls, std::move(isNothing), {0.0}, {soft}, dtype);
}

constexpr Operator composedFunctionsRows[] = {
    {"aten.selu.default", "self", "", selu},
    {"aten.celu.default", "self alpha=1.0", "", celu},
    {"aten.hardshrink.default", "self lambd=0.5", "", hardshrink},
    {"aten.softshrink.default", "self lambd=0.5", "", softshrink},
    {"aten.threshold.default", "self threshold value", "", threshold},
    {"aten.rrelu.default", "self lower=0.125 upper=0.3333333333333333 training=False", "", rrelu},
    {"aten.logaddexp.default", "self other", "", logAddExp},
    {"aten.xlogy.Tensor", "self other", "", xlogy},
    {"aten.frac.default", "self", "", frac},
    {"aten.exp2.default", "self", "", powerOfTwo},
    {"aten.deg2rad.default", "self", "", degreesToRadians},
    {"aten.rad2deg.default", "self", "", radiansToDegrees},
    {"aten.isfinite.default", "self", "", isFinite},
    {"aten.nan_to_num.default", "self nan=None posinf=None neginf=None", "", nanToNum},
    {"aten.clamp_min.Tensor", "self min", "", clampMinTensor},
    {"aten.clamp_max.Tensor", "self max", "", clampMaxTensor},
    {"aten._safe_softmax.default", "self dim", "", safeSoftmax},
};

}  // namespace

std::span<const Operator> composedFunctions() {
    return composedFunctionsRows;
}

}  // namespace et::backends::reference
