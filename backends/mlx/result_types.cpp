#include "backends/mlx/result_types.h"

#include "backends/mlx/result_rules.h"
#include "runtime/kernels/type_promotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace et::backends::mlx {
namespace {

using core::ScalarType;

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

void addAll(Rules& to, Rule rule, std::initializer_list<std::string_view> names) {
    for (const std::string_view kind : names) {
        to.emplace(kind, rule);
    }
}

void addOtherRules(Rules& to) {
    to.insert({{"ArgmaxNode", position},
               {"ArgminNode", position},
               {"ArgsortNode", positions},
               {"ArgPartitionNode", positions},
               {"SliceUpdateNode", target},
               {"IndexCopyNode", target},
               {"LogicalNotNode", truthOfX},
               {"SumNode", summed},
               {"ProdNode", summed},
               {"MaxNode", overAxes},
               {"MinNode", overAxes},
               {"MedianNode", overAxesFloating},
               {"AnyNode", overAxesTruth},
               {"AllNode", overAxesTruth}});
    addAll(to, sameAs,
           {"IdCopyNode",     "ContiguousNode", "TrilNode",      "TriuNode",      "FloorNode",
            "CeilNode",       "SquareNode",     "RoundNode",     "AbsNode",       "NegNode",
            "SignNode",       "CumsumNode",     "SortNode",      "PartitionNode", "RollNode",
            "ScatterAddNode", "RMSNormNode",    "LayerNormNode", "RopeNode",      "BitwiseInvertNode"});
    addAll(
        to, floatingX,
        {"GeluNode",  "SiluNode", "SigmoidNode", "TanhNode",    "RsqrtNode",     "LogNode",    "SoftmaxNode",
         "ExpNode",   "SinNode",  "CosNode",     "TanNode",     "ArcsinNode",    "ArccosNode", "ArctanNode",
         "SinhNode",  "CoshNode", "ArcsinhNode", "ArccoshNode", "ArctanhNode",   "Log2Node",   "Log10Node",
         "Log1pNode", "ErfNode",  "Expm1Node",   "SqrtNode",    "ReciprocalNode"});
    addAll(to, ofTwo,
           {"AddNode", "MultiplyNode", "SubtractNode", "MaximumNode", "MinimumNode", "FloorDivideNode",
            "RemainderNode", "PowerNode", "BitwiseAndNode", "BitwiseOrNode", "BitwiseXorNode"});
    addAll(to, ofTwoFloating, {"DivideNode", "Atan2Node", "LogAddExpNode"});
    addAll(to, truthOfTwo,
           {"LessNode", "LessEqualNode", "GreaterNode", "GreaterEqualNode", "EqualNode", "NotEqualNode",
            "LogicalAndNode", "LogicalOrNode"});
    addAll(to, overAxesFloating, {"LogSumExpNode", "MeanNode", "VarNode", "StdNode"});
}

const Rules& rules() {
    static const Rules table = [] {
        Rules made;
        addOtherRules(made);
        addProductRules(made);
        addShapeRules(made);
        return made;
    }();
    return table;
}

}  // namespace

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
