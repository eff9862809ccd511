#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

// Sums, deviations and norms of the ATen dialect out of core operators.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::ScalarType;

Composed sumAll(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten.sum.dim_IntList", {arguments[0], {}, no, arguments[1]},
                              resultTypeOf(results, arguments)));
}

/// self dim correction keepdim
Composed deviation(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto variance, calls.tensor("aten.var.correction",
                                          {arguments[0], arguments[1], arguments[2], arguments[3]}, dtype));
    return gives(calls.tensor("aten.sqrt.default", {{variance}}, dtype));
}

/// self dim unbiased keepdim
Composed deviationOfDim(Calls& calls, Arguments arguments, Kinds results) {
    const std::array<ReferenceValue, 4> inner{arguments[0], arguments[1], whole(isTrue(arguments[2]) ? 1 : 0),
                                              arguments[3]};
    return deviation(calls, inner, results);
}

/// self unbiased: of all elements.
Composed deviationOfAll(Calls& calls, Arguments arguments, Kinds results) {
    const std::array<ReferenceValue, 4> inner{arguments[0], ReferenceValue{},
                                              whole(isTrue(arguments[1]) ? 1 : 0), no};
    return deviation(calls, inner, results);
}

Composed varianceOfAll(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten.var.correction",
                              {arguments[0], {}, whole(isTrue(arguments[1]) ? 1 : 0), no},
                              resultTypeOf(results, arguments)));
}

/// self dim keepdim: the largest number is taken out first, so that nothing overflows.
Composed logSumExp(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto largest, calls.tensor("aten.amax.default", {arguments[0], arguments[1], yes}, dtype));
    ET_ASSIGN(auto moved, calls.tensor("aten.sub.Tensor", {arguments[0], {largest}}, dtype));
    ET_ASSIGN(auto powers, calls.tensor("aten.exp.default", {{moved}}, dtype));
    ET_ASSIGN(auto sums, calls.tensor("aten.sum.dim_IntList", {{powers}, arguments[1], yes}, dtype));
    ET_ASSIGN(auto logs, calls.tensor("aten.log.default", {{sums}}, dtype));
    ET_ASSIGN(auto made, calls.tensor("aten.add.Tensor", {{logs}, {largest}}, dtype));
    if (isTrue(arguments[2])) {
        return gives(std::move(made));
    }
    return gives(calls.tensor("aten.squeeze_copy.dims", {{made}, arguments[1]}, dtype));
}

/// self ord dim keepdim, of the orders 1, 2 and infinity.
Composed vectorNorm(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const double order, numberOf(arguments[1]));
    ET_ASSIGN(auto sizes, calls.tensor("aten.abs.default", {arguments[0]}, dtype));
    if (order == 1) {
        return gives(calls.tensor("aten.sum.dim_IntList", {{sizes}, arguments[2], arguments[3]}, dtype));
    }
    if (std::isinf(order) && order > 0) {
        const ReferenceValue dims = isNone(arguments[2]) ? listOf({}) : arguments[2];
        return gives(calls.tensor("aten.amax.default", {{sizes}, dims, arguments[3]}, dtype));
    }
    if (order != 2) {
        return core::fail(ErrorCode::Unsupported, fmt::format("a norm of order {}", order));
    }
    ET_ASSIGN(auto squares, calls.tensor("aten.mul.Tensor", {{sizes}, {sizes}}, dtype));
    ET_ASSIGN(auto sum, calls.tensor("aten.sum.dim_IntList", {{squares}, arguments[2], arguments[3]}, dtype));
    return gives(calls.tensor("aten.sqrt.default", {{sum}}, dtype));
}

constexpr Operator composedReductionsRows[] = {
    {"aten.sum.default", "self dtype=None", "", sumAll},
    {"aten.std.correction", "self dim=None correction=None keepdim=False", "", deviation},
    {"aten.std.default", "self unbiased=True", "", deviationOfAll},
    {"aten.var.default", "self unbiased=True", "", varianceOfAll},
    {"aten.logsumexp.default", "self dim keepdim=False", "", logSumExp},
    {"aten.std.dim", "self dim unbiased=True keepdim=False", "", deviationOfDim},
    {"aten.linalg_vector_norm.default", "self ord=2 dim=None keepdim=False dtype=None", "", vectorNorm},
};

}  // namespace

std::span<const Operator> composedReductions() {
    return composedReductionsRows;
}

}  // namespace et::backends::reference
