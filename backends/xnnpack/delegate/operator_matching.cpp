#include "backends/xnnpack/delegate/operator_matching.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <utility>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t noOperator = SIZE_MAX;

/// Matches each operator with the first possible node; nothing if an operator has none left.
std::optional<std::vector<std::size_t>> matchFromFront(std::span<const LibraryNode> nodes,
                                                       std::span<const std::string> names) {
    std::vector<std::size_t> matched;
    std::size_t next = 0;
    for (const std::string& name : names) {
        while (next < nodes.size() && !mayBe(nodes[next], name)) {
            ++next;
        }
        if (next == nodes.size()) {
            return std::nullopt;
        }
        matched.push_back(next++);
    }
    return matched;
}

std::optional<std::vector<std::size_t>> matchFromBack(std::span<const LibraryNode> nodes,
                                                      std::span<const std::string> names) {
    std::vector<std::size_t> matched(names.size());
    std::size_t next = nodes.size();
    for (std::size_t i = names.size(); i-- > 0;) {
        while (next > 0 && !mayBe(nodes[next - 1], names[i])) {
            --next;
        }
        if (next == 0) {
            return std::nullopt;
        }
        matched[i] = --next;
    }
    return matched;
}

/// The node that a dropped node was fused into: the writer of its input (for a clamp or copy), or the reader
/// of its output (for the padding of a convolution).
std::size_t findHost(const Payload& payload, std::size_t dropped) {
    const PayloadNode& node = payload.nodes[dropped];
    const bool goesForward = node.traits->functions->fusesIntoReader;
    const ValueIndex link = goesForward ? node.outputs[0] : node.inputs[0];
    std::size_t host = noOperator;
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        const auto& ends = goesForward ? payload.nodes[i].inputs : payload.nodes[i].outputs;
        if (std::ranges::find(ends, link) != ends.end()) {
            host = host == noOperator ? i : noOperator;
        }
    }
    return host;
}

class Matching {
  public:
    Matching(const Payload& from, std::span<const LibraryNode> libraryNodes,
             std::span<const std::string> libraryNames)
        : payload(from),
          nodes(libraryNodes),
          names(libraryNames),
          operatorOf(from.nodes.size(), noOperator),
          found(libraryNames.size()) {}

    /// The payload's nodes of each operator; nothing if uncertain.
    std::vector<MatchedOperator> find() && {
        const auto front = matchFromFront(nodes, names);
        const auto back = matchFromBack(nodes, names);
        if (!front || !back) {
            return std::move(found);
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::size_t node = nodes[(*front)[i]].payloadNode;
            if (node == nodes[(*back)[i]].payloadNode) {
                found[i].nodes.emplace(1, node);
                found[i].tracedAs = nodes[(*front)[i]].tracedAs;
                operatorOf[node] = i;
            }
        }
        takeAllBetween(*front, *back);
        for (std::size_t node = 0; node < payload.nodes.size(); ++node) {
            if (operatorOf[node] == noOperator) {
                addDropped(node);
            }
        }
        for (MatchedOperator& each : found) {
            if (each.nodes) {
                std::ranges::sort(*each.nodes);
            }
        }
        return std::move(found);
    }

  private:
    /// Several consecutive conversions, each read only by the next, run as one operator: if it may be any of
    /// them, it is all of them.
    void takeAllBetween(const std::vector<std::size_t>& front, const std::vector<std::size_t>& back) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool isAlone =
                (i == 0 || back[i - 1] < front[i]) && (i + 1 == names.size() || front[i + 1] > back[i]);
            if (found[i].nodes || !isAlone || !isRowOfConversions(front[i], back[i])) {
                continue;
            }
            found[i].tracedAs = nodes[front[i]].tracedAs;
            found[i].nodes.emplace();
            for (std::size_t at = front[i]; at <= back[i]; ++at) {
                found[i].nodes->push_back(nodes[at].payloadNode);
                operatorOf[nodes[at].payloadNode] = i;
            }
        }
    }

    [[nodiscard]] bool isRowOfConversions(std::size_t first, std::size_t last) const {
        for (std::size_t at = first; at <= last; ++at) {
            const PayloadNode& node = payload.nodes[nodes[at].payloadNode];
            const bool follows =
                at == first || node.inputs[0] == payload.nodes[nodes[at - 1].payloadNode].outputs[0];
            if (node.traits->kind != NodeKind::Convert || !follows) {
                return false;
            }
        }
        return true;
    }

    void addDropped(std::size_t node) {
        std::size_t host = node;
        // Chains of dropped nodes are finite, since all steps follow the same direction through the graph.
        for (std::size_t steps = 0;
             host != noOperator && operatorOf[host] == noOperator && steps < payload.nodes.size(); ++steps) {
            host = findHost(payload, host);
        }
        if (host != noOperator && operatorOf[host] != noOperator) {
            found[operatorOf[host]].nodes->push_back(node);
        }
    }

    const Payload& payload;
    std::span<const LibraryNode> nodes;
    std::span<const std::string> names;
    std::vector<std::size_t> operatorOf;  ///< by node of the payload
    std::vector<MatchedOperator> found;   ///< by operator
};

}  // namespace

bool mayBe(const LibraryNode& node, std::string_view name) {
    for (const auto part : std::views::split(node.operatorNames, '|')) {
        if (name.starts_with(std::string_view(part))) {
            return true;
        }
    }
    return false;
}

std::vector<MatchedOperator> matchNodes(const Payload& payload, std::span<const LibraryNode> nodes,
                                        std::span<const std::string> names) {
    std::vector<LibraryNode> own;
    std::ranges::copy_if(nodes, std::back_inserter(own),
                         [](const LibraryNode& node) { return !node.isAddedClamp; });
    const bool areAllFused = matchFromFront(own, names) && matchFromBack(own, names);
    return Matching(payload, areAllFused ? std::span<const LibraryNode>(own) : nodes, names).find();
}

}  // namespace et::backends::xnnpack
