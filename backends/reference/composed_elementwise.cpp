#include "backends/reference/composing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// Elementwise operators without a kernel, composed of operators that have one. Definitions:
// https://docs.pytorch.org/docs/stable/nn.functional.html
namespace et::backends::reference {
namespace {

using core::Result;
using core::ScalarType;

ReferenceValue number(double value) {
    return {value};
}

Composed silu(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto gate, calls.tensor("aten.sigmoid.default", {arguments[0]}, dtype));
    return gives(calls.tensor("aten.mul.Tensor", {arguments[0], {gate}}, dtype));
}

Composed clampBetween(Calls& calls, Arguments arguments, Kinds results, double low, double high) {
    return gives(calls.tensor("aten.hardtanh.default", {arguments[0], number(low), number(high)},
                              resultTypeOf(results, arguments)));
}

Composed relu6(Calls& calls, Arguments arguments, Kinds results) {
    return clampBetween(calls, arguments, results, 0, 6);
}

/// relu6(x + 3) / 6
Result<ReferenceTensor> hardGate(Calls& calls, const ReferenceValue& x, ScalarType dtype) {
    ET_ASSIGN(auto moved, calls.tensor("aten.add.Scalar", {x, number(3)}, dtype));
    ET_ASSIGN(auto cut, calls.tensor("aten.hardtanh.default", {{moved}, number(0), number(6)}, dtype));
    return calls.tensor("aten.div.Scalar", {{cut}, number(6)}, dtype);
}

Composed hardsigmoid(Calls& calls, Arguments arguments, Kinds results) {
    return gives(hardGate(calls, arguments[0], resultTypeOf(results, arguments)));
}

Composed hardswish(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto gate, hardGate(calls, arguments[0], dtype));
    return gives(calls.tensor("aten.mul.Tensor", {arguments[0], {gate}}, dtype));
}

/// log(1 + exp(beta x)) / beta, or x if beta x is above the threshold.
Composed softplus(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto scaled, calls.tensor("aten.mul.Scalar", {arguments[0], arguments[1]}, dtype));
    ET_ASSIGN(auto isLarge, calls.tensor("aten.gt.Scalar", {{scaled}, arguments[2]}, ScalarType::Bool));
    ET_ASSIGN(auto powers, calls.tensor("aten.exp.default", {{scaled}}, dtype));
    ET_ASSIGN(auto logs, calls.tensor("aten.log1p.default", {{powers}}, dtype));
    ET_ASSIGN(auto soft, calls.tensor("aten.div.Scalar", {{logs}, arguments[1]}, dtype));
    return gives(calls.tensor("aten.where.self", {{isLarge}, arguments[0], {soft}}, dtype));
}

Composed mish(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    const std::array<ReferenceValue, 3> inner{arguments[0], {1.0}, {20.0}};
    ET_ASSIGN(const auto soft, softplus(calls, inner, results));
    ET_ASSIGN(auto gate, calls.tensor("aten.tanh.default", {soft.front()}, dtype));
    return gives(calls.tensor("aten.mul.Tensor", {arguments[0], {gate}}, dtype));
}

Composed square(Calls& calls, Arguments arguments, Kinds results) {
    return gives(
        calls.tensor("aten.mul.Tensor", {arguments[0], arguments[0]}, resultTypeOf(results, arguments)));
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
    ET_ASSIGN(auto isAbove, calls.tensor("aten.gt.Scalar", {arguments[0], number(0)}, ScalarType::Bool));
    return gives(calls.tensor("aten.where.self", {{isAbove}, arguments[0], {below}}, dtype));
}

Composed rsubTensor(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten.sub.Tensor", {arguments[1], arguments[0], arguments[2]},
                              resultTypeOf(results, arguments)));
}

/// self + value * a (multiplied or divided by) b
Composed addProduct(Calls& calls, Arguments arguments, Kinds results, std::string_view combine) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto both, calls.tensor(combine, {arguments[1], arguments[2]}, dtype));
    return gives(calls.tensor("aten.add.Tensor", {arguments[0], {both}, arguments[3]}, dtype));
}

Composed addcmul(Calls& calls, Arguments arguments, Kinds results) {
    return addProduct(calls, arguments, results, "aten.mul.Tensor");
}

Composed addcdiv(Calls& calls, Arguments arguments, Kinds results) {
    return addProduct(calls, arguments, results, "aten.div.Tensor");
}

Composed clampMin(Calls& calls, Arguments arguments, Kinds results) {
    return gives(
        calls.tensor("aten.clamp.default", {arguments[0], arguments[1]}, resultTypeOf(results, arguments)));
}

Composed clampMax(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten.clamp.default", {arguments[0], {}, arguments[1]},
                              resultTypeOf(results, arguments)));
}

Result<ReferenceValue> asTensor(Calls& calls, const ReferenceValue& value) {
    const auto scalar = scalarOf(value);
    if (!scalar) {
        return value;
    }
    ET_ASSIGN(auto tensor, calls.wrapped(*scalar));
    return ReferenceValue{std::move(tensor)};
}

/// where() with numbers in place of one or both tensors.
Composed whereNumbers(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto yes, asTensor(calls, arguments[1]));
    ET_ASSIGN(const auto no, asTensor(calls, arguments[2]));
    return gives(calls.tensor("aten.where.self", {arguments[0], yes, no}, resultTypeOf(results, arguments)));
}

Composed maskedFillTensor(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten.where.self", {arguments[1], arguments[2], arguments[0]},
                              resultTypeOf(results, arguments)));
}

Composed erfc(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto made, calls.tensor("aten.erf.default", {arguments[0]}, dtype));
    return gives(calls.tensor("aten.rsub.Scalar", {{made}, number(1)}, dtype));
}

/// self + weight * (end - self)
Composed lerp(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const auto weight, asTensor(calls, arguments[2]));
    ET_ASSIGN(auto distance, calls.tensor("aten.sub.Tensor", {arguments[1], arguments[0]}, dtype));
    ET_ASSIGN(auto part, calls.tensor("aten.mul.Tensor", {{distance}, weight}, dtype));
    return gives(calls.tensor("aten.add.Tensor", {arguments[0], {part}}, dtype));
}

Composed zero(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten.zeros_like.default", {arguments[0]}, resultTypeOf(results, arguments)));
}

Composed logSigmoid(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto negative, calls.tensor("aten.neg.default", {arguments[0]}, dtype));
    const std::array<ReferenceValue, 3> inner{ReferenceValue{negative}, {1.0}, {700.0}};
    ET_ASSIGN(const auto soft, softplus(calls, inner, results));
    return gives(calls.tensor("aten.neg.default", {soft.front()}, dtype));
}

/// Size checks left in a graph by export: the values are as exported, or the operators return an error.
Composed nothing(Calls&, Arguments, Kinds results) {
    return std::vector<ReferenceValue>(results.size());
}

constexpr Operator composedElementwiseRows[] = {
    {"aten.silu.default", "self", "", silu},
    {"aten.relu6.default", "self", "", relu6},
    {"aten.hardsigmoid.default", "self", "", hardsigmoid},
    {"aten.hardswish.default", "self", "", hardswish},
    {"aten.softplus.default", "self beta=1.0 threshold=20.0", "", softplus},
    {"aten.mish.default", "self", "", mish},
    {"aten.log_sigmoid.default", "self", "", logSigmoid},
    {"aten.square.default", "self", "", square},
    {"aten.prelu.default", "self weight", "", prelu},
    {"aten._prelu_kernel.default", "self weight", "", prelu},
    {"aten.rsub.Tensor", "self other alpha=1", "", rsubTensor},
    {"aten.addcmul.default", "self tensor1 tensor2 value=1", "", addcmul},
    {"aten.addcdiv.default", "self tensor1 tensor2 value=1", "", addcdiv},
    {"aten.clamp_min.default", "self min", "", clampMin},
    {"aten.clamp_max.default", "self max", "", clampMax},
    {"aten.where.ScalarSelf", "condition self other", "", whereNumbers},
    {"aten.where.ScalarOther", "condition self other", "", whereNumbers},
    {"aten.where.Scalar", "condition self other", "", whereNumbers},
    {"aten.masked_fill.Tensor", "self mask value", "", maskedFillTensor},
    {"aten.erfc.default", "self", "", erfc},
    {"aten.lerp.Scalar", "self end weight", "", lerp},
    {"aten.lerp.Tensor", "self end weight", "", lerp},
    {"aten.zero.default", "self", "", zero},
    {"aten._assert_scalar.default", "self assert_msg", "", nothing},
    {"aten._assert_async.msg", "self assert_msg", "", nothing},
    {"aten._assert_tensor_metadata.default", "a size=None stride=None", "", nothing},
    {"aten.sym_constrain_range.default", "size min=None max=None", "", nothing},
    {"aten.sym_constrain_range_for_size.default", "size min=None max=None", "", nothing},
};

}  // namespace

std::span<const Operator> composedElementwise() {
    return composedElementwiseRows;
}

}  // namespace et::backends::reference
