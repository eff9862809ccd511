#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

// Sums, deviations and norms of the ATen dialect, composed of core operators.
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

/// self unbiased: over all elements.
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

/// self dim keepdim: subtracts the maximum first to avoid overflow.
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

/// self ord dim keepdim: supports orders 1, 2 and infinity.
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

/// self p dim keepdim: vectorNorm() with reordered arguments; the default order is 2.
Composed norm(Calls& calls, Arguments arguments, Kinds results) {
    const std::array<ReferenceValue, 5> inner{arguments[0],
                                              isNone(arguments[1]) ? ReferenceValue{2.0} : arguments[1],
                                              arguments.size() > 2 ? arguments[2] : ReferenceValue{},
                                              arguments.size() > 3 ? arguments[3] : no,
                                              {}};
    return vectorNorm(calls, inner, results);
}

/// self dim keepdim
Composed frobeniusNorm(Calls& calls, Arguments arguments, Kinds results) {
    const std::array<ReferenceValue, 5> inner{arguments[0], {2.0}, arguments[1], arguments[2], {}};
    return vectorNorm(calls, inner, results);
}

/// self dim correction keepdim: standard deviation and mean.
Composed deviationAndMean(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(auto both, calls.several("aten.var_mean.correction", arguments, results));
    const auto* variance = both.front().as<ReferenceTensor>();
    if (variance == nullptr) {
        return both;
    }
    ET_ASSIGN(auto root, calls.tensor("aten.sqrt.default", {{*variance}}, variance->view.dtype()));
    both.front() = {std::move(root)};
    return both;
}

/// self dim unbiased keepdim
Composed varianceAndMeanOfDim(Calls& calls, Arguments arguments, Kinds results) {
    const std::array<ReferenceValue, 4> inner{arguments[0], arguments[1], whole(isTrue(arguments[2]) ? 1 : 0),
                                              arguments[3]};
    return calls.several("aten.var_mean.correction", inner, results);
}

/// self dim
Composed countNonzero(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(auto isSome, calls.tensor("aten.ne.Scalar", {arguments[0], {0.0}}, ScalarType::Bool));
    ET_ASSIGN(auto ones, calls.converted(isSome, ScalarType::Long));
    return gives(calls.tensor("aten.sum.dim_IntList",
                              {{ones}, arguments.size() > 1 ? arguments[1] : ReferenceValue{}, no},
                              ScalarType::Long));
}

/// self dim keepdim
Composed smallestAndLargest(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const std::vector<std::int64_t> numbers,
              isNone(arguments[1]) ? core::Result<std::vector<std::int64_t>>() : integersOf(arguments[1]));
    const ReferenceValue dims = listOf(numbers);
    ET_ASSIGN(auto smallest, calls.tensor("aten.amin.default", {arguments[0], dims, arguments[2]}, dtype));
    ET_ASSIGN(auto largest, calls.tensor("aten.amax.default", {arguments[0], dims, arguments[2]}, dtype));
    return std::vector<ReferenceValue>{{std::move(smallest)}, {std::move(largest)}};
}

/// x1 x2 dim eps: the dot product divided by the product of the lengths, each at least eps.
Composed cosineSimilarity(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const std::int64_t dim, integerOf(arguments[2]));
    std::array<ReferenceTensor, 2> units;
    for (std::size_t i = 0; i < units.size(); ++i) {
        ET_ASSIGN(auto length, calls.tensor("aten.linalg_vector_norm.default",
                                            {arguments[i], {2.0}, listOf(std::array{dim}), yes}, dtype));
        ET_ASSIGN(length, calls.tensor("aten.clamp_min.default", {{length}, arguments[3]}, dtype));
        ET_ASSIGN(units[i], calls.tensor("aten.div.Tensor", {arguments[i], {length}}, dtype));
    }
    ET_ASSIGN(auto product, calls.tensor("aten.mul.Tensor", {{units[0]}, {units[1]}}, dtype));
    return gives(calls.tensor("aten.sum.dim_IntList", {{product}, listOf(std::array{dim}), no}, dtype));
}

/// x1 x2 p eps keepdim: the norm of x1 - x2 + eps along the last dimension.
Composed pairwiseDistance(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto apart, calls.tensor("aten.sub.Tensor", {arguments[0], arguments[1]}, dtype));
    ET_ASSIGN(apart, calls.tensor("aten.add.Scalar", {{apart}, arguments[3]}, dtype));
    return gives(calls.tensor("aten.linalg_vector_norm.default",
                              {{apart}, arguments[2], listOf(std::array{std::int64_t{-1}}), arguments[4]},
                              dtype));
}

/// x1 x2 p compute_mode
Composed distances(Calls& calls, Arguments arguments, Kinds results) {
    return gives(calls.tensor("aten._cdist_forward.default",
                              {arguments[0], arguments[1], arguments[2], arguments[3]},
                              resultTypeOf(results, arguments)));
}

constexpr Operator composedReductionsRows[] = {
    {"aten.sum.default", "self dtype=None", "", sumAll},
    {"aten.std.correction", "self dim=None correction=None keepdim=False", "", deviation},
    {"aten.std.default", "self unbiased=True", "", deviationOfAll},
    {"aten.var.default", "self unbiased=True", "", varianceOfAll},
    {"aten.logsumexp.default", "self dim keepdim=False", "", logSumExp},
    {"aten.std.dim", "self dim unbiased=True keepdim=False", "", deviationOfDim},
    {"aten.linalg_vector_norm.default", "self ord=2 dim=None keepdim=False dtype=None", "", vectorNorm},
    {"aten.norm.Scalar", "self p=2", "", norm},
    {"aten.norm.ScalarOpt_dim", "self p dim keepdim=False", "", norm},
    {"aten.frobenius_norm.dim", "self dim keepdim=False", "", frobeniusNorm},
    {"aten.std_mean.correction", "self dim=None correction=None keepdim=False -> same same", "",
     deviationAndMean},
    {"aten.var_mean.dim", "self dim unbiased=True keepdim=False -> same same", "", varianceAndMeanOfDim},
    {"aten.count_nonzero.default", "self dim=None", "", countNonzero},
    {"aten.count_nonzero.dim_IntList", "self dim", "", countNonzero},
    {"aten.aminmax.default", "self dim=None keepdim=False -> same same", "", smallestAndLargest},
    {"aten.cosine_similarity.default", "x1 x2 dim=1 eps=1e-08", "", cosineSimilarity},
    {"aten.pairwise_distance.default", "x1 x2 p=2.0 eps=1e-06 keepdim=False", "", pairwiseDistance},
    {"aten.cdist.default", "x1 x2 p=2.0 compute_mode=None", "", distances},
};

}  // namespace

std::span<const Operator> composedReductions() {
    return composedReductionsRows;
}

}  // namespace et::backends::reference
