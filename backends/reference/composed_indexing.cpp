#include "backends/reference/composing.h"

#include <utility>

// Operators that write to indexed positions, composed of scatter.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;

/// Expands the index of one dimension for scatter, to the sizes of the written values.
Result<ReferenceTensor> spread(Calls& calls, const ReferenceValue& index, std::size_t dim,
                               std::vector<std::int64_t> sizes) {
    ET_ASSIGN(ReferenceTensor flat, tensorOf(index));
    if (flat.view.dim() > 1) {
        return core::fail(ErrorCode::InvalidArgument, "expected an index of one dimension");
    }
    std::vector<std::int64_t> shape(sizes.size(), 1);
    if (!sizes.empty()) {
        shape[dim] = flat.view.numel();
        sizes[dim] = flat.view.numel();
    }
    ET_ASSIGN(flat, calls.tensor("aten.view_copy.default", {{flat}, listOf(shape)}, ScalarType::Long));
    return calls.tensor("aten.expand_copy.default", {{flat}, listOf(sizes)}, ScalarType::Long);
}

struct Target {
    ReferenceTensor index;
    std::int64_t dim = 0;
};

/// `arguments`: self dim index …; `like`: tensor with the sizes of the written values.
Result<Target> targetOf(Calls& calls, Arguments arguments, const ReferenceTensor& like) {
    ET_ASSIGN(const std::int64_t dim, integerOf(arguments[1]));
    ET_ASSIGN(const std::size_t at, dimensionOf(dim, like.view.dim()));
    ET_ASSIGN(ReferenceTensor index, spread(calls, arguments[2], at, sizesOf(like)));
    return Target{.index = std::move(index), .dim = static_cast<std::int64_t>(at)};
}

Composed indexCopy(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto source, tensorOf(arguments[3]));
    ET_ASSIGN(auto target, targetOf(calls, arguments, source));
    return gives(calls.tensor("aten.scatter.src",
                              {arguments[0], whole(target.dim), {target.index}, arguments[3]},
                              resultTypeOf(results, arguments)));
}

/// self dim index source alpha
Composed indexAdd(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const auto source, tensorOf(arguments[3]));
    ET_ASSIGN(auto target, targetOf(calls, arguments, source));
    ET_ASSIGN(auto scaled, calls.tensor("aten.mul.Scalar", {arguments[3], arguments[4]}, dtype));
    return gives(calls.tensor("aten.scatter_add.default",
                              {arguments[0], whole(target.dim), {target.index}, {scaled}}, dtype));
}

/// self dim index value: a number, or a tensor without dimensions
Composed indexFill(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(auto target, targetOf(calls, arguments, self));
    if (arguments[3].as<ReferenceTensor>() == nullptr) {
        return gives(calls.tensor("aten.scatter.value",
                                  {arguments[0], whole(target.dim), {target.index}, arguments[3]}, dtype));
    }
    ET_ASSIGN(auto values,
              calls.tensor("aten.expand_copy.default", {arguments[3], listOf(sizesOf(target.index))}, dtype));
    return gives(
        calls.tensor("aten.scatter.src", {arguments[0], whole(target.dim), {target.index}, {values}}, dtype));
}

constexpr Operator composedIndexingRows[] = {
    {"aten.index_copy.default", "self dim index source", "", indexCopy},
    {"aten.index_add.default", "self dim index source alpha=1", "", indexAdd},
    {"aten.index_fill.int_Scalar", "self dim index value", "", indexFill},
    {"aten.index_fill.int_Tensor", "self dim index value", "", indexFill},
};

}  // namespace

std::span<const Operator> composedIndexing() {
    return composedIndexingRows;
}

}  // namespace et::backends::reference
