#include "backends/xnnpack/lower/partitioner.h"

#include "backends/lowering/edge_method.h"
#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using lowering::EdgeMethod;
using lowering::NodeFilter;
using lowering::NodeIndex;
using lowering::PartitionedMethod;
using lowering::WeightStore;

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

/// Groups the delegated nodes so that no group depends on itself through other nodes; `folded` nodes need no
/// group. The number of groups is minimal, and each group comes after those it needs. Nodes of a group are in
/// graph order.
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

/// Groups each delegated operator with the nodes that quantize and dequantize for it. Operators that share a
/// dynamically quantized operand are one group. Groups are in the order of their first operators.
class OperatorGroups {
  public:
    OperatorGroups(const lowering::EdgeMethod& of, const std::vector<bool>& which,
                   const std::vector<bool>& constant)
        : method(of), taken(which), folded(constant), leaders(which.size()) {
        std::iota(leaders.begin(), leaders.end(), NodeIndex{0});
    }

    std::vector<std::vector<NodeIndex>> find() {
        for (NodeIndex node = 0; node < leaders.size(); ++node) {
            if (isIn(node)) {
                joinNeighbours(node);
            }
        }
        std::map<NodeIndex, std::vector<NodeIndex>> byLeader;
        for (NodeIndex node = 0; node < leaders.size(); ++node) {
            if (isIn(node)) {
                byLeader[leaderOf(node)].push_back(node);
            }
        }
        std::map<NodeIndex, std::vector<NodeIndex>> byOperator;
        for (auto& [leader, nodes] : byLeader) {
            const auto first =
                std::ranges::find_if(nodes, [this](NodeIndex node) { return !isQuantizer(node); });
            byOperator[first == nodes.end() ? nodes.front() : *first] = std::move(nodes);
        }
        std::vector<std::vector<NodeIndex>> groups;
        for (auto& [first, nodes] : byOperator) {
            groups.push_back(std::move(nodes));
        }
        return groups;
    }

  private:
    static constexpr std::string_view batchNorm = "aten._native_batch_norm_legit_no_training.default";

    [[nodiscard]] bool isIn(NodeIndex node) const { return taken[node] && !folded[node]; }
    [[nodiscard]] bool isQuantizer(NodeIndex node) const {
        return quantizerKind(method, method.node(node)) != QuantizerKind::None;
    }

    NodeIndex leaderOf(NodeIndex node) {
        while (leaders[node] != node) {
            leaders[node] = leaders[leaders[node]];
            node = leaders[node];
        }
        return node;
    }
    void join(NodeIndex left, NodeIndex right) {
        if (isIn(right)) {
            leaders[leaderOf(left)] = leaderOf(right);
        }
    }

    void joinNeighbours(NodeIndex node) {
        switch (quantizerKind(method, method.node(node))) {
            case QuantizerKind::None:
                if (method.node(node).op == batchNorm) {  // it is folded into its convolution
                    joinProducers(node);
                }
                return;
            case QuantizerKind::Quantize:
                joinProducers(node);
                return;
            case QuantizerKind::Dequantize:
                joinReaders(node, true);
                return;
            default:
                joinReaders(node, false);
        }
    }

    void joinProducers(NodeIndex node) {
        for (const std::string& name : reference::namesIn(method.node(node).inputs)) {
            if (const auto producer = method.producer(name); producer && !isQuantizer(*producer)) {
                join(node, *producer);
            }
        }
    }

    void joinReaders(NodeIndex node, bool onlyFirst) {
        for (const std::string& name : reference::namesIn(method.node(node).outputs)) {
            for (const NodeIndex user : method.users(name)) {
                if (isIn(user)) {
                    join(node, user);
                    if (onlyFirst) {
                        return;
                    }
                }
            }
        }
    }

    const lowering::EdgeMethod& method;
    const std::vector<bool>& taken;
    const std::vector<bool>& folded;
    std::vector<NodeIndex> leaders;
};

std::string_view name(Precision precision) {
    switch (precision) {
        case Precision::StaticQuant:
            return "static-quant";
        case Precision::DynamicQuant:
            return "dynamic-quant";
        default:
            return "fp32";
    }
}

/// Of a quantizing node, that of the operators it belongs to.
Precision precisionOf(const lowering::EdgeMethod& method, const etrecord::Node& node) {
    const auto ofKind = [](QuantizerKind kind) {
        switch (kind) {
            case QuantizerKind::Quantize:
            case QuantizerKind::Dequantize:
                return Precision::StaticQuant;
            case QuantizerKind::ChooseDynamic:
            case QuantizerKind::QuantizeDynamic:
            case QuantizerKind::DequantizeDynamic:
                return Precision::DynamicQuant;
            default:
                return Precision::Fp32;
        }
    };
    Precision found = ofKind(quantizerKind(method, node));
    for (const std::string& input : reference::namesIn(node.inputs)) {
        const auto producer = method.producer(input);
        if (found == Precision::Fp32 && producer) {
            found = ofKind(quantizerKind(method, method.node(*producer)));
        }
    }
    return found;
}

/// Partitions one method.
class Partition {
  public:
    Partition(EdgeMethod& of, const NodeFilter& filter, WeightStore& store,
              const kernels::KernelRegistry& kernels, const NodeWatch& nodeWatch,
              const PartitionOptions& partitionOptions)
        : method(of),
          mayTake(filter),
          weights(store),
          watch(nodeWatch),
          options(partitionOptions),
          constants(of, kernels),
          taken(of.graph().nodes.size(), false),
          folded(taken.size(), false) {}

    Result<PartitionedMethod> run() {
        out.decisions.resize(taken.size());
        choose();
        const auto groups = options.perOperator ? OperatorGroups(method, taken, folded).find()
                                                : groupNodes(method, taken, folded);
        for (const auto& group : groups) {
            for (const NodeIndex node : group) {
                out.decisions[node].part = out.parts.size();
            }
            ET_ASSIGN(auto part, PartConversion(method, constants, group, weights).run(watch));
            out.parts.push_back(std::move(part));
        }
        placeFolded();
        return std::move(out);
    }

  private:
    void choose() {
        for (NodeIndex node = 0; node < taken.size(); ++node) {
            std::string& rule = out.decisions[node].rule;
            if (!mayTake(node)) {
                rule = "it was excluded";
            } else if (constants.isFolded(method.node(node))) {
                folded[node] = true;
            } else if (const Precision precision = precisionOf(method, method.node(node));
                       !options.precisions.empty() && !std::ranges::contains(options.precisions, precision)) {
                rule = fmt::format("operators of precision {} were excluded", name(precision));
            } else {
                rule = whyNot({.method = method,
                               .constants = constants,
                               .taken = taken,
                               .mayTake = mayTake,
                               .node = method.node(node)});
            }
            taken[node] = rule.empty();
        }
    }

    /// Folded nodes belong to the first delegate that reads them.
    void placeFolded() {
        for (NodeIndex node = static_cast<NodeIndex>(taken.size()); node-- > 0;) {
            if (!folded[node]) {
                continue;
            }
            auto& decision = out.decisions[node];
            for (const NodeIndex user : method.users(lowering::firstResult(method.node(node)))) {
                const auto& part = out.decisions[user].part;
                if (part && (!decision.part || *part < *decision.part)) {
                    decision.part = part;
                }
            }
            if (!decision.part) {
                decision.rule = "it only computes a constant, and no delegate reads it";
            }
        }
    }

    EdgeMethod& method;
    const NodeFilter& mayTake;
    WeightStore& weights;
    const NodeWatch& watch;
    const PartitionOptions& options;
    Constants constants;
    std::vector<bool> taken;
    std::vector<bool> folded;
    PartitionedMethod out;
};

}  // namespace

lowering::Partitioner makePartitioner(const kernels::KernelRegistry& kernels, NodeWatch watch,
                                      PartitionOptions options) {
    return [&kernels, watch = std::move(watch), options = std::move(options)](
               EdgeMethod& method, const NodeFilter& mayTake, WeightStore& weights) {
        return Partition(method, mayTake, weights, kernels, watch, options).run();
    };
}

}  // namespace et::backends::xnnpack
