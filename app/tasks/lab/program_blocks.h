#pragma once

#include "app/tasks/lab/instruction_nodes.h"
#include "app/tasks/lab/method_values.h"
#include "etrecord/exported_graph.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// Instructions that run one after the other whenever the first one does, as a graph of the Edge dialect; or
/// one instruction that stays as it is.
struct ProgramBlock {
    std::size_t first = 0;  ///< of the only chain
    std::size_t end = 0;    ///< behind the last one
    etrecord::ExportedGraph graph{};
    /// By node: the instruction that it is of; nothing: of a view that no instruction makes.
    std::vector<std::optional<std::size_t>> instructions{};
    std::string rule{};  ///< why the only instruction stays as it is; empty: it is no such block
};

/// Says of a node what is known of its instruction beside the program: modules, Python stack, handles.
using NodeNotes = std::function<void(std::size_t instruction, etrecord::Node& node)>;

/// The whole method, in its order. A block ends where somebody jumps from or to, and at what no graph has:
/// calls of delegates, operators that write in place, kernels that nothing is known of. Values are called as
/// graphName() does; constants of the program are constants of the graphs under the same name.
[[nodiscard]] std::vector<ProgramBlock> blocksOf(const program::Method& method, const MethodValues& values,
                                                 const kernels::KernelRegistry& kernels,
                                                 const NodeNotes& notes);

}  // namespace et::app
