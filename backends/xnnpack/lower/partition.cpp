#include "backends/xnnpack/lower/partition.h"

#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace et::backends::xnnpack {
namespace {

using lowering::NodeIndex;

/// Assigns a level to each node: even for delegated nodes, odd for others. A reader has at least the level of
/// a node of the same kind, and a higher one than a node of the other kind, so nodes of an even level only
/// depend on each other through nodes of that level.
class Levels {
  public:
    Levels(const lowering::EdgeMethod& of, const std::vector<bool>& which, const std::vector<bool>& constant)
        : method(of), taken(which), folded(constant), levels(which.size(), 0) {}

    std::vector<int> find() {
        for (NodeIndex node = 0; node < levels.size(); ++node) {
            levels[node] = taken[node] ? 0 : -1;
            forProducers(node, [&](NodeIndex before) {
                levels[node] =
                    std::max(levels[node], levels[before] + (taken[before] == taken[node] ? 0 : 1));
            });
        }
        for (NodeIndex node = static_cast<NodeIndex>(levels.size()); node-- > 0;) {
            if (taken[node] && !folded[node]) {
                moveToReaders(node);
            }
        }
        return levels;
    }

  private:
    template <class Visit>
    void forProducers(NodeIndex node, const Visit& visit) const {
        for (const auto& argument : method.node(node).inputs) {
            reference::forNames(argument, [&](const std::string& name) {
                const auto producer = method.producer(name);
                if (producer && *producer < node && !folded[*producer]) {
                    visit(*producer);
                }
            });
        }
    }

    /// Moves a node that needs nothing from its own group to the first group that reads it; a dequantizing
    /// node is always moved, since the value before it has fewer bytes.
    void moveToReaders(NodeIndex node) {
        bool free = true;
        const bool widens = quantizerKind(method, method.node(node)) == QuantizerKind::Dequantize;
        forProducers(node, [&](NodeIndex before) {
            free = free && (widens || !(taken[before] && levels[before] == levels[node]));
        });
        int earliest = std::numeric_limits<int>::max();
        for (const auto& output : method.node(node).outputs) {
            reference::forNames(output, [&](const std::string& name) {
                free = free && !method.isOutput(name);
                for (const NodeIndex user : method.users(name)) {
                    earliest = std::min(earliest, taken[user] ? levels[user] : levels[user] - 1);
                }
            });
        }
        if (free && earliest != std::numeric_limits<int>::max() && earliest > levels[node]) {
            levels[node] = earliest;
        }
    }

    const lowering::EdgeMethod& method;
    const std::vector<bool>& taken;
    const std::vector<bool>& folded;
    std::vector<int> levels;
};

}  // namespace

std::vector<std::vector<NodeIndex>> groupNodes(const lowering::EdgeMethod& method,
                                               const std::vector<bool>& taken,
                                               const std::vector<bool>& folded) {
    const std::vector<int> levels = Levels(method, taken, folded).find();
    std::map<int, std::vector<NodeIndex>> byLevel;
    for (NodeIndex node = 0; node < levels.size(); ++node) {
        if (taken[node] && !folded[node]) {
            byLevel[levels[node]].push_back(node);
        }
    }
    std::vector<std::vector<NodeIndex>> groups;
    for (auto& [level, nodes] : byLevel) {
        groups.push_back(std::move(nodes));
    }
    return groups;
}

}  // namespace et::backends::xnnpack
