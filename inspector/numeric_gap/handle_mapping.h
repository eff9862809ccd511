#pragma once

#include "backends/reference/reference_value.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Values of a graph and values of the runtime that carry the same debug handles, as ExecuTorch's
// calculate_numeric_gap pairs them. What follows here is what that does, not what would be finest:
// node_mapping.h goes further.
namespace et::inspector {

using HandleList = std::vector<core::DebugHandle>;

/// Nodes of a graph with the same handles, and the value of the last one.
struct GraphOutput {
    HandleList handles;
    std::vector<std::string> nodes;
    backends::reference::ReferenceValue value;
};

/// What an event of the runtime logged.
struct EventOutput {
    HandleList handles;
    std::int32_t instruction = -1;
    std::string name;
    std::vector<backends::reference::ReferenceValue> values;
    std::size_t outputs = 1;  ///< how many of `values` are outputs, by the record
    bool isDelegate = false;  ///< the outputs are the last ones; of a kernel, the first ones
};

/// One comparison.
struct HandleMatch {
    HandleList handles;              ///< of the events, merged; the graph's, too
    std::vector<std::string> nodes;  ///< of the graph, whose handles are all among them
    std::vector<std::string> events;
    std::int32_t instruction = -1;  ///< of the last event
    backends::reference::ReferenceValue reference;
    backends::reference::ReferenceValue runtime;
};

/// Adds a node: nodes of the same handles share an entry, which stays where it is.
void addOutput(std::vector<GraphOutput>& outputs, const HandleList& handles, const std::string& node,
               backends::reference::ReferenceValue value);

/// Events whose handles overlap become one, with the values of the one that runs last: its handles stand
/// behind the others'. In the order of the last handle.
[[nodiscard]] std::vector<EventOutput> mergeOverlaps(std::span<const EventOutput> events);

/// Every output of an event with the node whose handle it has: the last output with the last handle, and so
/// on back. In the order of `graph`. Events of the same handles count once: the last instruction.
[[nodiscard]] std::vector<HandleMatch> matchHandles(std::span<const GraphOutput> graph,
                                                    std::span<const EventOutput> events);

}  // namespace et::inspector
