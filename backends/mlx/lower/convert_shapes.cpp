#include "backends/mlx/lower/graph_maker.h"

#include <fmt/format.h>

#include <utility>

// Nodes that arrange, select or create elements.
namespace et::backends::mlx {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using etrecord::Argument;

Argument wholeOf(const Node& node, std::string_view field) {
    return wholeArgument(wholeIn(node, field));
}

Argument wholesOf(const Node& node, std::string_view field) {
    return wholesArgument(wholesIn(node, field));
}

/// The number of a field that has one.
Result<Argument> numberOf(const GraphMaker& maker, const Node& node, std::string_view field) {
    const auto items = itemsIn(node, field);
    return items.size() == 1 ? maker.numberArgument(items[0])
                             : core::fail(ErrorCode::Format, fmt::format("its \"{}\" is missing", field));
}

Result<MadeTensor> expandDims(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put("aten.unsqueeze_copy.default", {tensorArgument(x.name), wholeOf(node, "axis")}, x.dtype);
}

/// Nodes with a tensor "x" and a list of numbers.
template <const char* target, const char* field>
Result<MadeTensor> withNumbers(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument numbers, numbersOf(maker, node, field));
    return maker.put(target, {tensorArgument(x.name), std::move(numbers)}, x.dtype);
}
constexpr char tileTarget[] = "aten.tile.default";
constexpr char viewTarget[] = "aten.view_copy.default";
constexpr char expandTarget[] = "aten.expand_copy.default";
constexpr char repsField[] = "reps";
constexpr char shapeField[] = "shape";

Result<MadeTensor> takeAlongAxis(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(const MadeTensor indices, tensorOf(maker, node, "indices"));
    return maker.put("mlx_node.take_along_axis.default",
                     {tensorArgument(x.name), tensorArgument(indices.name), wholeOf(node, "axis")}, x.dtype);
}

Result<MadeTensor> take(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    const auto index = itemsIn(node, "index");
    if (index.empty() || index[0].kind != Item::Kind::Tensor) {
        ET_ASSIGN(Argument number, numberOf(maker, node, "index"));
        return maker.put("aten.select_copy.int",
                         {tensorArgument(x.name), wholeOf(node, "axis"), std::move(number)}, x.dtype);
    }
    ET_ASSIGN(const TensorType type, typeOf(maker, node, "x"));
    const std::int64_t axis = axisOf(wholeIn(node, "axis"), type.sizes.size());
    if (axis < 0) {
        return core::fail(ErrorCode::Format, fmt::format("it has no axis {}", wholeIn(node, "axis")));
    }
    ET_ASSIGN(MadeTensor indices, maker.tensor(index[0].number));
    indices = maker.cast(indices, ScalarType::Long);
    std::vector<std::optional<etrecord::ValueRef>> places(static_cast<std::size_t>(axis));
    places.emplace_back(etrecord::ValueRef{.name = indices.name});
    return maker.put("aten.index.Tensor",
                     {tensorArgument(x.name),
                      Argument{.name = {}, .kind = "as_optional_tensors", .value = std::move(places)}},
                     x.dtype);
}

Result<MadeTensor> squeeze(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    if (wholesIn(node, "dims").empty()) {
        return maker.put("aten.squeeze_copy.default", {tensorArgument(x.name)}, x.dtype);
    }
    return maker.put("aten.squeeze_copy.dims", {tensorArgument(x.name), wholesOf(node, "dims")}, x.dtype);
}

Result<MadeTensor> transpose(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put("aten.permute_copy.default", {tensorArgument(x.name), wholesOf(node, "perm")}, x.dtype);
}

Result<MadeTensor> asStrided(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument shape, numbersOf(maker, node, "shape"));
    ET_ASSIGN(Argument strides, numbersOf(maker, node, "strides"));
    return maker.put("aten.as_strided_copy.default",
                     {tensorArgument(x.name), std::move(shape), std::move(strides), wholeOf(node, "offset")},
                     x.dtype);
}

/// MLX pads from the first dimension, ATen from the last.
Result<MadeTensor> pad(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    auto widths = itemsIn(node, "pad_width");
    if (widths.size() % 2 != 0) {
        return core::fail(ErrorCode::Format, "it has an odd number of widths");
    }
    if (textIn(node, "mode") == "edge") {
        ET_ASSIGN(Argument numbers, maker.numbersArgument(widths));
        return maker.put("mlx_node.pad_edges.default", {tensorArgument(x.name), std::move(numbers)}, x.dtype);
    }
    std::vector<Item> reversed;
    for (std::size_t i = widths.size(); i >= 2; i -= 2) {
        reversed.push_back(widths[i - 2]);
        reversed.push_back(widths[i - 1]);
    }
    ET_ASSIGN(Argument numbers, maker.numbersArgument(reversed));
    const double value = realIn(node, "constant_value");
    return maker.put("aten.constant_pad_nd.default",
                     {tensorArgument(x.name), std::move(numbers), realArgument(value)}, x.dtype);
}

Result<std::vector<MadeTensor>> listIn(GraphMaker& maker, const Node& node, std::string_view field,
                                       ScalarType dtype, bool promotes) {
    std::vector<MadeTensor> tensors;
    for (const TensorNumber number : tensorsIn(node, field)) {
        ET_ASSIGN(MadeTensor tensor, maker.tensor(number));
        dtype = !promotes ? dtype : tensors.empty() ? tensor.dtype : promoted(dtype, tensor.dtype);
        tensors.push_back(std::move(tensor));
    }
    for (MadeTensor& tensor : tensors) {
        tensor = maker.cast(tensor, dtype);
    }
    return tensors;
}

Result<MadeTensor> gather(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(const auto indices, listIn(maker, node, "indices", ScalarType::Long, false));
    return maker.put("mlx_node.gather.default",
                     {tensorArgument(x.name), tensorsArgument(indices), wholesOf(node, "axes"),
                      wholesOf(node, "slice_sizes")},
                     x.dtype);
}

Result<MadeTensor> slice(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument axis, numberOf(maker, node, "axis"));
    ET_ASSIGN(Argument start, numberOf(maker, node, "start"));
    ET_ASSIGN(Argument stop, numberOf(maker, node, "stop"));
    const bool isForward = wholeIn(node, "step") > 0;
    return maker.put(
        isForward ? "aten.slice_copy.Tensor" : "mlx_node.slice.default",
        {tensorArgument(x.name), std::move(axis), std::move(start), std::move(stop), wholeOf(node, "step")},
        x.dtype);
}

/// Concatenates or stacks.
template <const char* target>
Result<MadeTensor> joined(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const auto tensors, listIn(maker, node, "tensors", ScalarType::Float, true));
    if (tensors.empty()) {
        return core::fail(ErrorCode::Format, "it has no tensors");
    }
    return maker.put(target, {tensorsArgument(tensors), wholeOf(node, "axis")}, tensors[0].dtype);
}
constexpr char catTarget[] = "aten.cat.default";
constexpr char stackTarget[] = "aten.stack.default";

Result<MadeTensor> full(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(Argument shape, numbersOf(maker, node, "shape"));
    ET_ASSIGN(Argument value, numberOf(maker, node, "v"));
    return maker.put("aten.full.default", {std::move(shape), std::move(value)},
                     carriedType(static_cast<ScalarType>(wholeIn(node, "scalar_type"))));
}

Result<MadeTensor> fullLike(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument value, numberOf(maker, node, "v"));
    const auto dtype = itemsIn(node, "scalar_type");
    return maker.put("aten.full_like.default", {tensorArgument(x.name), std::move(value)},
                     dtype.empty() ? x.dtype : carriedType(static_cast<ScalarType>(dtype[0].whole)));
}

Result<MadeTensor> arange(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(Argument start, numberOf(maker, node, "start"));
    ET_ASSIGN(Argument stop, numberOf(maker, node, "stop"));
    ET_ASSIGN(Argument step, numberOf(maker, node, "step"));
    const auto dtype = itemsIn(node, "scalar_type");
    return maker.put("aten.arange.start_step", {std::move(start), std::move(stop), std::move(step)},
                     dtype.empty() ? ScalarType::Int : carriedType(static_cast<ScalarType>(dtype[0].whole)));
}

Result<MadeTensor> tri(GraphMaker& maker, const Node& node) {
    std::vector<Item> sizes = itemsIn(node, "n");
    const auto columns = itemsIn(node, "m");
    sizes.insert(sizes.end(), columns.begin(), columns.end());
    ET_ASSIGN(Argument shape, maker.numbersArgument(sizes));
    const ScalarType dtype = carriedType(static_cast<ScalarType>(wholeIn(node, "scalar_type")));
    const MadeTensor ones = maker.put("aten.ones.default", {std::move(shape)}, dtype);
    return maker.put("aten.tril.default", {tensorArgument(ones.name), wholeOf(node, "k")}, dtype);
}

Result<MadeTensor> triangle(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    return maker.put(node.kind->name == "TrilNode" ? "aten.tril.default" : "aten.triu.default",
                     {tensorArgument(x.name), wholeOf(node, "k")}, x.dtype);
}

Result<MadeTensor> sliceUpdate(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor dst, tensorOf(maker, node, "dst"));
    ET_ASSIGN(MadeTensor update, tensorOf(maker, node, "update"));
    update = maker.cast(update, dst.dtype);
    ET_ASSIGN(Argument axis, numberOf(maker, node, "axis"));
    ET_ASSIGN(Argument start, numberOf(maker, node, "start"));
    ET_ASSIGN(Argument stop, numberOf(maker, node, "stop"));
    return maker.put("aten.slice_scatter.default",
                     {tensorArgument(dst.name), tensorArgument(update.name), std::move(axis),
                      std::move(start), std::move(stop), wholeOf(node, "step")},
                     dst.dtype);
}

Result<MadeTensor> indexCopy(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor dst, tensorOf(maker, node, "dst"));
    ET_ASSIGN(MadeTensor update, tensorOf(maker, node, "update"));
    ET_ASSIGN(MadeTensor indices, tensorOf(maker, node, "indices"));
    update = maker.cast(update, dst.dtype);
    indices = maker.cast(indices, ScalarType::Long);
    return maker.put("aten.index_copy.default",
                     {tensorArgument(dst.name), wholeOf(node, "axis"), tensorArgument(indices.name),
                      tensorArgument(update.name)},
                     dst.dtype);
}

Result<MadeTensor> scatterAdd(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(MadeTensor updates, tensorOf(maker, node, "updates"));
    ET_ASSIGN(MadeTensor indices, tensorOf(maker, node, "indices"));
    updates = maker.cast(updates, x.dtype);
    indices = maker.cast(indices, ScalarType::Long);
    return maker.put("aten.scatter_add.default",
                     {tensorArgument(x.name), wholeOf(node, "axis"), tensorArgument(indices.name),
                      tensorArgument(updates.name)},
                     x.dtype);
}

Result<MadeTensor> repeat(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument repeats, numberOf(maker, node, "repeats"));
    return maker.put("aten.repeat_interleave.self_int",
                     {tensorArgument(x.name), std::move(repeats), wholeOf(node, "axis")}, x.dtype);
}

Result<MadeTensor> roll(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(const MadeTensor x, tensorOf(maker, node, "x"));
    ET_ASSIGN(Argument shift, numbersOf(maker, node, "shift"));
    return maker.put("aten.roll.default", {tensorArgument(x.name), std::move(shift), wholesOf(node, "axes")},
                     x.dtype);
}

Result<MadeTensor> randomBits(GraphMaker& maker, const Node& node) {
    ET_ASSIGN(Argument shape, numbersOf(maker, node, "shape"));
    const auto seed = itemsIn(node, "seed");
    Argument key = noArgument();
    if (!seed.empty()) {
        ET_ASSIGN(key, maker.numberArgument(seed[0]));
    }
    return maker.put("mlx_node.random_bits.default",
                     {std::move(shape), wholeOf(node, "width"), std::move(key)}, ScalarType::Long);
}

}  // namespace

void addShapes(Conversions& to) {
    to.insert({{"ExpandDimsNode", expandDims},
               {"TileNode", withNumbers<tileTarget, repsField>},
               {"ReshapeNode", withNumbers<viewTarget, shapeField>},
               {"BroadcastToNode", withNumbers<expandTarget, shapeField>},
               {"TakeAlongAxisNode", takeAlongAxis},
               {"TakeNode", take},
               {"SqueezeNode", squeeze},
               {"TransposeNode", transpose},
               {"AsStridedNode", asStrided},
               {"PadNode", pad},
               {"GatherNode", gather},
               {"SliceNode", slice},
               {"ConcatenateNode", joined<catTarget>},
               {"StackNode", joined<stackTarget>},
               {"FullNode", full},
               {"FullLikeNode", fullLike},
               {"ARangeNode", arange},
               {"TriNode", tri},
               {"TrilNode", triangle},
               {"TriuNode", triangle},
               {"SliceUpdateNode", sliceUpdate},
               {"IndexCopyNode", indexCopy},
               {"ScatterAddNode", scatterAdd},
               {"RepeatNode", repeat},
               {"RollNode", roll},
               {"RandomBitsNode", randomBits}});
}

}  // namespace et::backends::mlx
