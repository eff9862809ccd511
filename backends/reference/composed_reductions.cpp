#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

// Sums, deviations and norms of the ATen dialect, composed of core operators.
namespace et::backends::reference {
namespace {

using core::ScalarType;

/// The degrees of freedom that an `unbiased` argument subtracts.
ReferenceValue correction(const ReferenceValue& unbiased) {
    return whole(isTrue(unbiased) ? 1 : 0);
}

/// self dim correction keepdim
ReferenceValue deviation(Formula& f) {
    return f("aten.sqrt.default", {f("aten.var.correction", {f[0], f[1], f[2], f[3]})});
}

/// self unbiased: over all elements.
ReferenceValue varianceOfAll(Formula& f) {
    return f("aten.var.correction", {f[0], {}, correction(f[1]), no});
}

/// self dim keepdim: subtracts the maximum first to avoid overflow.
ReferenceValue logSumExp(Formula& f) {
    const auto largest = f("aten.amax.default", {f[0], f[1], yes});
    const auto powers = f("aten.exp.default", {f("aten.sub.Tensor", {f[0], largest})});
    const auto sums = f("aten.sum.dim_IntList", {powers, f[1], yes});
    auto made = f("aten.add.Tensor", {f("aten.log.default", {sums}), largest});
    return isTrue(f[2]) ? made : f("aten.squeeze_copy.dims", {made, f[1]});
}

/// self ord dim keepdim: supports orders 1, 2 and infinity.
ReferenceValue vectorNorm(Formula& f) {
    const double order = f.number(1);
    const auto sizes = f("aten.abs.default", {f[0]});
    if (order == 1) {
        return f("aten.sum.dim_IntList", {sizes, f[2], f[3]});
    }
    if (std::isinf(order) && order > 0) {
        return f("aten.amax.default", {sizes, f.orElse(2, listOf({})), f[3]});
    }
    if (order != 2) {
        return f.fail(fmt::format("a norm of order {}", order));
    }
    const auto squares = f("aten.mul.Tensor", {sizes, sizes});
    return f("aten.sqrt.default", {f("aten.sum.dim_IntList", {squares, f[2], f[3]})});
}

/// self p dim keepdim: vectorNorm() with reordered arguments; the default order is 2.
ReferenceValue norm(Formula& f) {
    return f("aten.linalg_vector_norm.default", {f[0], f.orElse(1, {2.0}), f.orElse(2, {}), f.orElse(3, no)});
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
    const std::array<ReferenceValue, 4> inner{arguments[0], arguments[1], correction(arguments[2]),
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
ReferenceValue pairwiseDistance(Formula& f) {
    const auto apart = f("aten.add.Scalar", {f("aten.sub.Tensor", {f[0], f[1]}), f[3]});
    return f("aten.linalg_vector_norm.default", {apart, f[2], listOf(std::array{std::int64_t{-1}}), f[4]});
}

constexpr Operator composedReductionsRows[] = {
    {"aten.sum.default", "self dtype=None", "",
     compose<[](Formula& f) { return f("aten.sum.dim_IntList", {f[0], {}, no, f[1]}); }>},
    {"aten.std.correction", "self dim=None correction=None keepdim=False", "", compose<deviation>},
    {"aten.std.default", "self unbiased=True", "",
     compose<[](Formula& f) { return f("aten.sqrt.default", {varianceOfAll(f)}); }>},
    {"aten.var.default", "self unbiased=True", "", compose<varianceOfAll>},
    {"aten.logsumexp.default", "self dim keepdim=False", "", compose<logSumExp>},
    {"aten.std.dim", "self dim unbiased=True keepdim=False", "", compose<[](Formula& f) {
         return f("aten.sqrt.default", {f("aten.var.correction", {f[0], f[1], correction(f[2]), f[3]})});
     }>},
    {"aten.linalg_vector_norm.default", "self ord=2 dim=None keepdim=False dtype=None", "",
     compose<vectorNorm>},
    {"aten.norm.Scalar", "self p=2", "", compose<norm>},
    {"aten.norm.ScalarOpt_dim", "self p dim keepdim=False", "", compose<norm>},
    {"aten.frobenius_norm.dim", "self dim keepdim=False", "",
     compose<[](Formula& f) { return f("aten.linalg_vector_norm.default", {f[0], {2.0}, f[1], f[2]}); }>},
    {"aten.std_mean.correction", "self dim=None correction=None keepdim=False -> same same", "",
     deviationAndMean},
    {"aten.var_mean.dim", "self dim unbiased=True keepdim=False -> same same", "", varianceAndMeanOfDim},
    {"aten.count_nonzero.default", "self dim=None", "", countNonzero},
    {"aten.count_nonzero.dim_IntList", "self dim", "", countNonzero},
    {"aten.aminmax.default", "self dim=None keepdim=False -> same same", "", smallestAndLargest},
    {"aten.cosine_similarity.default", "x1 x2 dim=1 eps=1e-08", "", cosineSimilarity},
    {"aten.pairwise_distance.default", "x1 x2 p=2.0 eps=1e-06 keepdim=False", "", compose<pairwiseDistance>},
    {"aten.cdist.default", "x1 x2 p=2.0 compute_mode=None", "",
     compose<[](Formula& f) { return f("aten._cdist_forward.default", {f[0], f[1], f[2], f[3]}); }>},
};

}  // namespace

std::span<const Operator> composedReductions() {
    return composedReductionsRows;
}

}  // namespace et::backends::reference
