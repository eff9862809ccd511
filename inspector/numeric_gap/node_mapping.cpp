#include "inspector/numeric_gap/node_mapping.h"

#include "inspector/names/operator_names.h"
#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

using core::DebugHandle;
using etrecord::NodeIndex;

/// A distance at which two values are the same, apart from rounding and quantization: 17 dB.
constexpr double close = 0.02;

/// An operator of a delegate and a node that it may compute.
struct Match {
    std::size_t operatorAt = 0;
    NodeIndex anchor{};
    double distance = 0;
    bool isOfKind = false;  ///< the operator's kind is one for such a node; a wrong program may have another
    bool hasSameSizes = false;
    std::size_t offset = 0;  ///< difference of their positions, counted from the end of the nodes of a handle

    [[nodiscard]] bool isClose() const { return distance <= close; }
    /// The likely ones first.
    [[nodiscard]] auto order() const {
        return std::tuple(!isClose(), !isOfKind, !hasSameSizes, offset,
                          -static_cast<std::ptrdiff_t>(operatorAt));
    }
};

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

/// True if the sizes of both are known and equal.
bool hasSameSizes(const GraphWalk& graph, const DelegateNode& node, std::string_view value) {
    const auto meta = graph.graph().tensors.find(value);
    return meta != graph.graph().tensors.end() &&
           std::ranges::equal(meta->second.sizes, node.sizes,
                              [](const etrecord::SymInt& left, std::int64_t right) {
                                  return left.expression.empty() && left.value == right;
                              });
}

NodeRole roleInDelegate(const DelegateNode& node) {
    return !node.isConversion ? NodeRole::Compute
           : node.isQuantized ? NodeRole::Quantize
                              : NodeRole::Dequantize;
}

class Mapper {
  public:
    Mapper(const GraphWalk& walked, std::span<const DelegateNode> delegated, const DelegateRegion& where,
           const ValueDistance& howFar, std::set<NodeIndex>& used)
        : graph(walked),
          nodes(delegated),
          region(where),
          distance(howFar),
          taken(used),
          places(nodes.size()) {
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
    void mapGroup(std::span<const std::size_t> group, const std::vector<NodeIndex>& anchors);
    [[nodiscard]] std::vector<Match> findMatches(std::span<const std::size_t> group,
                                                 std::span<const NodeIndex> anchors) const;
    void assignByOrder(std::span<const std::size_t> group, std::span<const NodeIndex> anchors,
                       std::vector<Match> matches);
    void mapShared(std::size_t at);
    void assign(std::size_t at, NodeIndex anchor);
    [[nodiscard]] std::vector<NodeIndex> findAnchors(DebugHandle handle, NodeRole role) const;
    [[nodiscard]] std::vector<NodeIndex> suitable(const DelegateNode& node) const;
    [[nodiscard]] std::optional<Match> findMatch(std::size_t at, NodeIndex anchor) const;
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
    std::vector<std::optional<MappedValue>> places;
    // Handles of the delegate's operators, by role.
    std::set<DebugHandle> computed;
    std::set<DebugHandle> quantized;
};

std::vector<NodeIndex> Mapper::findAnchors(DebugHandle handle, NodeRole role) const {
    std::vector<NodeIndex> anchors;
    std::ranges::copy_if(graph.graph().nodesOf(handle), std::back_inserter(anchors),
                         [&](NodeIndex index) { return roleOf(graph.node(index)) == role; });
    return anchors;
}

std::vector<std::optional<MappedValue>> Mapper::map() {
    std::map<std::pair<DebugHandle, NodeRole>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].handle && !region.shared.contains(*nodes[i].handle)) {
            groups[{*nodes[i].handle, roleInDelegate(nodes[i])}].push_back(i);
        }
    }
    for (const auto& [key, group] : groups) {
        mapGroup(group, findAnchors(key.first, key.second));
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].handle && region.shared.contains(*nodes[i].handle)) {
            mapShared(i);
        }
    }
    return std::move(places);
}

/// Returns nothing if the operator cannot compute the node. `offset` is not set.
std::optional<Match> Mapper::findMatch(std::size_t at, NodeIndex anchor) const {
    const DelegateNode& node = nodes[at];
    const auto place = placeOf(node, anchor);
    if (!place) {
        return std::nullopt;
    }
    return Match{
        .operatorAt = at,
        .anchor = anchor,
        .distance = distance(at, place->value),
        .isOfKind = node.isConversion ||
                    names::detail::mayDelegate(node.kind, names::detail::nodeOperator(graph.node(anchor).op)),
        .hasSameSizes = hasSameSizes(graph, node, place->value)};
}

std::vector<Match> Mapper::findMatches(std::span<const std::size_t> group,
                                       std::span<const NodeIndex> anchors) const {
    std::vector<Match> matches;
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t j = 0; j < anchors.size(); ++j) {
            if (auto match = findMatch(group[i], anchors[j])) {
                const std::size_t fromEnd = group.size() - i;
                const std::size_t nodeFromEnd = anchors.size() - j;
                match->offset = std::max(fromEnd, nodeFromEnd) - std::min(fromEnd, nodeFromEnd);
                matches.push_back(*match);
            }
        }
    }
    return matches;
}

void Mapper::assign(std::size_t at, NodeIndex anchor) {
    auto place = placeOf(nodes[at], anchor);
    taken.insert(place->nodes.begin(), place->nodes.end());
    // A constant depends on no input: it is not a row of its own.
    if (!graph.isConstant(anchor)) {
        places[at] = std::move(place);
    }
}

/// Assigns operators and nodes of one handle and role.
void Mapper::mapGroup(std::span<const std::size_t> group, const std::vector<NodeIndex>& anchors) {
    if (group.size() == 1 && anchors.size() == 1) {  // no value needs to be compared
        if (placeOf(nodes[group.front()], anchors.front())) {
            assign(group.front(), anchors.front());
        }
        return;
    }
    std::vector<Match> matches = findMatches(group, anchors);
    std::ranges::sort(matches, {}, &Match::order);
    while (!matches.empty() && matches.front().isClose()) {
        const Match best = matches.front();
        assign(best.operatorAt, best.anchor);
        std::erase_if(matches, [&](const Match& each) {
            return each.operatorAt == best.operatorAt || each.anchor == best.anchor;
        });
    }
    assignByOrder(group, anchors, std::move(matches));
}

/// Assigns the operators without a close value, last ones first. With more nodes than operators, only the
/// last operator is certain to compute the last node.
void Mapper::assignByOrder(std::span<const std::size_t> group, std::span<const NodeIndex> anchors,
                           std::vector<Match> matches) {
    while (!matches.empty()) {
        const std::size_t at = std::ranges::max(matches, {}, &Match::operatorAt).operatorAt;
        std::vector<Match> own;
        std::ranges::copy_if(matches, std::back_inserter(own),
                             [at](const Match& each) { return each.operatorAt == at; });
        const auto likeliness = [](const Match& each) { return std::pair(each.isOfKind, each.hasSameSizes); };
        const auto best = likeliness(std::ranges::max(own, {}, likeliness));
        std::vector<NodeIndex> possible;
        for (const Match& each : own) {
            if (likeliness(each) == best) {
                possible.push_back(each.anchor);
            }
        }
        std::set<std::size_t> competing;
        for (const Match& each : matches) {
            if (std::ranges::contains(possible, each.anchor) && each.isOfKind == best.first) {
                competing.insert(each.operatorAt);
            }
        }
        const NodeIndex last = std::ranges::max(possible);
        const bool isCertain =
            possible.size() <= competing.size() || (at == group.back() && last == anchors.back());
        if (isCertain) {
            assign(at, last);
        }
        std::erase_if(matches, [&](const Match& each) {
            return each.operatorAt == at || (isCertain && each.anchor == last);
        });
    }
}

/// Candidate nodes for an operator whose handle other instructions share. The value of a conversion may
/// already be assigned, since it is the same value.
std::vector<NodeIndex> Mapper::suitable(const DelegateNode& node) const {
    std::vector<NodeIndex> fitting = findAnchors(*node.handle, roleInDelegate(node));
    const bool mayShare = roleInDelegate(node) == NodeRole::Dequantize && !fitting.empty();
    if (fitting.empty()) {
        fitting = findAnchors(*node.handle, NodeRole::Compute);
    }
    std::erase_if(fitting, [&](NodeIndex anchor) { return !mayShare && taken.contains(anchor); });
    return fitting;
}

void Mapper::mapShared(std::size_t at) {
    std::optional<Match> best;
    for (const NodeIndex anchor : suitable(nodes[at])) {
        const auto match = findMatch(at, anchor);
        const auto order = [](const Match& each) { return std::pair(!each.isOfKind, each.distance); };
        if (match && std::isfinite(match->distance) && (!best || order(*match) < order(*best))) {
            best = match;
        }
    }
    if (best) {
        assign(at, best->anchor);
    }
}

bool Mapper::isAbsorbed(NodeIndex index, const DelegateNode& node) const {
    const auto& handles = graph.node(index).debugHandles;
    const bool isOwn = std::ranges::contains(handles, *node.handle);
    // A fused activation and its quantization may share their handle with an operator that converts the
    // result, here or in another delegate. An operator with a quantized result has computed every node before
    // the quantizing one.
    const auto isNobodys = [&](bool isQuantization) {
        return std::ranges::any_of(handles, [&](DebugHandle each) {
            return region.handles.contains(each) && !computed.contains(each) &&
                   !(isQuantization && quantized.contains(each)) &&
                   (node.isQuantized || !region.shared.contains(each));
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
