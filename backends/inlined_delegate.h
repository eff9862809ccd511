#pragma once

#include "runtime/core/graph.h"
#include "runtime/program/instruction.h"
#include "runtime/program/value_flow.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace et::backends {

/// By value of a delegate's graph: its argument index in the call; empty for values that do not cross it.
using CallArguments = std::vector<std::optional<std::size_t>>;

/// The argument indices in the description of a delegate; by order where it has none.
[[nodiscard]] CallArguments callArguments(const core::ModelGraph& inner);

/// A copy of the graph with changed values and nodes; ids and links stay. Either function may be empty.
[[nodiscard]] core::ModelGraph rebuilt(
    const core::ModelGraph& graph,
    const std::function<void(core::GraphValueId, core::GraphValue&)>& changeValue,
    const std::function<void(core::GraphNode&)>& changeNode);

/// The graph with argument indices, by id of a value.
[[nodiscard]] core::ModelGraph withArguments(const core::ModelGraph& graph,
                                             const std::map<core::GraphValueId, std::size_t>& arguments);

/// Adds the nodes of a delegate, in a group, to the graph of the method that calls it. `outer` is the call;
/// it is not added, but the group takes its attributes.
void inlineDelegate(core::ModelGraph& graph, program::ValueFlow& flow, const core::ModelGraph& inner,
                    const CallArguments& arguments, const program::DelegateCall& call,
                    const core::GraphNode& outer);

}  // namespace et::backends
