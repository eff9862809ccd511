#include "backends/mlx/lower/graph_maker.h"

#include <algorithm>
#include <utility>

// Reductions, sums along an axis and sorting.
namespace et::backends::mlx {
namespace {

using core::Result;
using core::ScalarType;

/// The reduced axes from the front, all of them if the node names none.
Result<std::vector<std::int64_t>> axesOf(const GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const TensorType type, typeOf(maker, node, "x"));
    std::vector<std::int64_t> axes;
    for (const std::int64_t axis : wholesIn(node, "axes")) {
        const std::int64_t found = axisOf(axis, type.sizes.size());
        if (found < 0) {
            return core::fail(core::ErrorCode::Format, "it has no axis " + std::to_string(axis));
        }
        axes.push_back(found);
    }
    for (std::size_t i = 0; axes.empty() && i < type.sizes.size(); ++i) {
        axes.resize(type.sizes.size());
        for (std::size_t each = 0; each < axes.size(); ++each) {
            axes[each] = static_cast<std::int64_t>(each);
        }
    }
    std::ranges::sort(axes);
    return axes;
}

bool keepsDims(const Node& node) {
    return wholeIn(node, "keepdims") != 0;
}

Result<MadeTensor> reduced(GraphMaker& maker, const Node& node, std::string_view target, const MadeTensor& x,
                           ScalarType dtype) {
    ET_ASSIGN(const auto axes, axesOf(maker, node));
    return maker.put(target, {tensorArgument(x.name), wholesArgument(axes), truthArgument(keepsDims(node))},
                     dtype);
}

template <const char* target>
Result<MadeTensor> floatingReduction(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    x = maker.cast(x, floatingOf(x.dtype));
    return reduced(maker, node, target, x, x.dtype);
}

template <const char* target>
Result<MadeTensor> sameReduction(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return reduced(maker, node, target, x, x.dtype);
}

template <const char* target>
Result<MadeTensor> truthReduction(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return reduced(maker, node, target, x, ScalarType::Bool);
}

constexpr char meanTarget[] = "aten.mean.dim";
constexpr char logSumTarget[] = "aten.logsumexp.default";
constexpr char largestTarget[] = "aten.amax.default";
constexpr char smallestTarget[] = "aten.amin.default";
constexpr char anyTarget[] = "aten.any.dims";
constexpr char allTarget[] = "aten.all.dims";

/// Integers are summed as int64.
ScalarType sumType(ScalarType dtype) {
    return floatingOf(dtype) == dtype ? dtype : ScalarType::Long;
}

Result<MadeTensor> sum(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    x = maker.cast(x, sumType(x.dtype));
    return reduced(maker, node, "aten.sum.dim_IntList", x, x.dtype);
}

Result<MadeTensor> product(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(const auto axes, axesOf(maker, node));
    x = maker.cast(x, sumType(x.dtype));
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        x = maker.put("aten.prod.dim_int",
                      {tensorArgument(x.name), wholeArgument(*axis), truthArgument(keepsDims(node))},
                      x.dtype);
    }
    return x;
}

Result<MadeTensor> variance(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(const auto axes, axesOf(maker, node));
    x = maker.cast(x, floatingOf(x.dtype));
    const MadeTensor made = maker.put("aten.var.correction",
                                      {tensorArgument(x.name), wholesArgument(axes),
                                       wholeArgument(wholeIn(node, "ddof")), truthArgument(keepsDims(node))},
                                      x.dtype);
    return node.kind->name == "VarNode"
               ? made
               : maker.put("aten.sqrt.default", {tensorArgument(made.name)}, x.dtype);
}

Result<MadeTensor> median(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(const auto axes, axesOf(maker, node));
    x = maker.cast(x, floatingOf(x.dtype));
    return maker.put("mlx_node.median.default",
                     {tensorArgument(x.name), wholesArgument(axes), truthArgument(keepsDims(node))}, x.dtype);
}

Result<MadeTensor> position(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put(
        node.kind->name == "ArgmaxNode" ? "aten.argmax.default" : "aten.argmin.default",
        {tensorArgument(x.name), wholeArgument(wholeIn(node, "axis")), truthArgument(keepsDims(node))},
        ScalarType::Long);
}

Result<MadeTensor> sorted(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put("mlx_node.sort.default", {tensorArgument(x.name), wholeArgument(wholeIn(node, "axis"))},
                     x.dtype);
}

Result<MadeTensor> sortedPositions(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put("mlx_node.argsort.default",
                     {tensorArgument(x.name), wholeArgument(wholeIn(node, "axis"))}, ScalarType::Long);
}

Result<MadeTensor> softmax(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    x = maker.cast(x, floatingOf(x.dtype));
    return maker.put("aten._softmax.default",
                     {tensorArgument(x.name), wholeArgument(wholeIn(node, "axis")), truthArgument(false)},
                     x.dtype);
}

/// An exclusive sum starts with 0 and leaves out the last element.
Result<MadeTensor> shiftedByOne(GraphMaker& maker, const Node& node, const MadeTensor& sums) {
    ET_ASSIGN(const TensorType type, typeOf(maker, node, "x"));
    const std::int64_t axis = axisOf(wholeIn(node, "axis"), type.sizes.size());
    std::vector<std::int64_t> widths(2 * type.sizes.size(), 0);
    if (axis < 0) {
        return core::fail(core::ErrorCode::Format, "it has no such axis");
    }
    widths[2 * (type.sizes.size() - 1 - static_cast<std::size_t>(axis))] = 1;
    const MadeTensor padded =
        maker.put("aten.constant_pad_nd.default",
                  {tensorArgument(sums.name), wholesArgument(widths), wholeArgument(0)}, sums.dtype);
    return maker.put("aten.slice_copy.Tensor",
                     {tensorArgument(padded.name), wholeArgument(axis), wholeArgument(0), wholeArgument(-1)},
                     sums.dtype);
}

Result<MadeTensor> runningSum(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(MadeTensor x, tensorOf(maker, node, "x"));
    const std::int64_t axis = wholeIn(node, "axis");
    const auto flipped = [&](const MadeTensor& tensor) {
        return maker.put("aten.flip.default", {tensorArgument(tensor.name), wholesArgument({axis})},
                         tensor.dtype);
    };
    const bool isReverse = wholeIn(node, "reverse") != 0;
    x = maker.cast(x, sumType(x.dtype));
    x = isReverse ? flipped(x) : x;
    x = maker.put("aten.cumsum.default", {tensorArgument(x.name), wholeArgument(axis)}, x.dtype);
    if (wholeIn(node, "inclusive") == 0) {
        ET_ASSIGN(x, shiftedByOne(maker, node, x));
    }
    return isReverse ? flipped(x) : x;
}

}  // namespace

void addReductions(Conversions& to) {
    to.insert({{"LogSumExpNode", floatingReduction<logSumTarget>},
               {"MeanNode", floatingReduction<meanTarget>},
               {"MaxNode", sameReduction<largestTarget>},
               {"MinNode", sameReduction<smallestTarget>},
               {"AnyNode", truthReduction<anyTarget>},
               {"AllNode", truthReduction<allTarget>},
               {"SumNode", sum},
               {"ProdNode", product},
               {"VarNode", variance},
               {"StdNode", variance},
               {"MedianNode", median},
               {"ArgmaxNode", position},
               {"ArgminNode", position},
               {"SortNode", sorted},
               {"PartitionNode", sorted},
               {"ArgsortNode", sortedPositions},
               {"ArgPartitionNode", sortedPositions},
               {"SoftmaxNode", softmax},
               {"CumsumNode", runningSum}});
}

}  // namespace et::backends::mlx
