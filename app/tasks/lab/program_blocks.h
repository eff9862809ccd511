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

namespace et::tasks {

/// Instructions that run consecutively whenever the first one runs, as an Edge dialect graph; or one
/// instruction that is kept as it is.
struct ProgramBlock {
    std::size_t first = 0;  ///< index in the only chain
    std::size_t end = 0;    ///< index after the last one
    etrecord::ExportedGraph graph{};
    /// By node: its instruction; nothing for a view without an instruction.
    std::vector<std::optional<std::size_t>> instructions{};
    std::string rule{};  ///< why the only instruction is kept as it is; empty for other blocks
};

/// Adds information from outside the program to the node of an instruction: modules, Python stack, debug
/// handles.
using NodeNotes = std::function<void(std::size_t instruction, etrecord::Node& node)>;

/// Splits the whole method into blocks, in order. A block ends at sources and targets of jumps, and at
/// instructions that graphs cannot represent: delegate calls, operators that write in place, unknown kernels.
/// Values are named by graphName(); constants of the program are constants of the graphs with the same names.
[[nodiscard]] std::vector<ProgramBlock> blocksOf(const program::Method& method, const MethodValues& values,
                                                 const kernels::KernelRegistry& kernels,
                                                 const NodeNotes& notes);

}  // namespace et::tasks
