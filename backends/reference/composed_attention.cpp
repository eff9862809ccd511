#include "backends/reference/composing.h"

#include <cmath>
#include <optional>
#include <utility>

// Attention of the ATen dialect, composed of core operators.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;

/// -inf where the mask is false; a numeric mask is added unchanged.
Result<ReferenceTensor> maskAddend(Calls& calls, const ReferenceTensor& mask, ScalarType dtype) {
    if (mask.view.dtype() != ScalarType::Bool) {
        return calls.converted(mask, dtype);
    }
    ET_ASSIGN(auto zeros, calls.empty(dtype, mask.view.sizes()));
    ET_ASSIGN(auto none, calls.tensor("aten.zero.default", {{std::move(zeros).finish()}}, dtype));
    ET_ASSIGN(auto hidden, calls.tensor("aten.logical_not.default", {{mask}}, ScalarType::Bool));
    return calls.tensor("aten.masked_fill.Scalar", {{none}, {hidden}, {-HUGE_VAL}}, dtype);
}

Result<ReferenceTensor> causalMask(Calls& calls, std::int64_t queries, std::int64_t keys) {
    const ReferenceValue sizes{ReferenceValue::List{{queries}, {keys}}};
    ET_ASSIGN(auto ones, calls.tensor("aten.ones.default", {sizes}, ScalarType::Bool));
    return calls.tensor("aten.tril.default", {{ones}}, ScalarType::Bool);
}

/// Repeats keys or values for the query heads that share them.
Result<ReferenceTensor> forHeads(Calls& calls, const ReferenceTensor& shared, std::int64_t heads) {
    const std::size_t dim = shared.view.dim() - 3;
    const std::int64_t own = shared.view.size(dim);
    if (own == heads || own == 0) {
        return shared;
    }
    return calls.tensor("aten.repeat_interleave.self_int",
                        {{shared}, whole(heads / own), whole(static_cast<std::int64_t>(dim))},
                        shared.view.dtype());
}

Result<double> scaleOf(const ReferenceTensor& query, const ReferenceValue& scale) {
    const auto width = static_cast<double>(query.view.size(query.view.dim() - 1));
    return isNone(scale) ? Result<double>(1 / std::sqrt(width)) : numberOf(scale);
}

Result<ReferenceTensor> scores(Calls& calls, const ReferenceTensor& query, const ReferenceTensor& key,
                               double factor, ScalarType dtype) {
    ET_ASSIGN(auto turned, calls.tensor("aten.transpose_copy.int", {{key}, whole(-2), whole(-1)}, dtype));
    ET_ASSIGN(auto product, calls.tensor("aten.matmul.default", {{query}, {turned}}, dtype));
    return calls.tensor("aten.mul.Scalar", {{product}, {factor}}, dtype);
}

/// query key value attn_mask dropout_p is_causal scale enable_gqa: softmax(q kT scale + mask) v
Composed attention(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto query, tensorOf(arguments[0]));
    ET_ASSIGN(auto key, tensorOf(arguments[1]));
    ET_ASSIGN(auto value, tensorOf(arguments[2]));
    const std::size_t rank = query.view.dim();
    if (rank < 2 || key.view.dim() != rank || value.view.dim() != rank) {
        return core::fail(ErrorCode::InvalidArgument, "expected queries, keys and values of the same rank");
    }
    if (isTrue(arguments[7]) && rank > 2) {
        ET_ASSIGN(key, forHeads(calls, key, query.view.size(rank - 3)));
        ET_ASSIGN(value, forHeads(calls, value, query.view.size(rank - 3)));
    }
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const double factor, scaleOf(query, arguments[6]));
    const auto* given = arguments[3].as<ReferenceTensor>();
    std::optional<ReferenceTensor> addend;
    if (given != nullptr) {
        ET_ASSIGN(addend, maskAddend(calls, *given, dtype));
    }
    if (given == nullptr && isTrue(arguments[5])) {
        ET_ASSIGN(const auto mask, causalMask(calls, query.view.size(rank - 2), key.view.size(rank - 2)));
        ET_ASSIGN(addend, maskAddend(calls, mask, dtype));
    }
    ET_ASSIGN(auto weights, scores(calls, query, key, factor, dtype));
    if (addend) {
        ET_ASSIGN(weights, calls.tensor("aten.add.Tensor", {{weights}, {*addend}}, dtype));
    }
    ET_ASSIGN(weights, calls.tensor("aten._softmax.default", {{weights}, whole(-1), no}, dtype));
    return gives(calls.tensor("aten.matmul.default", {{weights}, {value}}, dtype));
}

constexpr Operator composedAttentionRows[] = {
    {"aten.scaled_dot_product_attention.default",
     "query key value attn_mask=None dropout_p=0.0 is_causal=False scale=None enable_gqa=False", "",
     attention},
};

}  // namespace

std::span<const Operator> composedAttention() {
    return composedAttentionRows;
}

}  // namespace et::backends::reference
