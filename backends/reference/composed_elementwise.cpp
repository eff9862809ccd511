#include "backends/reference/composing.h"

#include <cmath>
#include <limits>
#include <numbers>

// Elementwise operators without a kernel, composed of operators that have one. Definitions:
// https://docs.pytorch.org/docs/stable/nn.functional.html and torch.html#math-operations
namespace et::backends::reference {
namespace {

using core::ScalarType;

ReferenceValue relu6(Formula& f) {
    return f("aten.hardtanh.default", {f[0], {0.0}, {6.0}});
}

/// relu6(x + 3) / 6
ReferenceValue hardsigmoid(Formula& f) {
    const auto moved = f("aten.add.Scalar", {f[0], {3.0}});
    return f("aten.div.Scalar", {f("aten.hardtanh.default", {moved, {0.0}, {6.0}}), {6.0}});
}

/// log(1 + exp(beta x)) / beta, or x if beta x is above the threshold.
ReferenceValue softplus(Formula& f) {
    const auto scaled = f("aten.mul.Scalar", {f[0], f[1]});
    const auto isLarge = f.test("aten.gt.Scalar", {scaled, f[2]});
    const auto logs = f("aten.log1p.default", {f("aten.exp.default", {scaled})});
    return f("aten.where.self", {isLarge, f[0], f("aten.div.Scalar", {logs, f[1]})});
}

ReferenceValue mish(Formula& f) {
    const auto soft = f("aten.softplus.default", {f[0], {1.0}, {20.0}});
    return f("aten.mul.Tensor", {f[0], f("aten.tanh.default", {soft})});
}

ReferenceValue logSigmoid(Formula& f) {
    const auto negative = f("aten.neg.default", {f[0]});
    return f("aten.neg.default", {f("aten.softplus.default", {negative, {1.0}, {700.0}})});
}

/// max(x, 0) + weight * min(x, 0), with a weight per channel.
Composed prelu(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const auto input, tensorOf(arguments[0]));
    ET_ASSIGN(auto weight, tensorOf(arguments[1]));
    std::vector<std::int64_t> sizes(input.view.dim(), 1);
    if (sizes.size() > 1) {
        sizes[1] = weight.view.numel();
    }
    ET_ASSIGN(weight, calls.tensor("aten.view_copy.default", {{weight}, listOf(sizes)}, dtype));
    ET_ASSIGN(auto below, calls.tensor("aten.mul.Tensor", {arguments[0], {weight}}, dtype));
    ET_ASSIGN(auto isAbove, calls.tensor("aten.gt.Scalar", {arguments[0], {0.0}}, ScalarType::Bool));
    return gives(calls.tensor("aten.where.self", {{isAbove}, arguments[0], {below}}, dtype));
}

/// where() with numbers in place of one or both tensors.
ReferenceValue whereNumbers(Formula& f) {
    return f("aten.where.self", {f[0], f.wrapped(1), f.wrapped(2)});
}

/// self + weight * (end - self)
ReferenceValue lerp(Formula& f) {
    const auto weight = f.wrapped(2);
    const auto distance = f("aten.sub.Tensor", {f[1], f[0]});
    return f("aten.add.Tensor", {f[0], f("aten.mul.Tensor", {distance, weight})});
}

ReferenceValue selu(Formula& f) {
    constexpr double alpha = 1.6732632423543772848170429916717;
    constexpr double scale = 1.0507009873554804934193349852946;
    return f("aten.elu.default", {f[0], {alpha}, {scale}});
}

/// max(0, x) + min(0, alpha (exp(x / alpha) - 1))
ReferenceValue celu(Formula& f) {
    const double alpha = f.number(1);
    return f("aten.elu.default", {f[0], {alpha}, {1.0}, {1 / alpha}});
}

ReferenceValue hardshrink(Formula& f) {
    const auto isSmall = f.test("aten.le.Scalar", {f("aten.abs.default", {f[0]}), f[1]});
    return f("aten.where.Scalar", {isSmall, {0.0}, f[0]});
}

ReferenceValue softshrink(Formula& f) {
    const double bound = f.number(1);
    return f("aten.sub.Tensor", {f[0], f("aten.clamp.default", {f[0], {-bound}, {bound}})});
}

/// x if above the threshold, otherwise the value.
ReferenceValue threshold(Formula& f) {
    return f("aten.where.Scalar", {f.test("aten.le.Scalar", {f[0], f[1]}), f[2], f[0]});
}

/// self lower upper training: outside training, uses the mean of both slopes.
ReferenceValue rrelu(Formula& f) {
    if (isTrue(f[3])) {
        return f.fail("rrelu in training mode uses PyTorch's random numbers");
    }
    const double lower = f.number(1);
    const double upper = f.number(2);
    return f("aten.leaky_relu.default", {f[0], {(lower + upper) / 2}});
}

/// max(a, b) + log(1 + exp(-|a - b|))
ReferenceValue logAddExp(Formula& f) {
    const auto larger = f("aten.maximum.default", {f[0], f[1]});
    const auto apart = f("aten.abs.default", {f("aten.sub.Tensor", {f[0], f[1]})});
    const auto power = f("aten.exp.default", {f("aten.neg.default", {apart})});
    const auto sum = f("aten.add.Tensor", {larger, f("aten.log1p.default", {power})});
    // The difference of equal infinities is NaN.
    return f("aten.where.Scalar", {f.test("aten.isinf.default", {larger}), larger, sum});
}

/// self * log(other); 0 where self is 0 and other is not NaN.
ReferenceValue xlogy(Formula& f) {
    const auto product = f("aten.mul.Tensor", {f[0], f("aten.log.default", {f[1]})});
    const auto isZero = f.test("aten.eq.Scalar", {f[0], {0.0}});
    const auto isSome = f.test("aten.logical_not.default", {f.test("aten.isnan.default", {f[1]})});
    return f("aten.where.Scalar", {f.test("aten.logical_and.default", {isZero, isSome}), {0.0}, product});
}

ReferenceValue isFinite(Formula& f) {
    const auto isInfinite = f.test("aten.isinf.default", {f[0]});
    const auto isNan = f.test("aten.isnan.default", {f[0]});
    return f.test("aten.logical_not.default", {f.test("aten.logical_or.default", {isInfinite, isNan})});
}

/// self nan posinf neginf: defaults are 0 and the extreme values of the dtype.
ReferenceValue nanToNum(Formula& f) {
    const double largest = f.dtype == ScalarType::Double ? std::numeric_limits<double>::max()
                           : f.dtype == ScalarType::Half ? 65504.0
                           : f.dtype == ScalarType::BFloat16
                               ? 3.3895313892515355e38
                               : static_cast<double>(std::numeric_limits<float>::max());
    auto made = f("aten.where.Scalar", {f.test("aten.isnan.default", {f[0]}), f.orElse(1, {0.0}), f[0]});
    for (const double sign : {1.0, -1.0}) {
        const auto isThis = f.test("aten.eq.Scalar", {made, {sign * HUGE_VAL}});
        made = f("aten.where.Scalar", {isThis, f.orElse(sign > 0 ? 2 : 3, {sign * largest}), made});
    }
    return made;
}

/// self dim: a row of only -inf gives zeros.
ReferenceValue safeSoftmax(Formula& f) {
    const auto input = f.converted(0);
    const auto soft = f("aten._softmax.default", {input, f[1], no});
    const auto isHidden = f.test("aten.eq.Scalar", {input, {-HUGE_VAL}});
    return f("aten.where.Scalar", {f.test("aten.all.dim", {isHidden, f[1], yes}), {0.0}, soft});
}

/// Size checks left in a graph by export: the values are as exported, or the operators return an error.
Composed nothing(Calls&, Arguments, Kinds results) {
    return std::vector<ReferenceValue>(results.size());
}

constexpr Operator composedElementwiseRows[] = {
    {"aten.silu.default", "self", "",
     compose<[](Formula& f) { return f("aten.mul.Tensor", {f[0], f("aten.sigmoid.default", {f[0]})}); }>},
    {"aten.relu6.default", "self", "", compose<relu6>},
    {"aten.hardsigmoid.default", "self", "", compose<hardsigmoid>},
    {"aten.hardswish.default", "self", "",
     compose<[](Formula& f) { return f("aten.mul.Tensor", {f[0], hardsigmoid(f)}); }>},
    {"aten.softplus.default", "self beta=1.0 threshold=20.0", "", compose<softplus>},
    {"aten.mish.default", "self", "", compose<mish>},
    {"aten.log_sigmoid.default", "self", "", compose<logSigmoid>},
    {"aten.square.default", "self", "",
     compose<[](Formula& f) { return f("aten.mul.Tensor", {f[0], f[0]}); }>},
    {"aten.prelu.default", "self weight", "", prelu},
    {"aten._prelu_kernel.default", "self weight", "", prelu},
    {"aten.rsub.Tensor", "self other alpha=1", "",
     compose<[](Formula& f) { return f("aten.sub.Tensor", {f[1], f[0], f[2]}); }>},
    {"aten.addcmul.default", "self tensor1 tensor2 value=1", "", compose<[](Formula& f) {
         return f("aten.add.Tensor", {f[0], f("aten.mul.Tensor", {f[1], f[2]}), f[3]});
     }>},
    {"aten.addcdiv.default", "self tensor1 tensor2 value=1", "", compose<[](Formula& f) {
         return f("aten.add.Tensor", {f[0], f("aten.div.Tensor", {f[1], f[2]}), f[3]});
     }>},
    {"aten.clamp_min.default", "self min", "",
     compose<[](Formula& f) { return f("aten.clamp.default", {f[0], f[1]}); }>},
    {"aten.clamp_max.default", "self max", "",
     compose<[](Formula& f) { return f("aten.clamp.default", {f[0], {}, f[1]}); }>},
    {"aten.where.ScalarSelf", "condition self other", "", compose<whereNumbers>},
    {"aten.where.ScalarOther", "condition self other", "", compose<whereNumbers>},
    {"aten.where.Scalar", "condition self other", "", compose<whereNumbers>},
    {"aten.masked_fill.Tensor", "self mask value", "",
     compose<[](Formula& f) { return f("aten.where.self", {f[1], f[2], f[0]}); }>},
    {"aten.erfc.default", "self", "",
     compose<[](Formula& f) { return f("aten.rsub.Scalar", {f("aten.erf.default", {f[0]}), {1.0}}); }>},
    {"aten.lerp.Scalar", "self end weight", "", compose<lerp>},
    {"aten.lerp.Tensor", "self end weight", "", compose<lerp>},
    {"aten.zero.default", "self", "",
     compose<[](Formula& f) { return f("aten.zeros_like.default", {f[0]}); }>},
    {"aten._assert_scalar.default", "self assert_msg", "", nothing},
    {"aten._assert_async.msg", "self assert_msg", "", nothing},
    {"aten._assert_tensor_metadata.default", "a size=None stride=None", "", nothing},
    {"aten.sym_constrain_range.default", "size min=None max=None", "", nothing},
    {"aten.sym_constrain_range_for_size.default", "size min=None max=None", "", nothing},
    {"aten.selu.default", "self", "", compose<selu>},
    {"aten.celu.default", "self alpha=1.0", "", compose<celu>},
    {"aten.hardshrink.default", "self lambd=0.5", "", compose<hardshrink>},
    {"aten.softshrink.default", "self lambd=0.5", "", compose<softshrink>},
    {"aten.threshold.default", "self threshold value", "", compose<threshold>},
    {"aten.rrelu.default", "self lower=0.125 upper=0.3333333333333333 training=False", "", compose<rrelu>},
    {"aten.logaddexp.default", "self other", "", compose<logAddExp>},
    {"aten.xlogy.Tensor", "self other", "", compose<xlogy>},
    {"aten.frac.default", "self", "",
     compose<[](Formula& f) { return f("aten.sub.Tensor", {f[0], f("aten.trunc.default", {f[0]})}); }>},
    {"aten.exp2.default", "self", "",
     compose<[](Formula& f) { return f("aten.pow.Scalar", {{2.0}, f[0]}); }>},
    {"aten.deg2rad.default", "self", "",
     compose<[](Formula& f) { return f("aten.mul.Scalar", {f[0], {std::numbers::pi / 180}}); }>},
    {"aten.rad2deg.default", "self", "",
     compose<[](Formula& f) { return f("aten.mul.Scalar", {f[0], {180 / std::numbers::pi}}); }>},
    {"aten.isfinite.default", "self", "", compose<isFinite>},
    {"aten.nan_to_num.default", "self nan=None posinf=None neginf=None", "", compose<nanToNum>},
    {"aten.clamp_min.Tensor", "self min", "",
     compose<[](Formula& f) { return f("aten.maximum.default", {f[0], f[1]}); }>},
    {"aten.clamp_max.Tensor", "self max", "",
     compose<[](Formula& f) { return f("aten.minimum.default", {f[0], f[1]}); }>},
    {"aten._safe_softmax.default", "self dim", "", compose<safeSoftmax>},
};

}  // namespace

std::span<const Operator> composedElementwise() {
    return composedElementwiseRows;
}

}  // namespace et::backends::reference
