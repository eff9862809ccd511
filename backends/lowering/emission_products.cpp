#include "backends/lowering/emission_products.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace et::backends::lowering {
namespace {

using builder::TensorSpec;
using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using etrecord::Node;
using program::ShapeDynamism;
using program::ValueId;

/// A size; `id` is its value at run time if it is dynamic, and `number` then its maximum.
struct Extent {
    std::int64_t number = 1;
    std::optional<ValueId> id{};
};
using Extents = std::vector<Extent>;

struct Shaped {
    ValueId id;
    Extents sizes;

    [[nodiscard]] std::size_t rank() const { return sizes.size(); }
    [[nodiscard]] const Extent& fromEnd(std::size_t place) const { return sizes[sizes.size() - place]; }
};

Extents leading(const Shaped& tensor) {
    return {tensor.sizes.begin(), tensor.sizes.end() - 2};
}

Extents with(Extents batch, const Extent& rows, const Extent& columns) {
    batch.push_back(rows);
    batch.push_back(columns);
    return batch;
}

/// Emits the calls of one operator; sizes known only at run time are read from its tensors.
class Products {
  public:
    Products(EmittedValues& all, ScalarType type) : values(all), into(all.builder()), dtype(type) {}

    Result<Shaped> operand(std::string_view name);
    Shaped call(std::string_view op, const builder::Arguments& arguments, Extents sizes,
                std::optional<ScalarType> type = {});
    Shaped view(const Shaped& tensor, Extents sizes);
    Shaped expand(const Shaped& tensor, Extents sizes);
    /// The last two dimensions exchanged.
    Shaped transposed(const Shaped& tensor);
    Shaped product(const Shaped& left, const Shaped& right);
    /// Repeats keys or values for the query heads that share them.
    Shaped forHeads(const Shaped& shared, const Extent& heads);
    Shaped masked(const Shaped& scores, const Shaped& mask);
    Shaped causalMask(const Extent& queries, const Extent& keys);
    /// Copies the tensor to the result of the node. The last call of an operator should write it directly.
    Result<> give(const Node& node, const Shaped& tensor);
    [[nodiscard]] builder::Argument argument(const Extents& sizes);

  private:
    Extent times(const Extent& left, const Extent& right);
    Extent count(std::span<const Extent> sizes);
    [[nodiscard]] TensorSpec spec(const Extents& sizes, ScalarType type) const;
    Extents common(const Shaped& left, const Shaped& right) const;
    Shaped asBatch(const Shaped& tensor, const Extents& batch);

    EmittedValues& values;
    builder::MethodBuilder& into;
    ScalarType dtype;
    bool isUnbounded = false;
};

Result<Shaped> Products::operand(std::string_view name) {
    ET_ASSIGN(const ValueId id, values.value(name));
    ET_ASSIGN(const TensorSpec known, specOf(values.edge().graph(), name));
    isUnbounded = isUnbounded || known.dynamism == ShapeDynamism::Unbounded;
    Shaped tensor{.id = id, .sizes = {}};
    const etrecord::TensorMeta& meta = *values.edge().meta(name);
    for (std::size_t i = 0; i < known.sizes.size(); ++i) {
        Extent extent{.number = known.sizes[i]};
        if (!meta.sizes[i].expression.empty()) {
            extent.id = into.integer(known.sizes[i]);
            into.callFunction("aten::sym_size.int", {id, static_cast<std::int64_t>(i)}, *extent.id);
        }
        tensor.sizes.push_back(extent);
    }
    return tensor;
}

Extent Products::times(const Extent& left, const Extent& right) {
    Extent made{.number = left.number * right.number};
    if (left.id || right.id) {
        made.id = into.integer(made.number);
        const auto factor = [](const Extent& extent) {
            return extent.id ? builder::Argument(*extent.id) : builder::Argument(extent.number);
        };
        into.callFunction("executorch_prim::mul.Scalar", {factor(left), factor(right)}, *made.id);
    }
    return made;
}

Extent Products::count(std::span<const Extent> sizes) {
    Extent product{};
    for (const Extent& size : sizes) {
        product = !product.id && product.number == 1 ? size : times(product, size);
    }
    return product;
}

TensorSpec Products::spec(const Extents& sizes, ScalarType type) const {
    TensorSpec made{.dtype = type, .sizes = {}};
    for (const Extent& size : sizes) {
        made.sizes.push_back(size.number);
        if (size.id) {
            made.dynamism = isUnbounded ? ShapeDynamism::Unbounded : ShapeDynamism::Bounded;
        }
    }
    return made;
}

builder::Argument Products::argument(const Extents& sizes) {
    if (std::ranges::none_of(sizes, [](const Extent& size) { return size.id.has_value(); })) {
        builder::Ints numbers;
        std::ranges::transform(sizes, std::back_inserter(numbers), &Extent::number);
        return numbers;
    }
    std::vector<ValueId> ids;
    for (const Extent& size : sizes) {
        ids.push_back(size.id ? *size.id : into.integer(size.number));
    }
    return into.integersOf(std::move(ids));
}

Shaped Products::call(std::string_view op, const builder::Arguments& arguments, Extents sizes,
                      std::optional<ScalarType> type) {
    const ValueId id = into.intermediate(spec(sizes, type.value_or(dtype)));
    into.call(op, arguments, {id});
    return {.id = id, .sizes = std::move(sizes)};
}

Shaped Products::view(const Shaped& tensor, Extents sizes) {
    const builder::Argument wanted = argument(sizes);
    return call("aten::view_copy.out", {tensor.id, wanted}, std::move(sizes));
}

Shaped Products::expand(const Shaped& tensor, Extents sizes) {
    const builder::Argument wanted = argument(sizes);
    return call("aten::expand_copy.out", {tensor.id, wanted, false}, std::move(sizes));
}

Shaped Products::transposed(const Shaped& tensor) {
    builder::Ints order;
    for (std::size_t i = 0; i < tensor.rank(); ++i) {
        order.push_back(static_cast<std::int64_t>(i));
    }
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return call("aten::permute_copy.out", {tensor.id, order},
                with(leading(tensor), tensor.fromEnd(1), tensor.fromEnd(2)));
}

/// Broadcast of the leading sizes.
Extents Products::common(const Shaped& left, const Shaped& right) const {
    const Shaped& wide = left.rank() >= right.rank() ? left : right;
    const Shaped& narrow = left.rank() >= right.rank() ? right : left;
    Extents batch = leading(wide);
    const std::size_t missing = wide.rank() - narrow.rank();
    for (std::size_t i = 0; i + 2 < narrow.rank(); ++i) {
        if (!batch[missing + i].id && batch[missing + i].number == 1) {
            batch[missing + i] = narrow.sizes[i];
        }
    }
    return batch;
}

/// Whether two sizes have the same value, as far as this is known now.
bool isSame(const Extent& left, const Extent& right) {
    return left.number == right.number && left.id.has_value() == right.id.has_value();
}

Shaped Products::asBatch(const Shaped& tensor, const Extents& batch) {
    const bool isWhole =
        tensor.rank() == batch.size() + 2 && std::ranges::equal(leading(tensor), batch, isSame);
    const Shaped wide = isWhole ? tensor : expand(tensor, with(batch, tensor.fromEnd(2), tensor.fromEnd(1)));
    return batch.size() == 1 ? wide : view(wide, with({count(batch)}, tensor.fromEnd(2), tensor.fromEnd(1)));
}

Shaped Products::product(const Shaped& left, const Shaped& right) {
    const Extent& rows = left.fromEnd(2);
    const Extent& columns = right.fromEnd(1);
    if (left.rank() == 2 && right.rank() == 2) {
        return call("aten::mm.out", {left.id, right.id}, {rows, columns});
    }
    if (right.rank() == 2) {
        const Extent all = count(std::span(left.sizes).first(left.rank() - 1));
        const Shaped flat = view(left, {all, left.fromEnd(1)});
        const Shaped made = call("aten::mm.out", {flat.id, right.id}, {all, columns});
        return view(made, with(leading(left), rows, columns));
    }
    const Extents batch = common(left, right);
    const Shaped a = asBatch(left, batch);
    const Shaped b = asBatch(right, batch);
    const Shaped made = call("aten::bmm.out", {a.id, b.id}, {a.sizes[0], rows, columns});
    return batch.size() == 1 ? made : view(made, with(batch, rows, columns));
}

Shaped Products::forHeads(const Shaped& shared, const Extent& heads) {
    const std::size_t dim = shared.rank() - 3;
    const std::int64_t own = shared.sizes[dim].number;
    if (own == 0 || own == heads.number) {
        return shared;
    }
    Extents apart = shared.sizes;
    apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(dim) + 1, Extent{});
    const Shaped viewed = view(shared, apart);
    apart[dim + 1] = {.number = heads.number / own};
    Extents joined = shared.sizes;
    joined[dim] = heads;
    return view(expand(viewed, apart), joined);
}

Shaped Products::causalMask(const Extent& queries, const Extent& keys) {
    const Extents sizes{queries, keys};
    const Shaped ones = call("aten::full.out", {argument(sizes), true}, sizes, ScalarType::Bool);
    return call("aten::tril.out", {ones.id, std::int64_t{0}}, sizes, ScalarType::Bool);
}

/// The scores with the addend of a mask.
Shaped Products::masked(const Shaped& scores, const Shaped& mask) {
    return call("aten::add.out", {scores.id, mask.id, std::int64_t{1}}, scores.sizes);
}

Result<> Products::give(const Node& node, const Shaped& tensor) {
    ET_ASSIGN(const ValueId result, values.result(firstResult(node)));
    into.call("aten::view_copy.out", {tensor.id, argument(tensor.sizes)}, {result});
    return {};
}

Result<ScalarType> resultType(const EmittedValues& values, const Node& node) {
    return specOf(values.edge().graph(), firstResult(node)).transform([](const TensorSpec& spec) {
        return spec.dtype;
    });
}

/// The addend of the scores: of a given mask, or a causal one; nothing without a mask.
Result<std::optional<Shaped>> addendOf(Products& emit, EmittedValues& values, const Node& node,
                                       const Shaped& scores, ScalarType dtype) {
    const std::string_view given = valueName(findArgument(node, "attn_mask"));
    if (given.empty() && !booleanArgument(node, "is_causal", false)) {
        return std::nullopt;
    }
    bool isTruths = true;
    Shaped mask{};
    if (given.empty()) {
        mask = emit.causalMask(scores.fromEnd(2), scores.fromEnd(1));
    } else {
        ET_ASSIGN(mask, emit.operand(given));
        isTruths = values.edge().meta(given)->scalarType == std::to_underlying(ScalarType::Bool);
    }
    if (!isTruths) {
        return mask;
    }
    // masked_fill, since 0 * -inf is not a number
    const Shaped zeros = emit.call("aten::full.out", {emit.argument(mask.sizes), 0.0}, mask.sizes, dtype);
    const Shaped hidden = emit.call("aten::logical_not.out", {mask.id}, mask.sizes, ScalarType::Bool);
    return emit.call("aten::masked_fill.Scalar_out",
                     {zeros.id, hidden.id, -std::numeric_limits<double>::infinity()}, mask.sizes, dtype);
}

}  // namespace

Result<> emitMatmul(EmittedValues& values, const Node& node) {
    ET_ASSIGN(const ScalarType dtype, resultType(values, node));
    Products emit(values, dtype);
    ET_ASSIGN(const Shaped left, emit.operand(valueName(findArgument(node, "self"))));
    ET_ASSIGN(const Shaped right, emit.operand(valueName(findArgument(node, "other"))));
    if (left.rank() < 2 || right.rank() < 2) {
        return fail(ErrorCode::Unsupported, "a product of vectors");
    }
    return emit.give(node, emit.product(left, right));
}

Result<> emitAttention(EmittedValues& values, const Node& node) {
    ET_ASSIGN(const ScalarType dtype, resultType(values, node));
    Products emit(values, dtype);
    ET_ASSIGN(const Shaped query, emit.operand(valueName(findArgument(node, "query"))));
    ET_ASSIGN(Shaped key, emit.operand(valueName(findArgument(node, "key"))));
    ET_ASSIGN(Shaped value, emit.operand(valueName(findArgument(node, "value"))));
    const std::size_t rank = query.rank();
    if (rank < 2 || key.rank() != rank || value.rank() != rank) {
        return fail(ErrorCode::InvalidArgument, "expected queries, keys and values of the same rank");
    }
    if (booleanArgument(node, "enable_gqa", false) && rank > 2) {
        key = emit.forHeads(key, query.fromEnd(3));
        value = emit.forHeads(value, query.fromEnd(3));
    }
    const double scale =
        numberArgument(node, "scale").value_or(1 / std::sqrt(static_cast<double>(query.fromEnd(1).number)));
    const Shaped product = emit.product(query, emit.transposed(key));
    Shaped scores = emit.call("aten::mul.Scalar_out", {product.id, scale}, product.sizes);
    ET_ASSIGN(const std::optional<Shaped> addend, addendOf(emit, values, node, scores, dtype));
    if (addend) {
        scores = emit.masked(scores, *addend);
    }
    const Shaped weights =
        emit.call("aten::_softmax.out", {scores.id, std::int64_t{-1}, false}, scores.sizes);
    return emit.give(node, emit.product(weights, value));
}

}  // namespace et::backends::lowering
