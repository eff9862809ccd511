#include "backends/xnnpack/lower/partitioner.h"

#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "backends/xnnpack/lower/partition.h"

#include <algorithm>
#include <string>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using lowering::EdgeMethod;
using lowering::NodeFilter;
using lowering::PartitionedMethod;
using lowering::WeightStore;

/// Partitions one method.
class Partition {
  public:
    Partition(EdgeMethod& of, const NodeFilter& filter, WeightStore& store)
        : method(of),
          mayTake(filter),
          weights(store),
          constants(of),
          taken(of.graph().nodes.size(), false),
          folded(taken.size(), false) {}

    Result<PartitionedMethod> run() {
        out.decisions.resize(taken.size());
        choose();
        for (const auto& group : groupNodes(method, taken, folded)) {
            for (const NodeIndex node : group) {
                out.decisions[node].part = out.parts.size();
            }
            ET_ASSIGN(auto part, PartConversion(method, constants, group, weights).run());
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
                decision.rule = "it only moves a constant, and no delegate reads it";
            }
        }
    }

    EdgeMethod& method;
    const NodeFilter& mayTake;
    WeightStore& weights;
    Constants constants;
    std::vector<bool> taken;
    std::vector<bool> folded;
    PartitionedMethod out;
};

}  // namespace

lowering::Partitioner makePartitioner() {
    return [](EdgeMethod& method, const NodeFilter& mayTake, WeightStore& weights) {
        return Partition(method, mayTake, weights).run();
    };
}

}  // namespace et::backends::xnnpack
