#include "inspector/numeric_gap/node_mapping.h"

#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace et::inspector {
namespace {

using core::DebugHandle;
using etrecord::NodeIndex;

/// Nodes of the graph with one handle, by role.
struct Anchors {
    std::vector<NodeIndex> computing;
    std::vector<NodeIndex> quantizing;
    std::vector<NodeIndex> dequantizing;
};

Anchors anchorsOf(const GraphWalk& graph, DebugHandle handle) {
    Anchors anchors;
    for (const NodeIndex index : graph.graph().nodesOf(handle)) {
        switch (graph.isConstant(index) ? NodeRole::ChooseParameters : roleOf(graph.node(index))) {
            case NodeRole::Compute:
                anchors.computing.push_back(index);
                break;
            case NodeRole::Quantize:
                anchors.quantizing.push_back(index);
                break;
            case NodeRole::Dequantize:
                anchors.dequantizing.push_back(index);
                break;
            case NodeRole::ChooseParameters:
                break;
        }
    }
    return anchors;
}

/// Pairs `nodes` with `anchors` from the last ones backwards.
void pairFromTheBack(std::span<const std::size_t> nodes, std::span<const NodeIndex> anchors,
                     std::vector<std::optional<NodeIndex>>& paired) {
    const std::size_t count = std::min(nodes.size(), anchors.size());
    for (std::size_t i = 1; i <= count; ++i) {
        paired[nodes[nodes.size() - i]] = anchors[anchors.size() - i];
    }
}

/// Number of elements of a value as exported; nothing if its shape is symbolic or unknown.
std::optional<std::int64_t> elementsOf(const GraphWalk& graph, std::string_view value) {
    const auto meta = graph.graph().tensors.find(value);
    if (meta == graph.graph().tensors.end()) {
        return std::nullopt;
    }
    std::int64_t elements = 1;
    for (const etrecord::SymInt& size : meta->second.sizes) {
        if (!size.expression.empty()) {
            return std::nullopt;
        }
        elements *= size.value;
    }
    return elements;
}

class Mapper {
  public:
    Mapper(const GraphWalk& walked, std::span<const DelegateNode> delegated, const DelegateRegion& where,
           const ValueDistance& howFar, std::set<NodeIndex>& used)
        : graph(walked), nodes(delegated), region(where), distance(howFar), taken(used) {
        for (const DelegateNode& each : nodes) {
            if (each.handle) {
                if (!each.isConversion) {
                    computed.insert(*each.handle);
                } else if (each.isQuantized) {
                    quantized.insert(*each.handle);
                }
            }
        }
    }

    std::vector<std::optional<MappedValue>> map();

  private:
    [[nodiscard]] std::vector<std::optional<NodeIndex>> pairAll() const;
    [[nodiscard]] std::vector<NodeIndex> suitable(const DelegateNode& node) const;
    [[nodiscard]] std::optional<MappedValue> nearestPlace(std::size_t at) const;
    [[nodiscard]] std::optional<MappedValue> placeOf(const DelegateNode& node, NodeIndex anchor) const;
    [[nodiscard]] std::optional<NodeIndex> nextOf(NodeIndex index, const DelegateNode& node) const;
    [[nodiscard]] bool isAbsorbed(NodeIndex index, const DelegateNode& node) const;
    [[nodiscard]] bool fits(const DelegateNode& node, std::string_view value) const {
        return elementsOf(graph, value).value_or(node.elements) == node.elements;
    }

    const GraphWalk& graph;
    std::span<const DelegateNode> nodes;
    const DelegateRegion& region;
    const ValueDistance& distance;
    std::set<NodeIndex>& taken;
    // Handles of the delegate's operators, by role.
    std::set<DebugHandle> computed;
    std::set<DebugHandle> quantized;
};

std::vector<std::optional<NodeIndex>> Mapper::pairAll() const {
    struct Group {
        std::vector<std::size_t> computing, quantizing, dequantizing;
    };
    std::map<DebugHandle, Group> groups;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].handle && !region.shared.contains(*nodes[i].handle)) {
            Group& group = groups[*nodes[i].handle];
            (!nodes[i].isConversion ? group.computing
             : nodes[i].isQuantized ? group.quantizing
                                    : group.dequantizing)
                .push_back(i);
        }
    }
    std::vector<std::optional<NodeIndex>> paired(nodes.size());
    for (const auto& [handle, group] : groups) {
        const Anchors anchors = anchorsOf(graph, handle);
        pairFromTheBack(group.computing, anchors.computing, paired);
        pairFromTheBack(group.quantizing, anchors.quantizing, paired);
        pairFromTheBack(group.dequantizing, anchors.dequantizing, paired);
    }
    return paired;
}

std::vector<std::optional<MappedValue>> Mapper::map() {
    const std::vector<std::optional<NodeIndex>> paired = pairAll();
    std::vector<std::optional<MappedValue>> places(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        places[i] = paired[i] ? placeOf(nodes[i], *paired[i]) : nearestPlace(i);
        if (places[i]) {
            taken.insert(places[i]->nodes.begin(), places[i]->nodes.end());
        }
    }
    return places;
}

/// Candidate nodes for an operator among those with its handle, which other operators may share. The value of
/// a conversion may already be assigned, since it is the same value.
std::vector<NodeIndex> Mapper::suitable(const DelegateNode& node) const {
    const Anchors anchors = anchorsOf(graph, *node.handle);
    std::vector<NodeIndex> fitting = anchors.computing;
    if (node.isConversion) {
        const auto& converting = node.isQuantized ? anchors.quantizing : anchors.dequantizing;
        fitting = converting.empty() ? anchors.computing : converting;
    }
    const bool mayShare = node.isConversion && !node.isQuantized && !anchors.dequantizing.empty();
    std::erase_if(fitting, [&](NodeIndex anchor) { return !mayShare && taken.contains(anchor); });
    return fitting;
}

std::optional<MappedValue> Mapper::nearestPlace(std::size_t at) const {
    const DelegateNode& node = nodes[at];
    if (!node.handle || !region.shared.contains(*node.handle)) {
        return std::nullopt;
    }
    std::optional<MappedValue> best;
    double min = 0;
    for (const NodeIndex anchor : suitable(node)) {
        auto place = placeOf(node, anchor);
        const double far = place ? distance(at, place->value) : 0;
        if (place && std::isfinite(far) && (!best || far < min)) {
            best = std::move(place);
            min = far;
        }
    }
    return best;
}

bool Mapper::isAbsorbed(NodeIndex index, const DelegateNode& node) const {
    const auto& handles = graph.node(index).debugHandles;
    const bool isOwn = std::ranges::contains(handles, *node.handle);
    // A fused activation and its quantization may share their handle with an operator that converts the
    // result.
    const auto isNobodys = [&](bool isQuantization) {
        return std::ranges::any_of(handles, [&](DebugHandle each) {
            return region.handles.contains(each) && !computed.contains(each) &&
                   !(isQuantization && quantized.contains(each)) && !region.shared.contains(each);
        });
    };
    switch (roleOf(graph.node(index))) {
        case NodeRole::Compute:
            return isNobodys(false);
        case NodeRole::Quantize:
            return node.isQuantized && (isOwn || isNobodys(true));
        default:
            return false;
    }
}

std::optional<NodeIndex> Mapper::nextOf(NodeIndex index, const DelegateNode& node) const {
    if (node.isConversion || roleOf(graph.node(index)) == NodeRole::Quantize) {
        return std::nullopt;
    }
    const std::string_view value = graph.resultOf(index);
    const auto readers = graph.consumersOf(value);
    if (readers.size() != 1 || graph.isGraphOutput(value) || !isAbsorbed(readers.front(), node)) {
        return std::nullopt;
    }
    return readers.front();
}

std::optional<MappedValue> Mapper::placeOf(const DelegateNode& node, NodeIndex anchor) const {
    std::vector<NodeIndex> way{anchor};
    for (auto next = nextOf(anchor, node); next; next = nextOf(*next, node)) {
        way.push_back(*next);
    }
    // A value that continues with another shape does not belong to the operator.
    while (!way.empty() && !fits(node, graph.resultOf(way.back()))) {
        way.pop_back();
    }
    if (way.empty()) {
        return std::nullopt;
    }
    return placeAt(graph, std::move(way));
}

}  // namespace

MappedValue placeAt(const GraphWalk& graph, std::vector<NodeIndex> way) {
    const NodeIndex last = way.back();
    MappedValue place{.value = std::string(graph.resultOf(last)), .nodes = std::move(way)};
    if (roleOf(graph.node(last)) != NodeRole::Quantize) {
        return place;
    }
    place.quantization = parametersOf(graph.node(last));
    for (const NodeIndex reader : graph.consumersOf(place.value)) {
        if (roleOf(graph.node(reader)) == NodeRole::Dequantize) {
            place.dequantized.emplace_back(graph.resultOf(reader));
            place.nodes.push_back(reader);
        }
    }
    return place;
}

std::vector<std::optional<MappedValue>> mapDelegateNodes(const GraphWalk& graph,
                                                         std::span<const DelegateNode> nodes,
                                                         const DelegateRegion& region,
                                                         const ValueDistance& distance,
                                                         std::set<NodeIndex>& taken) {
    return Mapper(graph, nodes, region, distance, taken).map();
}

}  // namespace et::inspector
