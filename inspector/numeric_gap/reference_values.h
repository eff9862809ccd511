#pragma once

#include "backends/reference/interpreter.h"
#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/handle_mapping.h"
#include "runtime/core/result.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the graphs of a record give for some inputs.
namespace et::inspector {

using GraphValues = backends::reference::Interpreter::Values;

/// The tensor of that name; null where there is none.
[[nodiscard]] const backends::reference::ReferenceTensor* tensorIn(const GraphValues& values,
                                                                   std::string_view name);

/// Whether a run has to be given it.
[[nodiscard]] bool isUserInput(const etrecord::InputSpec& spec);

/// All values of the graph itself (not of its subgraphs) in one run, its user inputs among them. Errors: as
/// Interpreter::run().
[[nodiscard]] core::Result<GraphValues> runGraph(backends::reference::Interpreter& interpreter,
                                                 std::span<const backends::reference::ReferenceValue> inputs);

/// Debug handles of the nodes of the exported program, which its own nodes lack: the Edge nodes that were
/// made of them have them. By name of the node. Nothing where an Edge node has no ancestor among the
/// exported nodes: then the program is not the one that the Edge graph was made of.
[[nodiscard]] std::map<std::string, core::DebugHandle, std::less<>> handlesOfExported(
    const etrecord::ExportedGraph& exported, const etrecord::ExportedGraph& edge, std::int64_t exportGraphId);

/// The values of nodes by the handles that `handles` has of them; without it, by their own.
[[nodiscard]] std::vector<GraphOutput> outputsByHandle(
    const etrecord::ExportedGraph& graph, const GraphValues& values,
    const std::map<std::string, core::DebugHandle, std::less<>>* handles);

/// Names of the values that an argument or result refers to.
[[nodiscard]] std::vector<std::string_view> valueNames(const etrecord::Argument& argument);
/// Of all inputs, or of all outputs, of a node.
[[nodiscard]] std::vector<std::string_view> valueNames(std::span<const etrecord::Argument> arguments);

}  // namespace et::inspector
