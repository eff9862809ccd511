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

// Where graphs to draw come from. None of them refuses a file: what is not understood is a node without an
// inside.
namespace et::inspector {

/// A method and what helps to understand it; all of it is borrowed.
struct ProgramGraphSources {
    const program::Program& program;
    const program::Method& method;
    std::span<const std::shared_ptr<const program::TensorData>> tensorData{};
    std::span<const executor::Backend* const> backends{};  ///< who may tell what is inside of a delegate
    const etrecord::Record* record = nullptr;              ///< null: nodes are in no modules
};

/// The instructions of a method as nodes, in their order. A value that several instructions write is a value
/// of its own after each. Delegates that can be described are groups with their nodes in them; with a record,
/// modules are groups, too. Errors: Limit (lists that a damaged file repeats beyond all measure).
[[nodiscard]] core::Result<core::ModelGraph> programGraph(const ProgramGraphSources& sources);

/// The inside of one delegate. Errors: NotFound (no such delegate); as Backend::describe().
[[nodiscard]] core::Result<core::ModelGraph> delegateGraph(const ProgramGraphSources& sources,
                                                           program::DelegateId delegate);

/// A graph of a record: nodes with their arguments, modules as nested groups, subgraphs of control flow as
/// groups of the node that runs them. `maps` are those of the method, may be null; they say where nodes run
/// (an attribute, graph_regions.h).
[[nodiscard]] core::ModelGraph recordGraph(const etrecord::ExportedGraph& graph, std::string_view name,
                                           const etrecord::MethodMaps* maps = nullptr);

/// Gives a graph that is too broad to be drawn something to fold: where more than `limit` nodes and groups
/// stand beside one another, those that follow one another become sections ("nodes 0 to 99").
void foldLongRuns(core::ModelGraph& graph, std::size_t limit);

}  // namespace et::inspector
