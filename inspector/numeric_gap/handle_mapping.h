#pragma once

#include "backends/reference/reference_value.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

// Matches graph values and runtime values with the same debug handles exactly as ExecuTorch's
// calculate_numeric_gap does; node_mapping.h is more precise.
namespace et::inspector {

using HandleList = std::vector<core::DebugHandle>;

/// Nodes of a graph with the same handles, with the value of the last node.
struct GraphOutput {
    HandleList handles;
    std::vector<std::string> nodes;
    backends::reference::ReferenceValue value;
};

/// The values that an event of the runtime logged.
struct EventOutput {
    HandleList handles;
    std::int32_t instruction = -1;
    std::string name;
    std::vector<backends::reference::ReferenceValue> values;
    std::size_t outputs = 1;  ///< number of outputs among `values`, according to the record
    bool isDelegate = false;  ///< whether the outputs are the last values; for a kernel they are the first
};

/// One comparison.
struct HandleMatch {
    HandleList handles;              ///< merged handles of the events, and those of the graph
    std::vector<std::string> nodes;  ///< nodes of the graph whose handles are all included
    std::vector<std::string> events;
    std::int32_t instruction = -1;  ///< of the last event
    backends::reference::ReferenceValue reference;
    backends::reference::ReferenceValue runtime;
};

/// Adds a node. Nodes with the same handles share an entry, which keeps its position.
void addOutput(std::vector<GraphOutput>& outputs, const HandleList& handles, const std::string& node,
               backends::reference::ReferenceValue value);

/// Merges events with overlapping handles; the result has the values of the one that runs last, and its
/// handles come after the others'. Ordered by last handle.
[[nodiscard]] std::vector<EventOutput> mergeOverlaps(std::span<const EventOutput> events);

/// Handles of the nodes whose values matchHandles() compares with these events.
[[nodiscard]] std::set<core::DebugHandle> comparedHandles(std::span<const EventOutput> events);

/// Pairs the outputs of each event with the nodes that have its handles, from the last output and handle
/// backwards. In the order of `graph`. Among events with the same handles, only the last instruction counts.
[[nodiscard]] std::vector<HandleMatch> matchHandles(std::span<const GraphOutput> graph,
                                                    std::span<const EventOutput> events);

}  // namespace et::inspector
