#include "inspector/numeric_gap/graph_part.h"

#include "etrecord/buffer_mutation.h"
#include "inspector/numeric_gap/reference_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::NodeIndex;

bool hasAny(const etrecord::Node& node, const HandleSet& handles) {
    return std::ranges::any_of(node.debugHandles,
                               [&](core::DebugHandle each) { return handles.contains(each); });
}

class PartFinder {
  public:
    PartFinder(const GraphWalk& walked, const GraphPartChoice& wanted) : walk(walked), choice(wanted) {
        for (const etrecord::InputSpec& spec : walk.graph().inputSpecs) {
            if (!isUserInput(spec)) {
                stored.insert(spec.value);
            }
        }
    }

    GraphPart find() {
        for (NodeIndex index = 0; index < walk.graph().nodes.size(); ++index) {
            if (hasAny(walk.node(index), choice.own)) {
                take(index);
            }
        }
        GraphPart part{.nodes = {taken.begin(), taken.end()}, .inputs = {}, .outputs = {}};
        for (const NodeIndex index : part.nodes) {
            for (const std::string_view value : walk.inputsOf(index)) {
                if (comesIn(value) && !std::ranges::contains(part.inputs, value)) {
                    part.inputs.push_back(value);
                }
            }
            for (const std::string_view value : walk.resultsOf(index)) {
                if (goesOut(value)) {
                    part.outputs.push_back(value);
                }
            }
        }
        return part;
    }

  private:
    /// Adds the node and the nodes that compute only for it; iterative, since graphs are deep.
    void take(NodeIndex first) {
        std::vector<NodeIndex> open{first};
        while (!open.empty()) {
            const NodeIndex index = open.back();
            open.pop_back();
            if (!taken.insert(index).second) {
                continue;
            }
            for (const std::string_view value : walk.inputsOf(index)) {
                const auto maker = walk.producerOf(value);
                if (maker && !isGiven(value) && belongs(*maker)) {
                    open.push_back(*maker);
                }
            }
        }
    }

    [[nodiscard]] bool isGiven(std::string_view value) const {
        return std::ranges::contains(choice.given, value);
    }

    [[nodiscard]] bool belongs(NodeIndex index) const {
        const etrecord::Node& node = walk.node(index);
        return walk.isConstant(index) || hasAny(node, choice.own) || !hasAny(node, choice.others) ||
               onlyConverts(index);
    }

    /// Whether it converts given integers to real numbers, or the reverse.
    [[nodiscard]] bool onlyConverts(NodeIndex index) const {
        return roleOf(walk.node(index)) != NodeRole::Compute &&
               std::ranges::any_of(walk.inputsOf(index),
                                   [&](std::string_view value) { return isGiven(value); });
    }

    [[nodiscard]] bool comesIn(std::string_view value) const {
        const auto maker = walk.producerOf(value);
        return maker ? isGiven(value) || !taken.contains(*maker) : !stored.contains(value);
    }

    [[nodiscard]] bool goesOut(std::string_view value) const {
        return walk.isGraphOutput(value) ||
               std::ranges::any_of(walk.consumersOf(value),
                                   [&](NodeIndex reader) { return !taken.contains(reader); });
    }

    const GraphWalk& walk;
    const GraphPartChoice& choice;
    std::set<std::string_view> stored;  ///< parameters, buffers, constants
    std::set<NodeIndex> taken;
};

/// Suffix of the value in memory order created by turnBorder().
constexpr std::string_view inMemory = "_in_memory";

/// Argument kinds by which the graph's signature refers to its values.
std::map<std::string_view, std::string_view> kindsOf(const ExportedGraph& graph) {
    std::map<std::string_view, std::string_view> kinds;
    const auto add = [&](const auto& values, std::string_view kind) {
        for (const auto& [name, meta] : values) {
            kinds.emplace(name, kind);
        }
    };
    add(graph.tensors, "as_tensor");
    add(graph.symInts, "as_sym_int");
    add(graph.symFloats, "as_sym_float");
    add(graph.symBools, "as_sym_bool");
    return kinds;
}

Argument argumentOfKind(const std::map<std::string_view, std::string_view>& kinds, std::string_view value) {
    const auto kind = kinds.find(value);
    return {.name = {},
            .kind = std::string(kind == kinds.end() ? "as_tensor" : kind->second),
            .value = etrecord::ValueRef{.name = std::string(value)}};
}

/// Copies the entries of `all` whose names are in `used`.
template <class T>
void keepUsed(const ExportedGraph::ByName<T>& all, const std::set<std::string_view>& used,
              ExportedGraph::ByName<T>& into) {
    for (const auto& [name, value] : all) {
        if (used.contains(name)) {
            into.emplace(name, value);
        }
    }
}

Argument tensorArgument(std::string_view name) {
    return {.name = {}, .kind = "as_tensor", .value = etrecord::ValueRef{.name = std::string(name)}};
}

/// Builds a node that permutes `from`: dimension i of the result is dimension order[i].
etrecord::Node permuteNode(const std::string& from, const std::string& to,
                           const std::vector<std::size_t>& order) {
    std::vector<etrecord::SymInt> dims;
    for (const std::size_t each : order) {
        dims.push_back({.value = static_cast<std::int64_t>(each), .expression = {}});
    }
    etrecord::Node node;
    node.name = "permute_" + to;
    node.target = "executorch.exir.dialects.edge.ops.aten.permute_copy.default";
    node.op = "aten.permute_copy.default";
    node.inputs = {tensorArgument(from), {.name = "dims", .kind = "as_ints", .value = std::move(dims)}};
    node.inputs.front().name = "self";
    node.outputs = {tensorArgument(to)};
    return node;
}

/// Recognizes a node that permuteNode() built from `name` for the value `turned` and returns the memory order
/// of `turned`. Nothing for other nodes.
std::optional<std::vector<std::uint8_t>> orderIfBorder(const etrecord::Node& node, std::string_view turned,
                                                       std::string_view name) {
    if (node.op != "aten.permute_copy.default" || !node.debugHandles.empty() || node.inputs.size() != 2 ||
        node.outputs.size() != 1) {
        return std::nullopt;
    }
    const auto* const from = std::get_if<etrecord::ValueRef>(&node.inputs[0].value);
    const auto* const dims = std::get_if<std::vector<etrecord::SymInt>>(&node.inputs[1].value);
    const auto* const to = std::get_if<etrecord::ValueRef>(&node.outputs[0].value);
    if (from == nullptr || dims == nullptr || to == nullptr || node.name != "permute_" + to->name) {
        return std::nullopt;
    }
    const bool isInput = from->name == turned && to->name == name;
    const bool isOutput = from->name == name && to->name == turned;
    std::vector<std::uint8_t> order(dims->size());
    std::vector<bool> seen(dims->size());
    for (std::size_t i = 0; i < dims->size(); ++i) {
        const std::int64_t dim = (*dims)[i].value;
        if (dim < 0 || !std::cmp_less(dim, dims->size()) || seen[static_cast<std::size_t>(dim)]) {
            return std::nullopt;
        }
        seen[static_cast<std::size_t>(dim)] = true;
        const auto at = static_cast<std::size_t>(dim);
        order[isInput ? i : at] = static_cast<std::uint8_t>(isInput ? at : i);
    }
    return isInput || isOutput ? std::optional(std::move(order)) : std::nullopt;
}

/// Row-major metadata in which dimension order[i] has the size of dimension i of `meta`.
etrecord::TensorMeta laidOut(const etrecord::TensorMeta& meta, std::span<const std::uint8_t> order) {
    etrecord::TensorMeta turned = meta;
    for (std::size_t i = 0; i < order.size(); ++i) {
        turned.sizes[order[i]] = meta.sizes[i];
    }
    std::int64_t stride = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        turned.strides[i] = {.value = stride, .expression = {}};
        stride *= turned.sizes[i].value;
    }
    return turned;
}

/// Renames a value in a signature.
template <class Spec>
bool rename(std::vector<Argument>& arguments, std::vector<Spec>& specs, std::string_view kind,
            std::string_view from, const std::string& to) {
    for (std::size_t i = 0; i < specs.size() && i < arguments.size(); ++i) {
        if (specs[i].kind == kind && specs[i].value == from) {
            specs[i].value = to;
            specs[i].argument = arguments[i] = tensorArgument(to);
            return true;
        }
    }
    return false;
}

}  // namespace

GraphPart findGraphPart(const GraphWalk& walk, const GraphPartChoice& choice) {
    return PartFinder(walk, choice).find();
}

ExportedGraph graphOf(const GraphWalk& walk, const GraphPart& part) {
    const ExportedGraph& whole = walk.graph();
    const auto kinds = kindsOf(whole);
    const auto argumentOf = [&](std::string_view value) { return argumentOfKind(kinds, value); };
    ExportedGraph graph;
    std::set<std::string_view> used(part.inputs.begin(), part.inputs.end());
    for (const NodeIndex index : part.nodes) {
        graph.nodes.push_back(walk.node(index));
        used.insert(walk.inputsOf(index).begin(), walk.inputsOf(index).end());
        used.insert(walk.resultsOf(index).begin(), walk.resultsOf(index).end());
    }
    for (const etrecord::InputSpec& spec : whole.inputSpecs) {
        if (!isUserInput(spec) && used.contains(spec.value)) {
            graph.inputs.push_back(argumentOf(spec.value));
            graph.inputSpecs.push_back(spec);
        }
    }
    for (const std::string_view value : part.inputs) {
        graph.inputs.push_back(argumentOf(value));
        graph.inputSpecs.push_back({.kind = "user_input",
                                    .value = std::string(value),
                                    .target = {},
                                    .persistent = true,
                                    .argument = argumentOf(value)});
    }
    for (const etrecord::OutputSpec& spec : whole.outputSpecs) {
        if (etrecord::mutatedBuffer(graph, spec) != nullptr && used.contains(spec.value)) {
            graph.outputs.push_back(argumentOf(spec.value));
            graph.outputSpecs.push_back(spec);
        }
    }
    for (const std::string_view value : part.outputs) {
        if (std::ranges::contains(graph.outputSpecs, value, &etrecord::OutputSpec::value)) {
            continue;  // state of the part
        }
        graph.outputs.push_back(argumentOf(value));
        graph.outputSpecs.push_back({.kind = "user_output",
                                     .value = std::string(value),
                                     .target = {},
                                     .argument = argumentOf(value)});
    }
    keepUsed(whole.tensors, used, graph.tensors);
    keepUsed(whole.symInts, used, graph.symInts);
    keepUsed(whole.symFloats, used, graph.symFloats);
    keepUsed(whole.symBools, used, graph.symBools);
    keepUsed(whole.customObjects, used, graph.customObjects);
    graph.rangeConstraints = whole.rangeConstraints;
    graph.opsetVersions = whole.opsetVersions;
    graph.dialect = whole.dialect;
    graph.torchVersion = whole.torchVersion;
    graph.schemaMajor = whole.schemaMajor;
    graph.schemaMinor = whole.schemaMinor;
    graph.indexHandles();
    return graph;
}

void turnBorder(ExportedGraph& graph, std::string_view value, std::span<const std::uint8_t> order) {
    const auto meta = graph.tensors.find(value);
    if (meta == graph.tensors.end() || meta->second.sizes.size() != order.size() ||
        meta->second.strides.size() != order.size()) {
        return;
    }
    const std::string name(value);
    const std::string turned = name + std::string(inMemory);
    std::vector<std::size_t> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        back[order[i]] = i;
    }
    if (rename(graph.inputs, graph.inputSpecs, "user_input", value, turned)) {
        graph.nodes.insert(graph.nodes.begin(), permuteNode(turned, name, {order.begin(), order.end()}));
    } else if (rename(graph.outputs, graph.outputSpecs, "user_output", value, turned)) {
        graph.nodes.push_back(permuteNode(name, turned, back));
    } else {
        return;
    }
    graph.tensors.emplace(turned, laidOut(meta->second, order));
    graph.indexHandles();
}

std::vector<std::uint8_t> turnedOrder(const ExportedGraph& graph, std::string_view value) {
    if (!value.ends_with(inMemory)) {
        return {};
    }
    const std::string_view name = value.substr(0, value.size() - inMemory.size());
    for (const etrecord::Node& node : graph.nodes) {
        if (const auto order = orderIfBorder(node, value, name)) {
            return *order;
        }
    }
    return {};
}

}  // namespace et::inspector
