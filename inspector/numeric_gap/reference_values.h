#pragma once

#include "backends/reference/interpreter.h"
#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/handle_mapping.h"
#include "inspector/numeric_gap/value_store.h"
#include "runtime/core/result.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Values that a record's graphs compute for given inputs.
namespace et::inspector {

using GraphValues = backends::reference::Interpreter::Values;

/// The tensor with that name; null if there is none.
[[nodiscard]] const backends::reference::ReferenceTensor* tensorIn(const GraphValues& values,
                                                                   std::string_view name);

/// Whether the caller must provide the input for a run.
[[nodiscard]] bool isUserInput(const etrecord::InputSpec& spec);

/// Whether to return the outputs of a node.
using KeepsNode = std::function<bool(etrecord::NodeIndex node,
                                     std::span<const backends::reference::ReferenceValue> outputs)>;

/// Runs the graph and returns its values (not those of subgraphs), including user inputs: all, or those of
/// the nodes for which `keeps` is true. `store`: for large values; null: all stay in memory. Errors: as
/// Interpreter::run().
[[nodiscard]] core::Result<GraphValues> runGraph(backends::reference::Interpreter& interpreter,
                                                 std::span<const backends::reference::ReferenceValue> inputs,
                                                 const KeepsNode& keeps, ValueStore* store = nullptr);
[[nodiscard]] core::Result<GraphValues> runGraph(backends::reference::Interpreter& interpreter,
                                                 std::span<const backends::reference::ReferenceValue> inputs);

/// Whether a node of the graph or of its subgraphs may write to one of its arguments, so that values must
/// stay in writable memory.
[[nodiscard]] bool mayWriteArguments(const etrecord::ExportedGraph& graph);

/// Debug handles for the nodes of the exported program, by node name. The exported nodes have none; they are
/// taken from the Edge nodes lowered from them. Nothing if an Edge node has no ancestor among the exported
/// nodes, because the Edge graph then comes from another program.
[[nodiscard]] std::map<std::string, core::DebugHandle, std::less<>> handlesOfExported(
    const etrecord::ExportedGraph& exported, const etrecord::ExportedGraph& edge, std::int64_t exportGraphId);

/// Groups the values of nodes by their handles in `handles`, or by their own handles if it is null.
[[nodiscard]] std::vector<GraphOutput> outputsByHandle(
    const etrecord::ExportedGraph& graph, const GraphValues& values,
    const std::map<std::string, core::DebugHandle, std::less<>>* handles);

/// Names of the values referred to by an argument or result.
[[nodiscard]] std::vector<std::string_view> valueNames(const etrecord::Argument& argument);
/// Names for all inputs, or all outputs, of a node.
[[nodiscard]] std::vector<std::string_view> valueNames(std::span<const etrecord::Argument> arguments);

}  // namespace et::inspector
