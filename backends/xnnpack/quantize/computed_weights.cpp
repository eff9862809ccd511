#include "backends/xnnpack/quantize/computed_weights.h"

#include "backends/lowering/computed_constants.h"
#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/quantize/exported_operators.h"
#include "backends/xnnpack/quantize/model_draft.h"
#include "runtime/kernels/builtin.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Node;
using lowering::EdgeMethod;
using lowering::NodeIndex;

/// Whether a node computes a convolution or product that may be a site.
bool isWeighted(const Node& node) {
    constexpr std::array<std::string_view, 4> products{"aten.convolution.default", "aten.linear.default",
                                                       "aten.addmm.default", "aten.mm.default"};
    const auto origin = originOf(node);
    const std::string_view target = origin ? std::string_view(origin->target) : node.op;
    return std::ranges::contains(products, node.op) &&
           (target.starts_with("aten.conv") || target == "aten.linear.default");
}

/// Name of the parameter for a node's weight: "conv.weight".
std::string targetFor(const ModelDraft& draft, const Node& node) {
    const std::string module = node.moduleStack.empty() ? std::string() : node.moduleStack.back().fqn;
    std::string target = module.empty() ? "weight" : module + ".weight";
    while (std::ranges::contains(draft.graph.inputSpecs, target, &etrecord::InputSpec::target)) {
        target += "_";
    }
    return target;
}

/// Removes nodes that compute unused constants.
void dropUnreadNodes(const lowering::ComputedConstants& computed, ModelDraft& draft) {
    std::set<std::string, std::less<>> read;
    const auto note = [&](const std::vector<etrecord::Argument>& arguments) {
        for (std::string& name : reference::namesIn(arguments)) {
            read.insert(std::move(name));
        }
    };
    note(draft.graph.outputs);
    std::vector<Node> kept;
    for (NodeIndex i = static_cast<NodeIndex>(draft.graph.nodes.size()); i-- > 0;) {
        Node& node = draft.graph.nodes[i];
        const std::vector<std::string> results = reference::namesIn(node.outputs);
        if (computed.isComputable(i) &&
            std::ranges::none_of(results, [&](const std::string& name) { return read.contains(name); })) {
            for (const std::string& name : results) {
                draft.graph.tensors.erase(name);
            }
            continue;
        }
        note(node.inputs);
        kept.push_back(std::move(node));
    }
    std::ranges::reverse(kept);
    draft.graph.nodes = std::move(kept);
}

}  // namespace

Result<std::shared_ptr<const etrecord::Record>> storeComputedWeights(EdgeMethod& method,
                                                                     const etrecord::Record& record) {
    lowering::ComputedConstants computed(method, kernels::builtin());
    std::map<std::string, const Node*> readers;  // of weights, by value
    for (const Node& node : method.graph().nodes) {
        if (isWeighted(node)) {
            const std::string_view weight = productOperands(method, node).weight;
            const auto producer = method.producer(weight);
            if (producer && computed.isSmall(*producer) && !method.isOutput(weight)) {
                readers.try_emplace(std::string(weight), &node);
            }
        }
    }
    if (readers.empty()) {
        return nullptr;
    }
    ET_ASSIGN(ModelDraft draft, ModelDraft::open(method));
    std::map<std::string, std::string, std::less<>> stored;
    for (const auto& [weight, reader] : readers) {
        ET_ASSIGN(const auto values, computed.compute(*method.producer(weight)));
        stored[weight] = draft.addTensor("parameter", weight, targetFor(draft, *reader),
                                         *values.at(weight).as<reference::ReferenceTensor>());
    }
    for (Node& node : draft.graph.nodes) {
        for (etrecord::Argument& argument : node.inputs) {
            renameValues(argument, [&](std::string& name) {
                if (const auto found = stored.find(name); found != stored.end()) {
                    name = found->second;
                }
            });
        }
    }
    dropUnreadNodes(computed, draft);
    return draft.record(record, method.name());
}

}  // namespace et::backends::xnnpack
