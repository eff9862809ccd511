#include "backends/lowering/computed_constants.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"
#include "backends/reference/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace et::backends::lowering {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::Node;
using reference::Interpreter;
using reference::ReferenceTensor;

/// Parts of the names of operators whose results differ from run to run.
constexpr std::array<std::string_view, 7> randomWords{"rand",    "bernoulli",   "dropout",    "rrelu",
                                                      "uniform", "multinomial", "aten.normal"};
constexpr std::string_view uninitialized = "aten.empty";

bool isDeterministic(std::string_view target) {
    return !target.starts_with(uninitialized) &&
           std::ranges::none_of(randomWords, [&](std::string_view word) { return target.contains(word); });
}

bool isKnown(const Node& node) {
    const auto op = reference::resolveOperator(node.target);
    return op.row != nullptr && !op.inPlace && isDeterministic(reference::plainTarget(node.target));
}

/// Number of elements; nothing for values that are not tensors of known sizes.
std::optional<std::int64_t> elementsOf(const EdgeMethod& method, std::string_view value) {
    const etrecord::TensorMeta* meta = method.meta(value);
    if (meta == nullptr) {
        return std::nullopt;
    }
    std::vector<std::int64_t> sizes;
    for (const etrecord::SymInt& size : meta->sizes) {
        if (!size.expression.empty()) {
            return std::nullopt;
        }
        sizes.push_back(size.value);
    }
    const auto bytes = core::tensorBytes(std::to_underlying(core::ScalarType::Byte), sizes);
    return bytes ? std::optional(static_cast<std::int64_t>(*bytes)) : std::nullopt;
}

}  // namespace

ComputedConstants::ComputedConstants(EdgeMethod& of, const kernels::KernelRegistry& registry)
    : method(of), kernels(registry) {
    for (const Node& node : method.graph().nodes) {
        largestSource.push_back(isKnown(node) ? sourceOf(node) : std::nullopt);
    }
}

/// Elements of the largest constant that a node is computed from; nothing if it reads other values.
std::optional<std::int64_t> ComputedConstants::sourceOf(const Node& node) const {
    std::optional<std::int64_t> largest = 0;
    for (const Argument& argument : node.inputs) {
        reference::forNames(argument, [&](const std::string& name) {
            if (name.empty() || !largest) {
                return;
            }
            const auto producer = method.producer(name);
            const auto elements = producer                  ? largestSource[*producer]
                                  : method.isConstant(name) ? elementsOf(method, name)
                                                            : std::nullopt;
            largest = elements ? std::optional(std::max(*largest, *elements)) : std::nullopt;
        });
    }
    for (const Argument& output : node.outputs) {
        reference::forNames(output, [&](const std::string& name) {
            largest = elementsOf(method, name) ? largest : std::nullopt;
        });
    }
    return largest;
}

bool ComputedConstants::isSmall(NodeIndex node) const {
    const auto elements = elementsOf(method, firstResult(method.node(node)));
    return isComputable(node) && elements && *elements <= std::max<std::int64_t>(*largestSource[node], 1);
}

/// The nodes that compute a node's operands, and the node itself, in graph order.
std::vector<NodeIndex> ComputedConstants::nodesFor(NodeIndex node) const {
    std::set<NodeIndex> needed{node};
    std::vector<NodeIndex> open{node};
    while (!open.empty()) {
        const NodeIndex next = open.back();
        open.pop_back();
        for (const std::string& name : reference::namesIn(method.node(next).inputs)) {
            if (const auto producer = method.producer(name); producer && needed.insert(*producer).second) {
                open.push_back(*producer);
            }
        }
    }
    return {needed.begin(), needed.end()};
}

Result<Interpreter::Values> ComputedConstants::compute(NodeIndex node) {
    etrecord::ExportedGraph graph;
    Interpreter::Values given;
    const auto describe = [&](const std::string& name) {
        if (const auto* meta = method.meta(name)) {
            graph.tensors.emplace(name, *meta);
        }
    };
    for (const NodeIndex each : nodesFor(node)) {
        graph.nodes.push_back(method.node(each));
        for (const std::string& name : reference::namesIn(method.node(each).inputs)) {
            if (name.empty() || method.producer(name) || given.contains(name)) {
                continue;
            }
            ET_ASSIGN(ReferenceTensor tensor, method.tensor(name));
            given.emplace(name, std::move(tensor));
            const Argument argument{
                .name = {}, .kind = "as_tensor", .value = etrecord::ValueRef{.name = name}};
            graph.inputs.push_back(argument);
            graph.inputSpecs.push_back(
                {.kind = "user_input", .value = name, .target = {}, .argument = argument});
            describe(name);
        }
        std::ranges::for_each(reference::namesIn(method.node(each).outputs), describe);
    }
    const std::vector<std::string> wanted = reference::namesIn(method.node(node).outputs);
    ET_ASSIGN(const auto interpreter, Interpreter::of(graph, {.kernels = kernels, .threads = threads}));
    ET_ASSIGN(auto values, interpreter->evaluate(wanted, given));
    for (auto& [name, value] : values) {
        const auto* tensor = value.as<ReferenceTensor>();
        const auto* meta = method.meta(name);
        if (tensor == nullptr || meta == nullptr || !describes(*meta, tensor->view)) {
            return fail(
                ErrorCode::Mismatch,
                fmt::format("the computed value of \"{}\" differs from the graph's", core::printable(name)));
        }
    }
    return values;
}

}  // namespace et::backends::lowering
