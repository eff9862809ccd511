#include "backends/xnnpack/delegate/traced_operators.h"

#include "backends/xnnpack/delegate/operator_matching.h"
#include "backends/xnnpack/delegate/trace_conventions.h"
#include "runtime/core/operator_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace et::backends::xnnpack {
namespace {

/// Operator names in any version of the library of the clamps that it adds.
constexpr std::string_view addedClampNames = "Unary Elementwise (|Clamp (|Invalid Unary Op";

/// Possible operator names in any version of the library, by node of the payload.
std::vector<std::string> tracedPatterns(const Payload& payload) {
    std::vector<std::string> patterns;
    for (const PayloadNode& node : payload.nodes) {
        patterns.emplace_back(node.traits->operatorNames);
        if (!node.traits->tracedAs.empty()) {
            patterns.back() += fmt::format("|{}", node.traits->tracedAs);
        }
        if (!node.traits->functions->laterNames.empty()) {
            patterns.back() += fmt::format("|{}", node.traits->functions->laterNames);
        }
        if (node.traits->kind == NodeKind::Multiply && node.inputs[0] == node.inputs[1]) {
            patterns.back() += "|Square (";  // name of x * x in later library versions
        }
    }
    return patterns;
}

/// The nodes of a payload, by these names, and the clamps that the library adds.
std::vector<LibraryNode> nodesNamed(const Payload& payload, const std::vector<std::string>& patterns) {
    std::vector<LibraryNode> nodes;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        nodes.push_back({.payloadNode = i, .operatorNames = patterns[i]});
        if (isClampedSeparately(payload.nodes[i])) {
            nodes.push_back(addedClamp(i));
            nodes.back().operatorNames = addedClampNames;
        }
    }
    return nodes;
}

std::vector<std::string> withoutCounters(std::span<const std::string_view> tracedNames) {
    std::vector<std::string> names;
    for (const std::string_view name : tracedNames) {
        names.emplace_back(core::withoutCounter(name));
    }
    return names;
}

/// Nodes that always run as one operator each, and their operator names.
bool isProduct(const PayloadNode& node) {
    constexpr std::array products{NodeForm::BatchMatrixMultiply, NodeForm::FullyConnected,
                                  NodeForm::Convolution, NodeForm::DepthwiseConvolution,
                                  NodeForm::TransposedConvolution};
    return std::ranges::contains(products, node.traits->form());
}
bool isProduct(std::string_view name) {
    const auto products =
        std::ranges::find_if(traceConventions().families, &executor::OperatorFamily::products);
    return std::ranges::contains(products->operators, traceConventions().typeOf(name));
}

/// Whether a product works on quantized elements.
bool isQuantized(const Payload& payload, const PayloadNode& node) {
    return std::ranges::any_of(std::span(node.inputs).first(2), [&payload](ValueIndex input) {
        using enum Datatype;
        constexpr std::array quantized{QInt8, QUInt8, QCInt8, QCInt4, QDInt8, QBInt4, QPInt8};
        return std::ranges::contains(quantized, payload.value(input).datatype);
    });
}

/// Operators that move or convert elements. The library adds some by itself (padding of 4-bit products), so
/// they are no evidence.
bool isLayout(std::string_view name) {
    return std::ranges::contains(traceConventions().layouts, traceConventions().typeOf(name));
}

/// Whether a node runs as a separate operator in every version of the library; a clamp is fused into its
/// writer.
bool mustRun(const PayloadNode& node) {
    const NodeForm form = node.traits->form();
    return (form == NodeForm::Unary || form == NodeForm::Binary) && node.traits->kind != NodeKind::Clamp;
}

/// A node that must have run but has no operator.
std::optional<std::string> missingOperator(const Payload& payload, std::span<const LibraryNode> nodes,
                                           std::span<const std::string> names) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].isAddedClamp || !mustRun(payload.nodes[nodes[i].payloadNode])) {
            continue;
        }
        while (next < names.size() && !mayBe(nodes[i], names[next])) {
            ++next;
        }
        if (next++ == names.size()) {
            return fmt::format("ran nothing for node {} of the delegate ({})", nodes[i].payloadNode,
                               payload.nodes[nodes[i].payloadNode].traits->name);
        }
    }
    return std::nullopt;
}

std::optional<std::string> productContradiction(const Payload& payload, std::span<const std::string> names) {
    std::vector<const PayloadNode*> nodes;
    for (const PayloadNode& node : payload.nodes) {
        if (isProduct(node)) {
            nodes.push_back(&node);
        }
    }
    std::vector<std::string_view> ran;
    std::ranges::copy_if(names, std::back_inserter(ran),
                         [](std::string_view name) { return isProduct(name); });
    // Attention is computed by several operators of the library.
    const bool composed = std::ranges::contains(payload.nodes, NodeForm::Attention,
                                                [](const PayloadNode& node) { return node.traits->form(); });
    if (composed) {
        return std::nullopt;
    }
    if (ran.size() != nodes.size()) {
        return fmt::format("ran {} convolutions and matrix products, where the delegate has {}", ran.size(),
                           nodes.size());
    }
    for (std::size_t i = 0; i < ran.size(); ++i) {
        if (traceConventions().isQuantized(ran[i]) != isQuantized(payload, *nodes[i])) {
            return fmt::format("ran \"{}\", where the delegate has {} of {} elements", ran[i],
                               nodes[i]->traits->name,
                               datatypeName(payload.value(nodes[i]->inputs[1]).datatype));
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::optional<std::vector<std::size_t>>> nodesOfTraced(
    const Payload& payload, std::span<const std::string_view> tracedNames) {
    const std::vector<std::string> patterns = tracedPatterns(payload);
    std::vector<std::optional<std::vector<std::size_t>>> nodes;
    for (MatchedOperator& each :
         matchNodes(payload, nodesNamed(payload, patterns), withoutCounters(tracedNames))) {
        nodes.push_back(std::move(each.nodes));
    }
    return nodes;
}

std::optional<std::string> tracedContradiction(const Payload& payload,
                                               std::span<const std::string_view> tracedNames) {
    if (std::ranges::none_of(tracedNames, traceConventions().isOperator)) {
        return std::nullopt;
    }
    const std::vector<std::string> names = withoutCounters(tracedNames);
    if (auto wrong = productContradiction(payload, names)) {
        return wrong;
    }
    const std::vector<std::string> patterns = tracedPatterns(payload);
    const std::vector<LibraryNode> nodes = nodesNamed(payload, patterns);
    std::size_t next = 0;
    for (const std::string& name : names) {
        if (isLayout(name)) {
            continue;
        }
        const std::size_t before = next;
        while (next < nodes.size() && !mayBe(nodes[next], name)) {
            ++next;
        }
        if (next++ == nodes.size()) {
            return fmt::format("ran \"{}\", which the delegate does not have after its node {}", name,
                               before < nodes.size() ? nodes[before].payloadNode : payload.nodes.size());
        }
    }
    return missingOperator(payload, nodes, names);
}

}  // namespace et::backends::xnnpack
