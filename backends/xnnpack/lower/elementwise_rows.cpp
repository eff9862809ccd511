#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Elementwise operators.
namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Node;
using lowering::findArgument;
using lowering::firstResult;
using lowering::numberArgument;
using lowering::valueName;

// One operand.

Result<> convertUnary(PartConversion& to, const Node& node, const OperatorRow& row) {
    const std::array operands{operandOf(node)};
    const Layout layout = to.commonLayout(operands);
    ET_ASSIGN(const ValueIndex input, to.read(operands[0], layout));
    to.give(node, row.kind, {input}, {.layout = layout, .range = clampRange(node)});
    return {};
}

Result<> convertNumbered(PartConversion& to, const Node& node, const OperatorRow& row) {
    const bool leaky = row.kind == NodeKind::LeakyRelu;
    constexpr double usualSlope = 0.01;
    const double number =
        numberArgument(node, leaky ? "negative_slope" : "alpha").value_or(leaky ? usualSlope : 1);
    const std::array operands{operandOf(node)};
    const Layout layout = to.commonLayout(operands);
    ET_ASSIGN(const ValueIndex input, to.read(operands[0], layout));
    to.give(node, row.kind, {input},
            {.layout = layout, .fields = NumberFields{.value = static_cast<float>(number)}});
    return {};
}

std::string eluRule(const NodeQuery& question) {
    const bool plain = numberArgument(question.node, "scale").value_or(1) == 1 &&
                       numberArgument(question.node, "input_scale").value_or(1) == 1;
    return plain ? "" : "scale and input_scale must be 1";
}

std::string geluRule(const NodeQuery& question) {
    const std::string_view how = lowering::textArgument(question.node, "approximate");
    return how.empty() || how == "none" ? "" : fmt::format("approximate must be none, got {}", how);
}

std::string squareRule(const NodeQuery& question) {
    const auto exponent = numberArgument(question.node, "exponent");
    return exponent == 2 ? "" : "the exponent must be 2";
}

std::string clampRule(const NodeQuery& question) {
    for (const std::string_view bound : {"min", "max"}) {
        const auto* argument = findArgument(question.node, bound);
        if (argument != nullptr && argument->kind != "as_none" && !numberArgument(question.node, bound)) {
            return "its bounds must be numbers";
        }
    }
    const auto range = clampRange(question.node);
    return range && range->min < range->max ? "" : "its lower bound must be below its upper bound";
}

std::string softmaxRule(const NodeQuery& question) {
    const std::size_t rank = question.rankOf(operandOf(question.node));
    const auto dim = lowering::integerArgument(question.node, "dim");
    return dim && frontDim(*dim, rank) == rank - 1 ? "" : "it must be along the last dimension";
}

Result<> convertSoftmax(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(operandOf(node), Layout::Plain));
    to.give(node, row.kind, {input});
    return {};
}

// Two operands.

/// The second operand as a number; nothing for a tensor.
std::optional<double> otherNumber(const Node& node) {
    return numberArgument(node, "other");
}

bool isOneElement(const PartConversion& to, std::string_view value) {
    const auto sizes = to.graph().sizesOf(value);
    return sizes.empty() || (to.graph().isConstant(value) &&
                             std::ranges::all_of(sizes, [](std::int64_t size) { return size == 1; }));
}

std::string binaryRule(const NodeQuery& question) {
    const auto* alpha = findArgument(question.node, "alpha");
    if (alpha != nullptr && numberArgument(question.node, "alpha") != 1) {
        return "alpha must be 1";
    }
    const std::string_view other =
        question.operand(question.node.op == "aten._prelu_kernel.default" ? "weight" : "other");
    if (other.empty() && !otherNumber(question.node)) {
        return "the second operand must be a tensor or a number";
    }
    return lowering::textArgument(question.node, "rounding_mode").empty() ? "" : "it must not round";
}

/// Channels-last images only broadcast with other images and with single numbers.
Layout binaryLayout(const PartConversion& to, std::span<const std::string_view> operands) {
    std::vector<std::string_view> counting;
    for (const std::string_view operand : operands) {
        if (!isOneElement(to, operand)) {
            counting.push_back(operand);
        }
    }
    return counting.empty() ? Layout::Plain : to.commonLayout(counting);
}

Result<ValueIndex> readOperand(PartConversion& to, std::string_view operand, Layout layout) {
    const bool oneElement = isOneElement(to, operand);
    return to.read(operand, oneElement ? Layout::Plain : layout);
}

// PReLU as export decomposes it: where(x > 0, x, weight * x).

struct DecomposedPrelu {
    const Node *above, *below, *chosen;
    std::string_view operand, weight;
};

/// The node that produces a value, if only one node reads it.
const Node* onlyFor(const lowering::EdgeMethod& method, std::string_view value, std::string_view op) {
    const auto producer = method.producer(value);
    const bool alone = producer && method.users(value).size() == 1 && !method.isOutput(value);
    return alone && method.node(*producer).op == op ? &method.node(*producer) : nullptr;
}

/// The nodes of a PReLU by its last one; nothing for other nodes.
std::optional<DecomposedPrelu> preluAt(const lowering::EdgeMethod& method, const Node& chosen) {
    if (chosen.op != "aten.where.self") {
        return std::nullopt;
    }
    const std::string_view operand = operandOf(chosen);
    const Node* above = onlyFor(method, valueName(findArgument(chosen, "condition")), "aten.gt.Scalar");
    const Node* below = onlyFor(method, valueName(findArgument(chosen, "other")), "aten.mul.Tensor");
    const auto* sizes = method.meta(firstResult(chosen));
    const auto* given = method.meta(operand);
    if (above == nullptr || below == nullptr || operandOf(*above) != operand ||
        numberArgument(*above, "other") != 0 || sizes == nullptr || given == nullptr ||
        sizes->sizes != given->sizes) {
        return std::nullopt;
    }
    const std::string_view left = operandOf(*below);
    const std::string_view right = valueName(findArgument(*below, "other"));
    if ((left == operand) == (right == operand)) {
        return std::nullopt;
    }
    return DecomposedPrelu{.above = above,
                           .below = below,
                           .chosen = &chosen,
                           .operand = operand,
                           .weight = left == operand ? right : left};
}

/// The same by any of its nodes.
std::optional<DecomposedPrelu> preluOf(const lowering::EdgeMethod& method, const Node& node) {
    const auto readers = method.users(firstResult(node));
    const auto prelu = preluAt(method, node);
    return prelu || readers.size() != 1 ? prelu : preluAt(method, method.node(readers.front()));
}

std::string decomposedPreluRule(const NodeQuery& question) {
    const auto prelu = preluOf(question.method, question.node);
    if (!prelu) {
        return "XNNPACK has no such operator";
    }
    const Node* first = question.method.graph().nodes.data();
    for (const Node* each : {prelu->above, prelu->below, prelu->chosen}) {
        if (!question.mayTake(static_cast<lowering::NodeIndex>(each - first))) {
            return "a node of the same PReLU was excluded";
        }
    }
    if (!question.constants.has(prelu->weight)) {
        return "its slopes must be constant";
    }
    return whyNot({.method = question.method,
                   .constants = question.constants,
                   .taken = question.taken,
                   .mayTake = question.mayTake,
                   .node = *prelu->below});
}

/// The comparison, which the selection needs, computes all; the other two nodes nothing.
Result<> convertDecomposedPrelu(PartConversion& to, const Node& node, const OperatorRow& row) {
    const auto prelu = preluOf(to.graph().edge(), node);
    if (!prelu || prelu->above != &node) {
        return {};
    }
    const std::array operands{prelu->operand, prelu->weight};
    const Layout layout = binaryLayout(to, operands);
    ET_ASSIGN(const ValueIndex input, readOperand(to, prelu->operand, layout));
    ET_ASSIGN(const ValueIndex slopes, readOperand(to, prelu->weight, layout));
    to.give(*prelu->chosen, row.kind, {input, slopes}, {.layout = layout});
    return {};
}

Result<> convertBinary(PartConversion& to, const Node& node, const OperatorRow& row) {
    if (const auto prelu = preluOf(to.graph().edge(), node); prelu && to.graph().contains(*prelu->above)) {
        return {};  // part of another node
    }
    std::vector<std::string_view> operands{operandOf(node)};
    const auto number = otherNumber(node);
    if (!number) {
        operands.push_back(valueName(findArgument(node, row.kind == NodeKind::PRelu ? "weight" : "other")));
    }
    const Layout layout = binaryLayout(to, operands);
    std::vector<ValueIndex> inputs;
    for (const std::string_view operand : operands) {
        ET_ASSIGN(const ValueIndex input, readOperand(to, operand, layout));
        inputs.push_back(input);
    }
    if (number) {
        inputs.push_back(
            to.constants().number(static_cast<float>(*number), to.graph().datatypeOf(operands[0])));
    }
    to.give(node, row.kind, std::move(inputs), {.layout = layout});
    return {};
}

// A slope for each channel.

std::string preluRule(const NodeQuery& question) {
    const std::string_view weight = question.operand("weight");
    const auto* meta = question.method.meta(weight);
    if (meta == nullptr || !question.constants.has(weight)) {
        return "its slopes must be constant";
    }
    if (meta->sizes.size() > 1) {
        return "its slopes must have one dimension";
    }
    if (meta->sizes.empty() || meta->sizes.front().value == 1) {
        return "";
    }
    const auto& sizes = question.method.meta(operandOf(question.node))->sizes;
    return sizes.size() > 1 && sizes[1] == meta->sizes.front() ? ""
                                                               : "it must have one slope, or one per channel";
}

Result<> convertPrelu(PartConversion& to, const Node& node, const OperatorRow& row) {
    const std::array operands{operandOf(node)};
    const Layout layout = to.commonLayout(operands);
    ET_ASSIGN(const ValueIndex input, to.read(operands[0], layout));
    ET_ASSIGN(const ValueIndex slopes,
              to.constants().perChannel(valueName(findArgument(node, "weight")),
                                        to.graph().sizesOf(operands[0]).size(), layout));
    to.give(node, row.kind, {input, slopes}, {.layout = layout});
    return {};
}

constexpr OperatorRow unary(std::string_view op, NodeKind kind,
                            std::string (*refuse)(const NodeQuery&) = nullptr,
                            Integers integers = Integers::None) {
    return {.op = op,
            .kind = kind,
            .refuse = refuse,
            .convert = convertUnary,
            .integers = integers,
            .brainFloats = true};
}
constexpr OperatorRow binary(std::string_view op, NodeKind kind, Integers integers = Integers::None) {
    return {.op = op,
            .kind = kind,
            .refuse = binaryRule,
            .convert = convertBinary,
            .integers = integers,
            .scalars = true,
            .brainFloats = true};
}

constexpr OperatorRow decomposedPrelu(std::string_view op) {
    return {.op = op,
            .kind = NodeKind::PRelu,
            .refuse = decomposedPreluRule,
            .convert = convertDecomposedPrelu,
            .floats = false};
}

constexpr std::array elementwiseTable = std::to_array<OperatorRow>({
    unary("aten.abs.default", NodeKind::Abs),
    unary("aten.ceil.default", NodeKind::Ceiling),
    unary("aten.cos.default", NodeKind::Cosine),
    unary("aten.exp.default", NodeKind::Exp),
    unary("aten.floor.default", NodeKind::Floor),
    unary("aten.gelu.default", NodeKind::Gelu, geluRule),
    unary("aten.hardswish.default", NodeKind::HardSwish),
    unary("aten.log.default", NodeKind::Log),
    unary("aten.neg.default", NodeKind::Negate),
    unary("aten.pow.Tensor_Scalar", NodeKind::Square, squareRule),
    unary("aten.rsqrt.default", NodeKind::ReciprocalSquareRoot),
    unary("aten.sigmoid.default", NodeKind::Sigmoid),
    unary("aten.sin.default", NodeKind::Sine),
    unary("aten.sqrt.default", NodeKind::SquareRoot),
    unary("aten.tanh.default", NodeKind::Tanh),
    unary("aten.relu.default", NodeKind::Clamp, nullptr, Integers::OneScale),
    unary("aten.hardtanh.default", NodeKind::Clamp, clampRule, Integers::OneScale),
    unary("aten.clamp.default", NodeKind::Clamp, clampRule, Integers::OneScale),
    {.op = "aten.leaky_relu.default",
     .kind = NodeKind::LeakyRelu,
     .refuse = nullptr,
     .convert = convertNumbered},
    {.op = "aten.elu.default", .kind = NodeKind::Elu, .refuse = eluRule, .convert = convertNumbered},
    {.op = "aten._softmax.default",
     .kind = NodeKind::Softmax,
     .refuse = softmaxRule,
     .convert = convertSoftmax},
    binary("aten.add.Tensor", NodeKind::Add, Integers::Any),
    binary("aten.add.Scalar", NodeKind::Add),
    binary("aten.sub.Tensor", NodeKind::Subtract, Integers::Any),
    binary("aten.sub.Scalar", NodeKind::Subtract),
    binary("aten.mul.Tensor", NodeKind::Multiply, Integers::Any),
    binary("aten.mul.Scalar", NodeKind::Multiply),
    binary("aten.div.Tensor", NodeKind::Divide),
    binary("aten.div.Scalar", NodeKind::Divide),
    binary("aten.minimum.default", NodeKind::Minimum),
    binary("aten.maximum.default", NodeKind::Maximum),
    binary("aten._prelu_kernel.default", NodeKind::PRelu),
    decomposedPrelu("aten.gt.Scalar"),
    decomposedPrelu("aten.where.self"),
    {.op = "aten.prelu.default", .kind = NodeKind::PRelu, .refuse = preluRule, .convert = convertPrelu},
});

}  // namespace

std::span<const OperatorRow> elementwiseRows() {
    return elementwiseTable;
}

}  // namespace et::backends::xnnpack
