#include "inspector/numeric_gap/parameter_owners.h"

#include "etrecord/buffer_mutation.h"
#include "inspector/names/operator_names.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using etrecord::NodeIndex;

/// The nodes that read a value, through nodes that depend only on weights.
void addReaders(const GraphWalk& graph, std::string_view value, std::set<NodeIndex>& readers) {
    std::vector<std::string_view> waiting{value};
    std::set<std::string_view> seen;
    while (!waiting.empty()) {
        const std::string_view next = waiting.back();
        waiting.pop_back();
        if (!seen.insert(next).second) {
            continue;
        }
        for (const NodeIndex reader : graph.consumersOf(next)) {
            if (!graph.isConstant(reader)) {
                readers.insert(reader);
                continue;
            }
            const auto results = graph.resultsOf(reader);
            waiting.insert(waiting.end(), results.begin(), results.end());
        }
    }
}

class Finder {
  public:
    Finder(const core::ModelGraph& described, const GraphWalk& walked) : delegate(described), graph(walked) {
        for (const etrecord::InputSpec& spec : graph.graph().inputSpecs) {
            if (!spec.target.empty()) {
                auto& own = readers[spec.target];
                if (!etrecord::isMutatedBuffer(graph.graph(), spec)) {
                    addReaders(graph, spec.value, own);
                }
            }
        }
        constants.resize(delegate.values().size());
        isConstant.resize(delegate.values().size(), false);
    }

    std::vector<std::optional<ParameterOwner>> find();

  private:
    [[nodiscard]] const std::set<NodeIndex>* readersOf(const GraphValue& constant) const;
    [[nodiscard]] std::optional<ParameterOwner> ownerOf(const GraphNode& node) const;
    [[nodiscard]] std::optional<ParameterOwner> extended(const GraphNode& node) const;

    const core::ModelGraph& delegate;
    const GraphWalk& graph;
    std::map<std::string, std::set<NodeIndex>, std::less<>> readers;  ///< by name in PyTorch; none: state
    std::vector<std::set<NodeIndex>> constants;  ///< by value: readers of the parameters it is computed from
    std::vector<bool> isConstant;                ///< by value: depends on constants only
    std::vector<std::optional<ParameterOwner>> owners;
};

/// The longest name of a parameter that the name of the data starts with.
const std::set<NodeIndex>* Finder::readersOf(const GraphValue& constant) const {
    const auto named = std::ranges::find(constant.attributes, "data name", &core::GraphAttribute::name);
    std::string_view name = named == constant.attributes.end() ? constant.name : named->text;
    name = name.substr(name.rfind('/') + 1);
    for (std::size_t length = name.size(); length > 0; --length) {
        const bool ends = length == name.size() || name[length] == '_';
        const auto found = ends ? readers.find(name.substr(0, length)) : readers.end();
        if (found != readers.end()) {
            return &found->second;
        }
    }
    return nullptr;
}

std::optional<ParameterOwner> Finder::ownerOf(const GraphNode& node) const {
    std::set<NodeIndex> all;
    for (const GraphValueId input : node.inputs) {
        all.insert(constants[input.value].begin(), constants[input.value].end());
    }
    return all.size() == 1 ? std::optional(ParameterOwner{.node = *all.begin(), .readsParameters = true})
                           : extended(node);
}

/// The owner of the only computed input, if the operator rearranges it.
std::optional<ParameterOwner> Finder::extended(const GraphNode& node) const {
    std::optional<GraphValueId> only;
    for (const GraphValueId input : node.inputs) {
        if (!isConstant[input.value]) {
            if (only) {
                return std::nullopt;
            }
            only = input;
        }
    }
    const auto producer = only ? delegate.value(*only).producer : std::nullopt;
    if (!producer || producer->value >= owners.size() || !owners[producer->value] ||
        !names::detail::isRearrangement(node.kind)) {
        return std::nullopt;
    }
    return ParameterOwner{.node = owners[producer->value]->node, .readsParameters = false};
}

std::vector<std::optional<ParameterOwner>> Finder::find() {
    for (std::size_t i = 0; i < delegate.values().size(); ++i) {
        const GraphValue& value = delegate.values()[i];
        if (value.role == GraphValue::Role::Constant) {
            const auto* const known = readersOf(value);
            isConstant[i] = known == nullptr || !known->empty();
            if (known != nullptr) {
                constants[i] = *known;
            }
        }
    }
    for (const GraphNode& node : delegate.nodes()) {
        const bool isWeight =
            !node.inputs.empty() && std::ranges::all_of(node.inputs, [&](GraphValueId input) {
                return static_cast<bool>(isConstant[input.value]);
            });
        owners.push_back(isWeight ? std::nullopt : ownerOf(node));
        for (const GraphValueId output : node.outputs) {
            isConstant[output.value] = isWeight;
            for (const GraphValueId input : node.inputs) {
                if (isWeight) {
                    constants[output.value].insert(constants[input.value].begin(),
                                                   constants[input.value].end());
                }
            }
        }
    }
    return std::move(owners);
}

}  // namespace

std::vector<std::optional<ParameterOwner>> findParameterOwners(const core::ModelGraph& delegate,
                                                               const GraphWalk& graph) {
    return Finder(delegate, graph).find();
}

}  // namespace et::inspector
