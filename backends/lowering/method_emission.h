#pragma once

#include "backends/lowering/edge_method.h"
#include "runtime/builder/program_builder.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/kernels/registry.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace et::backends::lowering {

/// A constant tensor that a backend reads in each run: its elements in row-major order.
struct PartConstant {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
    std::vector<std::byte> elements;
};

/// Nodes that a backend runs as one instruction.
struct DelegatedPart {
    std::string backend;                  ///< "XnnpackBackend"
    std::vector<NodeIndex> nodes;         ///< in graph order
    std::vector<std::string> inputs;      ///< values of the graph, in order of the call's arguments
    std::vector<PartConstant> constants;  ///< constants of the program, after the inputs
    std::vector<std::string> outputs;     ///< values of the graph, after the constants
    std::vector<std::byte> payload;
};

/// Result of emitting a method: for each instruction, the node (of the graph or a nested subgraph) or the
/// part (by index) whose last instruction it is. Final copies into buffers have no entry.
struct EmittedMethod {
    using Origin = std::variant<const etrecord::Node*, std::size_t>;
    std::map<core::InstructionId, Origin> origins;
};

/// Emits a method of a program: `parts` as delegate calls, the other nodes as kernel calls, each after its
/// dependencies; nodes without users are skipped. Memory of tensors is planned. Errors: Unsupported (a node
/// without a kernel; names node and rule), InvalidArgument (the parts have a cyclic dependency), those of
/// EdgeMethod::tensor().
[[nodiscard]] core::Result<EmittedMethod> emitMethod(EdgeMethod& method, std::span<const DelegatedPart> parts,
                                                     const kernels::KernelRegistry& kernels,
                                                     builder::MethodBuilder& into);

}  // namespace et::backends::lowering
