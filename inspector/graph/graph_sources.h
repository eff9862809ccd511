#pragma once

#include "etrecord/record.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

// Sources of graphs. No file is rejected: anything unsupported becomes a node without content.
namespace et::inspector {

/// A method and optional related files; all borrowed.
struct ProgramGraphSources {
    const program::Program& program;
    const program::Method& method;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe the content of
                                                           ///< delegates
    const etrecord::Record* record = nullptr;              ///< null: no modules
};

/// The instructions of a method as nodes, in order. A value written by several instructions becomes a
/// separate value after each. Delegates that can be described are groups with their nodes; with a record,
/// modules are groups too. Errors: Limit (lists that a damaged file repeats excessively).
[[nodiscard]] core::Result<core::ModelGraph> programGraph(const ProgramGraphSources& sources);

/// The graph of one delegate. Errors: NotFound (no such delegate); as Backend::describe().
[[nodiscard]] core::Result<core::ModelGraph> delegateGraph(const ProgramGraphSources& sources,
                                                           program::DelegateId delegate);

/// A graph of a record: nodes with their arguments, modules as nested groups, control-flow subgraphs as
/// groups of the node that runs them. `maps` are those of the method, may be null; they provide where nodes
/// run (an attribute, graph_regions.h).
[[nodiscard]] core::ModelGraph recordGraph(const etrecord::ExportedGraph& graph, std::string_view name,
                                           const etrecord::MethodMaps* maps = nullptr);

/// Makes a graph that is too broad to draw foldable: where more than `limit` nodes and groups are siblings,
/// consecutive ones become sections ("nodes 0 to 99").
void foldLongRuns(core::ModelGraph& graph, std::size_t limit);

}  // namespace et::inspector
