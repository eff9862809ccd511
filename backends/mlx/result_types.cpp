#include "backends/mlx/result_types.h"

#include "runtime/kernels/type_promotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

namespace et::backends::mlx {
namespace {

using core::ScalarType;
using Sizes = std::vector<std::int64_t>;
using Type = std::optional<TensorType>;

/// Larger sizes and numbers count as unknown, so that sums and products of two fit 64 bits.
constexpr std::int64_t largestSize = std::int64_t{1} << 40U;
constexpr std::int64_t largestNumber = std::int64_t{1} << 31U;
constexpr std::int64_t largestWindow = std::int64_t{1} << 22U;

/// Types of a node's tensors and values while its results are derived.
struct RuleInput {
    const Node& node;
    const ResultTypes& types;

    [[nodiscard]] Type of(std::string_view field) const {
        const auto tensor = tensorIn(node, field);
        return tensor ? types.of(*tensor) : std::nullopt;
    }
    [[nodiscard]] Sizes numbers(std::string_view field) const {
        Sizes sizes;
        for (const Item& item : itemsIn(node, field)) {
            const std::int64_t size = types.valueOf(item).value_or(unknownSize);
            sizes.push_back(size > largestNumber || size < -largestNumber ? unknownSize : size);
        }
        return sizes;
    }
    [[nodiscard]] std::int64_t whole(std::string_view field) const { return wholeIn(node, field); }
};

using Rule = Type (*)(const RuleInput& in);

std::int64_t product(const Sizes& sizes) {
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) {
        if (size < 0 || __builtin_mul_overflow(count, size, &count)) {
            return unknownSize;
        }
    }
    return count;
}

Sizes broadcast(const Sizes& left, const Sizes& right) {
    const Sizes& longer = left.size() >= right.size() ? left : right;
    const Sizes& shorter = left.size() >= right.size() ? right : left;
    Sizes sizes = longer;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::int64_t& to = sizes[longer.size() - shorter.size() + i];
        to = to == 1 ? shorter[i] : to == unknownSize && shorter[i] > 1 ? shorter[i] : to;
    }
    return sizes;
}

Type withDtype(Type type, ScalarType dtype) {
    if (type) {
        type->dtype = dtype;
    }
    return type;
}

Type sameAs(const RuleInput& in) {
    return in.of("x");
}

Type floatingX(const RuleInput& in) {
    const Type type = in.of("x");
    return type ? withDtype(type, floatingOf(type->dtype)) : type;
}

Type ofTwo(const RuleInput& in) {
    const Type a = in.of("a");
    const Type b = in.of("b");
    return a && b ? Type({promoted(a->dtype, b->dtype), broadcast(a->sizes, b->sizes)}) : Type();
}

Type ofTwoFloating(const RuleInput& in) {
    const Type type = ofTwo(in);
    return type ? withDtype(type, floatingOf(type->dtype)) : type;
}

Type truthOfTwo(const RuleInput& in) {
    return withDtype(ofTwo(in), ScalarType::Bool);
}

Type truthOfX(const RuleInput& in) {
    return withDtype(in.of("x"), ScalarType::Bool);
}

Type target(const RuleInput& in) {
    return in.of("dst");
}

Type attention(const RuleInput& in) {
    const Type q = in.of("q");
    const Type v = in.of("v");
    Type type = q;
    if (type && v && !type->sizes.empty() && !v->sizes.empty()) {
        type->sizes.back() = v->sizes.back();
    }
    const Field* dtype = in.node.find("out_dtype");
    const auto* code = dtype == nullptr ? nullptr : std::get_if<Item>(dtype);
    return code == nullptr ? type : withDtype(type, static_cast<ScalarType>(code->whole));
}

Type matrixProduct(const Type& left, Sizes right, ScalarType rightType) {
    if (!left || left->sizes.size() < 2 || right.size() < 2) {
        return {};
    }
    Sizes batch(left->sizes.begin(), left->sizes.end() - 2);
    Sizes sizes = broadcast(batch, Sizes(right.begin(), right.end() - 2));
    sizes.push_back(left->sizes[left->sizes.size() - 2]);
    sizes.push_back(right.back());
    return TensorType{promoted(left->dtype, rightType), std::move(sizes)};
}

Type addmm(const RuleInput& in) {
    const Type right = in.of("mat2");
    return right ? matrixProduct(in.of("mat1"), right->sizes, right->dtype) : Type();
}

/// Sizes of dequantized weights.
Sizes unpacked(const Type& packed, const Type& scales, std::int64_t bits, std::int64_t group) {
    Sizes sizes = packed ? packed->sizes : Sizes();
    if (sizes.empty()) {
        return sizes;
    }
    if (sizes.back() >= 0 && bits > 0) {
        sizes.back() = sizes.back() * 32 / bits;
    } else if (scales && !scales->sizes.empty() && scales->sizes.back() >= 0) {
        sizes.back() = group < 0 ? unknownSize : product({scales->sizes.back(), group});
    }
    return sizes;
}

Type quantizedProduct(const RuleInput& in) {
    Sizes weight = unpacked(in.of("w"), in.of("scales"), in.whole("bits"), in.whole("group_size"));
    const Type x = in.of("x");
    if (!x || weight.size() < 2) {
        return {};
    }
    if (in.whole("transpose") != 0) {
        std::swap(weight[weight.size() - 1], weight[weight.size() - 2]);
    }
    return matrixProduct(x, weight, x->dtype);
}

Type dequantized(const RuleInput& in) {
    const Type scales = in.of("scales");
    Sizes sizes = unpacked(in.of("w"), scales, in.whole("bits"), in.whole("group_size"));
    const Field* dtype = in.node.find("dtype");
    const auto* code = std::get_if<Item>(dtype);
    const bool isAffine = textIn(in.node, "mode") == "affine";
    const ScalarType standard = isAffine && scales ? scales->dtype : ScalarType::BFloat16;
    return TensorType{code == nullptr ? standard : static_cast<ScalarType>(code->whole), std::move(sizes)};
}

/// Batch sizes of a product of gathered matrices.
Sizes gatheredBatch(const RuleInput& in, const Sizes& left, const Sizes& right) {
    const Type rows = in.of("lhs_indices");
    const Type columns = in.of("rhs_indices");
    const Sizes first = rows ? rows->sizes : Sizes(left.begin(), left.end() - 2);
    const Sizes second = columns ? columns->sizes : Sizes(right.begin(), right.end() - 2);
    return broadcast(first, second);
}

Type gatheredProduct(const RuleInput& in, const Type& left, Sizes right) {
    if (!left || left->sizes.size() < 2 || right.size() < 2) {
        return {};
    }
    Sizes sizes = gatheredBatch(in, left->sizes, right);
    sizes.push_back(left->sizes[left->sizes.size() - 2]);
    sizes.push_back(right.back());
    return TensorType{left->dtype, std::move(sizes)};
}

Type gatherMm(const RuleInput& in) {
    const Type right = in.of("b");
    return right ? gatheredProduct(in, in.of("a"), right->sizes) : Type();
}

Type gatherQmm(const RuleInput& in) {
    Sizes weight = unpacked(in.of("w"), in.of("scales"), in.whole("bits"), in.whole("group_size"));
    if (weight.size() >= 2 && in.whole("transpose") != 0) {
        std::swap(weight[weight.size() - 1], weight[weight.size() - 2]);
    }
    return gatheredProduct(in, in.of("x"), std::move(weight));
}

Type expanded(const RuleInput& in) {
    Type type = in.of("x");
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size() + 1) : -1;
    if (axis < 0) {
        return {};
    }
    type->sizes.insert(type->sizes.begin() + axis, 1);
    return type;
}

Type tiled(const RuleInput& in) {
    Type type = in.of("x");
    if (!type) {
        return type;
    }
    Sizes reps = in.numbers("reps");
    const std::size_t rank = std::max(reps.size(), type->sizes.size());
    reps.insert(reps.begin(), rank - reps.size(), 1);
    type->sizes.insert(type->sizes.begin(), rank - type->sizes.size(), 1);
    for (std::size_t i = 0; i < rank; ++i) {
        type->sizes[i] = product({type->sizes[i], reps[i]});
    }
    return type;
}

Type alongAxis(const RuleInput& in) {
    const Type x = in.of("x");
    const Type indices = in.of("indices");
    return x && indices ? Type({x->dtype, indices->sizes}) : Type();
}

Type taken(const RuleInput& in) {
    Type type = in.of("x");
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    const auto index = itemsIn(in.node, "index");
    type->sizes.erase(type->sizes.begin() + axis);
    if (!index.empty() && index[0].kind == Item::Kind::Tensor) {
        const Type indices = in.types.of(index[0].number);
        if (!indices) {
            return {};
        }
        type->sizes.insert(type->sizes.begin() + axis, indices->sizes.begin(), indices->sizes.end());
    }
    return type;
}

Type squeezed(const RuleInput& in) {
    Type type = in.of("x");
    if (!type) {
        return type;
    }
    const auto dims = wholesIn(in.node, "dims");
    Sizes sizes;
    for (std::size_t i = 0; i < type->sizes.size(); ++i) {
        const bool isNamed = dims.empty() || std::ranges::any_of(dims, [&](std::int64_t dim) {
                                 return axisOf(dim, type->sizes.size()) == static_cast<std::int64_t>(i);
                             });
        if (!isNamed || type->sizes[i] != 1) {
            sizes.push_back(type->sizes[i]);
        }
    }
    type->sizes = std::move(sizes);
    return type;
}

Type reshaped(const RuleInput& in) {
    const Type x = in.of("x");
    if (!x) {
        return x;
    }
    Sizes sizes;
    std::optional<std::size_t> inferred;
    for (const Item& item : itemsIn(in.node, "shape")) {
        const auto size = in.types.valueOf(item);
        if (size == -1) {
            inferred = sizes.size();
        }
        sizes.push_back(size.value_or(unknownSize));
    }
    if (inferred) {
        Sizes others = sizes;
        others[*inferred] = 1;
        const std::int64_t whole = product(x->sizes);
        const std::int64_t rest = product(others);
        sizes[*inferred] = whole < 0 || rest <= 0 ? unknownSize : whole / rest;
    }
    return TensorType{x->dtype, std::move(sizes)};
}

Type broadcastTo(const RuleInput& in) {
    const Type x = in.of("x");
    if (!x) {
        return x;
    }
    Sizes sizes = in.numbers("shape");
    for (std::size_t i = 0; i < x->sizes.size() && i < sizes.size(); ++i) {
        std::int64_t& size = sizes[sizes.size() - 1 - i];
        size = size == unknownSize ? x->sizes[x->sizes.size() - 1 - i] : size;
    }
    return TensorType{x->dtype, std::move(sizes)};
}

Type transposed(const RuleInput& in) {
    Type type = in.of("x");
    const auto order = wholesIn(in.node, "perm");
    if (!type || order.size() != type->sizes.size()) {
        return {};
    }
    const Sizes before = type->sizes;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int64_t from = axisOf(order[i], before.size());
        type->sizes[i] = from < 0 ? unknownSize : before[static_cast<std::size_t>(from)];
    }
    return type;
}

Type strided(const RuleInput& in) {
    const Type x = in.of("x");
    return x ? Type({x->dtype, in.numbers("shape")}) : x;
}

Type padded(const RuleInput& in) {
    Type type = in.of("x");
    const Sizes widths = in.numbers("pad_width");
    for (std::size_t i = 0; type && i < type->sizes.size() && 2 * i + 1 < widths.size(); ++i) {
        std::int64_t& size = type->sizes[i];
        const bool isKnown = size >= 0 && widths[2 * i] >= 0 && widths[2 * i + 1] >= 0;
        size = isKnown ? size + widths[2 * i] + widths[2 * i + 1] : unknownSize;
    }
    return type;
}

Type selected(const RuleInput& in) {
    const Type condition = in.of("condition");
    const Type x = in.of("x");
    const Type y = in.of("y");
    return condition && x && y ? Type({promoted(x->dtype, y->dtype),
                                       broadcast(condition->sizes, broadcast(x->sizes, y->sizes))})
                               : Type();
}

Type gathered(const RuleInput& in) {
    const Type x = in.of("x");
    Sizes sizes;
    for (const TensorNumber tensor : tensorsIn(in.node, "indices")) {
        const Type indices = in.types.of(tensor);
        if (!indices) {
            return {};
        }
        sizes = broadcast(sizes, indices->sizes);
    }
    const auto slices = wholesIn(in.node, "slice_sizes");
    sizes.insert(sizes.end(), slices.begin(), slices.end());
    return x ? Type({x->dtype, std::move(sizes)}) : x;
}

std::int64_t sliceLength(std::int64_t size, std::int64_t start, std::int64_t stop, std::int64_t step) {
    if (step == 0) {
        return unknownSize;
    }
    const auto fromEnd = [&](std::int64_t at) { return at < 0 ? at + size : at; };
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? size : size - 1;
    const std::int64_t first = std::clamp(fromEnd(start), low, std::max(low, high));
    const std::int64_t last = std::clamp(fromEnd(stop), low, std::max(low, high));
    const std::int64_t span = step > 0 ? last - first : first - last;
    const std::int64_t width = step > 0 ? step : -step;
    return span <= 0 ? 0 : (span + width - 1) / width;
}

Type sliced(const RuleInput& in) {
    Type type = in.of("x");
    const auto number = [&](std::string_view field) {
        return in.types.valueOf(itemsIn(in.node, field).at(0));
    };
    const auto named = number("axis");
    const std::int64_t axis = type && named ? axisOf(*named, type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    std::int64_t& size = type->sizes[static_cast<std::size_t>(axis)];
    const auto start = number("start");
    const auto stop = number("stop");
    size = size >= 0 && start && stop ? sliceLength(size, *start, *stop, in.whole("step")) : unknownSize;
    return type;
}

Type converted(const RuleInput& in) {
    return withDtype(in.of("x"), static_cast<ScalarType>(in.whole("scalar_type")));
}

/// Promotes the dtypes of a list; the first tensor's sizes.
Type firstOfList(const RuleInput& in) {
    Type type;
    for (const TensorNumber tensor : tensorsIn(in.node, "tensors")) {
        const Type each = in.types.of(tensor);
        if (!each) {
            return {};
        }
        type = type ? withDtype(type, promoted(type->dtype, each->dtype)) : each;
    }
    return type;
}

Type concatenated(const RuleInput& in) {
    Type type = firstOfList(in);
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t whole = 0;
    for (const TensorNumber tensor : tensorsIn(in.node, "tensors")) {
        const Type each = in.types.of(tensor);
        const bool isKnown = whole >= 0 && at < each->sizes.size() && each->sizes[at] >= 0;
        whole = isKnown ? whole + each->sizes[at] : unknownSize;
    }
    type->sizes[at] = whole;
    return type;
}

Type stacked(const RuleInput& in) {
    Type type = firstOfList(in);
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size() + 1) : -1;
    if (axis < 0) {
        return {};
    }
    type->sizes.insert(type->sizes.begin() + axis,
                       static_cast<std::int64_t>(tensorsIn(in.node, "tensors").size()));
    return type;
}

Type filled(const RuleInput& in) {
    return TensorType{static_cast<ScalarType>(in.whole("scalar_type")), in.numbers("shape")};
}

Type filledLike(const RuleInput& in) {
    const auto* code = std::get_if<Item>(in.node.find("scalar_type"));
    return code == nullptr ? in.of("x") : withDtype(in.of("x"), static_cast<ScalarType>(code->whole));
}

Type ranged(const RuleInput& in) {
    const auto* code = std::get_if<Item>(in.node.find("scalar_type"));
    const Sizes ends{in.numbers("start").at(0), in.numbers("stop").at(0), in.numbers("step").at(0)};
    const bool isKnown = std::ranges::all_of(ends, [](std::int64_t end) { return end >= 0; }) && ends[2] > 0;
    const std::int64_t count =
        isKnown ? std::max<std::int64_t>(0, (ends[1] - ends[0] + ends[2] - 1) / ends[2]) : unknownSize;
    return TensorType{code == nullptr ? ScalarType::Int : static_cast<ScalarType>(code->whole), {count}};
}

Type triangular(const RuleInput& in) {
    return TensorType{static_cast<ScalarType>(in.whole("scalar_type")),
                      {in.numbers("n").at(0), in.numbers("m").at(0)}};
}

Type randomBits(const RuleInput& in) {
    return TensorType{ScalarType::UInt32, in.numbers("shape")};
}

Type clipped(const RuleInput& in) {
    Type type = in.of("x");
    for (const std::string_view bound : {"a_min", "a_max"}) {
        if (const Type other = in.of(bound); type && other) {
            type = TensorType{promoted(type->dtype, other->dtype), broadcast(type->sizes, other->sizes)};
        }
    }
    return type;
}

Type repeated(const RuleInput& in) {
    Type type = in.of("x");
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    std::int64_t& size = type->sizes[static_cast<std::size_t>(axis)];
    size = product({size, in.numbers("repeats").at(0)});
    return type;
}

Type reduced(const RuleInput& in, const std::vector<std::int64_t>& axes) {
    Type type = in.of("x");
    if (!type) {
        return type;
    }
    const bool keeps = in.whole("keepdims") != 0;
    Sizes sizes;
    for (std::size_t i = 0; i < type->sizes.size(); ++i) {
        const bool isReduced = axes.empty() || std::ranges::any_of(axes, [&](std::int64_t axis) {
                                   return axisOf(axis, type->sizes.size()) == static_cast<std::int64_t>(i);
                               });
        if (!isReduced || keeps) {
            sizes.push_back(isReduced ? 1 : type->sizes[i]);
        }
    }
    type->sizes = std::move(sizes);
    return type;
}

Type overAxes(const RuleInput& in) {
    return reduced(in, wholesIn(in.node, "axes"));
}

Type overAxesFloating(const RuleInput& in) {
    const Type type = overAxes(in);
    return type ? withDtype(type, floatingOf(type->dtype)) : type;
}

Type overAxesTruth(const RuleInput& in) {
    return withDtype(overAxes(in), ScalarType::Bool);
}

/// Sums of small integers are int32.
Type summed(const RuleInput& in) {
    const Type type = overAxes(in);
    const bool isSmall =
        type && core::elementBytes(type->dtype) < 4 && floatingOf(type->dtype) != type->dtype;
    return isSmall ? withDtype(type, ScalarType::Int) : type;
}

Type position(const RuleInput& in) {
    return withDtype(reduced(in, {in.whole("axis")}), ScalarType::UInt32);
}

Type positions(const RuleInput& in) {
    return withDtype(in.of("x"), ScalarType::UInt32);
}

/// The dimension of a convolution's result.
std::int64_t windowed(const RuleInput& in, std::int64_t size, std::int64_t kernel,
                      const std::string& ending) {
    const auto of = [&](std::string_view name) { return in.whole(std::string(name) + ending); };
    const std::array numbers{size, kernel, of("stride"), of("padding"), of("dilation")};
    const auto [smallest, largest] = std::ranges::minmax(numbers);
    if (smallest < 0 || largest > largestWindow || of("stride") == 0) {
        return unknownSize;
    }
    if (in.node.kind->name.starts_with("ConvTranspose")) {
        return (size - 1) * of("stride") - 2 * of("padding") + of("dilation") * (kernel - 1) +
               of("output_padding") + 1;
    }
    const std::int64_t span = size + 2 * of("padding") - of("dilation") * (kernel - 1) - 1;
    return span < 0 ? 0 : span / of("stride") + 1;
}

constexpr std::string_view axisEndings[][3] = {{""}, {"_h", "_w"}, {"_d", "_h", "_w"}};

/// [batch, spatial, channels] and weights [out, spatial, in].
Type convolution(const RuleInput& in) {
    const Type x = in.of("x");
    const Type w = in.of("w");
    if (!x || !w || x->sizes.size() < 3 || x->sizes.size() > 5 || w->sizes.size() != x->sizes.size()) {
        return {};
    }
    const std::size_t spatial = x->sizes.size() - 2;
    TensorType type{promoted(x->dtype, w->dtype), x->sizes};
    for (std::size_t i = 0; i < spatial; ++i) {
        type.sizes[i + 1] =
            windowed(in, x->sizes[i + 1], w->sizes[i + 1], std::string(axisEndings[spatial - 1][i]));
    }
    type.sizes.back() = w->sizes.front();
    return type;
}

const std::map<std::string_view, Rule>& rules() {
    static const std::map<std::string_view, Rule> table = [] {
        std::map<std::string_view, Rule> made{
            {"AddmmNode", addmm},
            {"ExpandDimsNode", expanded},
            {"TileNode", tiled},
            {"TakeAlongAxisNode", alongAxis},
            {"TakeNode", taken},
            {"SdpaNode", attention},
            {"UpdateAndAttendNode", attention},
            {"ARangeNode", ranged},
            {"SqueezeNode", squeezed},
            {"BroadcastToNode", broadcastTo},
            {"PadNode", padded},
            {"WhereNode", selected},
            {"ReshapeNode", reshaped},
            {"TransposeNode", transposed},
            {"AsStridedNode", strided},
            {"GatherNode", gathered},
            {"SliceNode", sliced},
            {"AsTypeNode", converted},
            {"ConcatenateNode", concatenated},
            {"StackNode", stacked},
            {"FullNode", filled},
            {"FullLikeNode", filledLike},
            {"ArgmaxNode", position},
            {"ArgminNode", position},
            {"ArgsortNode", positions},
            {"ArgPartitionNode", positions},
            {"SliceUpdateNode", target},
            {"IndexCopyNode", target},
            {"DequantizeNode", dequantized},
            {"LogicalNotNode", truthOfX},
            {"TriNode", triangular},
            {"ClipNode", clipped},
            {"RepeatNode", repeated},
            {"SumNode", summed},
            {"ProdNode", summed},
            {"MaxNode", overAxes},
            {"MinNode", overAxes},
            {"MedianNode", overAxesFloating},
            {"AnyNode", overAxesTruth},
            {"AllNode", overAxesTruth},
            {"QuantizedMatmulNode", quantizedProduct},
            {"GatherMmNode", gatherMm},
            {"GatherQmmNode", gatherQmm},
            {"RandomBitsNode", randomBits},
        };
        const auto addAll = [&](Rule rule, std::initializer_list<std::string_view> names) {
            for (const std::string_view name : names) {
                made.emplace(name, rule);
            }
        };
        addAll(sameAs,
               {"IdCopyNode",     "ContiguousNode", "TrilNode",      "TriuNode",      "FloorNode",
                "CeilNode",       "SquareNode",     "RoundNode",     "AbsNode",       "NegNode",
                "SignNode",       "CumsumNode",     "SortNode",      "PartitionNode", "RollNode",
                "ScatterAddNode", "RMSNormNode",    "LayerNormNode", "RopeNode",      "BitwiseInvertNode"});
        addAll(floatingX,
               {"GeluNode",    "SiluNode",      "SigmoidNode", "TanhNode",  "RsqrtNode",   "LogNode",
                "SoftmaxNode", "ExpNode",       "SinNode",     "CosNode",   "TanNode",     "ArcsinNode",
                "ArccosNode",  "ArctanNode",    "SinhNode",    "CoshNode",  "ArcsinhNode", "ArccoshNode",
                "ArctanhNode", "Log2Node",      "Log10Node",   "Log1pNode", "ErfNode",     "Expm1Node",
                "SqrtNode",    "ReciprocalNode"});
        addAll(ofTwo,
               {"AddNode", "MultiplyNode", "SubtractNode", "MaximumNode", "MinimumNode", "FloorDivideNode",
                "RemainderNode", "PowerNode", "BitwiseAndNode", "BitwiseOrNode", "BitwiseXorNode"});
        addAll(ofTwoFloating, {"DivideNode", "Atan2Node", "LogAddExpNode"});
        addAll(truthOfTwo, {"LessNode", "LessEqualNode", "GreaterNode", "GreaterEqualNode", "EqualNode",
                            "NotEqualNode", "LogicalAndNode", "LogicalOrNode"});
        addAll(overAxesFloating, {"LogSumExpNode", "MeanNode", "VarNode", "StdNode"});
        addAll(convolution, {"Conv1DNode", "Conv2DNode", "Conv3DNode", "ConvTranspose1DNode",
                             "ConvTranspose2DNode", "ConvTranspose3DNode"});
        return made;
    }();
    return table;
}

/// Sizes of the parts of a split tensor.
std::vector<Type> splitTypes(const RuleInput& in) {
    const auto outs = tensorsIn(in.node, "outs");
    const Type x = in.of("x");
    std::vector<Type> parts(outs.size(), x);
    const std::int64_t axis = x ? axisOf(in.whole("axis"), x->sizes.size()) : -1;
    if (axis < 0) {
        return std::vector<Type>(outs.size());
    }
    const auto at = static_cast<std::size_t>(axis);
    const Sizes sizes = in.numbers("sizes");
    std::int64_t rest = x->sizes[at];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::int64_t size = sizes.size() == 1 ? sizes[0] : i < sizes.size() ? sizes[i] : unknownSize;
        parts[i]->sizes[at] = sizes.size() == 1 && rest >= 0 ? std::min(size, rest) : size;
        rest = rest >= 0 && size >= 0 ? rest - size : rest;
    }
    return parts;
}

/// Outputs of a Metal kernel state their types.
std::vector<Type> kernelTypes(const RuleInput& in) {
    const auto outputs = tensorsIn(in.node, "outputs");
    const Sizes flat = in.numbers("output_shapes_flat");
    const auto lengths = wholesIn(in.node, "output_shape_lengths");
    const auto dtypes = wholesIn(in.node, "output_dtypes");
    std::vector<Type> types(outputs.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < outputs.size() && i < lengths.size() && i < dtypes.size(); ++i) {
        if (lengths[i] < 0 || std::cmp_greater(lengths[i], flat.size() - at)) {
            break;
        }
        const auto count = static_cast<std::size_t>(lengths[i]);
        types[i] = TensorType{static_cast<ScalarType>(dtypes[i]),
                              Sizes(flat.begin() + static_cast<std::ptrdiff_t>(at),
                                    flat.begin() + static_cast<std::ptrdiff_t>(at + count))};
        at += count;
    }
    return types;
}

}  // namespace

ScalarType promoted(ScalarType left, ScalarType right) {
    const auto isComputed = [](ScalarType dtype) {
        const auto info = core::scalarType(static_cast<std::int64_t>(dtype));
        return info && info->kind != core::ScalarKind::Other;
    };
    return left == right || !isComputed(left) || !isComputed(right) ? left
                                                                    : kernels::promoteTypes(left, right);
}

ScalarType floatingOf(ScalarType dtype) {
    const auto info = core::scalarType(static_cast<std::int64_t>(dtype));
    const bool isFloating =
        info && (info->kind == core::ScalarKind::Float || info->kind == core::ScalarKind::Complex);
    return isFloating ? dtype : ScalarType::Float;
}

std::vector<Item> itemsIn(const Node& node, std::string_view field) {
    std::vector<Item> items;
    if (const Field* found = node.find(field)) {
        forItems(*found, [&](const Item& item) { items.push_back(item); });
    }
    return items;
}

std::vector<TensorNumber> tensorsIn(const Node& node, std::string_view field) {
    std::vector<TensorNumber> numbers;
    for (const Item& item : itemsIn(node, field)) {
        if (item.kind == Item::Kind::Tensor) {
            numbers.push_back(item.number);
        }
    }
    return numbers;
}

std::optional<TensorNumber> tensorIn(const Node& node, std::string_view field) {
    const auto numbers = tensorsIn(node, field);
    return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}

std::int64_t wholeIn(const Node& node, std::string_view field) {
    const auto items = itemsIn(node, field);
    return items.empty() ? 0 : items.front().whole;
}

double realIn(const Node& node, std::string_view field) {
    const auto items = itemsIn(node, field);
    return items.empty() ? 0 : items.front().real;
}

std::vector<std::int64_t> wholesIn(const Node& node, std::string_view field) {
    std::vector<std::int64_t> wholes;
    for (const Item& item : itemsIn(node, field)) {
        wholes.push_back(item.whole);
    }
    return wholes;
}

std::string_view textIn(const Node& node, std::string_view field) {
    const Field* found = node.find(field);
    const auto* text = found == nullptr ? nullptr : std::get_if<std::string_view>(found);
    return text == nullptr ? std::string_view() : *text;
}

std::string typeText(const TensorType& type) {
    std::string text;
    for (const std::int64_t size : type.sizes) {
        text += (text.empty() ? "" : ", ") + (size < 0 ? std::string("?") : std::to_string(size));
    }
    return fmt::format("{} [{}]", core::scalarTypeName(static_cast<std::int8_t>(type.dtype)), text);
}

ResultTypes::ResultTypes(const Payload& of, DynamicSizes dynamic)
    : payload(&of), tensors(of.tensorCount()), values(of.valueNumbers) {
    for (TensorNumber tensor = 0; tensor < payload->tensors.size(); ++tensor) {
        const TensorMeta& meta = payload->tensors[tensor];
        TensorType type{static_cast<ScalarType>(meta.dtype), {}};
        for (const Dimension& dimension : meta.sizes) {
            const bool isBound = dimension.size < 0 && dynamic == DynamicSizes::Largest;
            type.sizes.push_back(isBound ? dimension.maximum : dimension.size);
        }
        tensors[tensor] = std::move(type);
    }
}

std::optional<std::int64_t> ResultTypes::valueOf(const Item& item) const {
    return item.kind == Item::Kind::Value ? values[item.number] : std::optional(item.whole);
}

void ResultTypes::set(TensorNumber tensor, std::optional<TensorType> type) {
    if (type) {
        for (std::int64_t& size : type->sizes) {
            size = size < 0 || size > largestSize ? unknownSize : size;
        }
    }
    tensors[tensor] = std::move(type);
}

void ResultTypes::addValue(const Node& node) {
    const auto out = itemsIn(node, "out");
    if (out.empty() || out[0].kind != Item::Kind::Value) {
        return;
    }
    std::optional<std::int64_t>& value = values[out[0].number];
    value.reset();
    if (node.kind->name == "SymSizeNode") {
        const Type& a = of(*tensorIn(node, "a"));
        const std::int64_t axis = a ? axisOf(wholeIn(node, "dim"), a->sizes.size()) : -1;
        if (axis >= 0 && a->sizes[static_cast<std::size_t>(axis)] >= 0) {
            value = a->sizes[static_cast<std::size_t>(axis)];
        }
    }
}

void ResultTypes::add(const Node& node) {
    addValue(node);
    const RuleInput in{node, *this};
    if (node.kind->name == "SplitNode" || node.kind->name == "MetalKernelNode") {
        const bool isSplit = node.kind->name == "SplitNode";
        const auto outs = tensorsIn(node, isSplit ? "outs" : "outputs");
        std::vector<Type> types = isSplit ? splitTypes(in) : kernelTypes(in);
        for (std::size_t i = 0; i < outs.size(); ++i) {
            set(outs[i], std::move(types[i]));
        }
        return;
    }
    const auto out = tensorIn(node, "out");
    // A constant that a node writes is computed when the delegate is loaded; its metadata are those of a
    // number.
    const Role role = out ? payload->roleOf(*out) : Role::Output;
    if (role != Role::Temporary && role != Role::Constant) {
        return;
    }
    const auto rule = rules().find(node.kind->name);
    set(*out, rule == rules().end() ? Type() : rule->second(in));
}

}  // namespace et::backends::mlx
