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

/// A tensor that a backend reads in each run: its elements in row-major order.
struct PartConstant {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
    std::vector<std::byte> elements;
};

/// Nodes that a backend runs as one instruction.
struct DelegatedPart {
    std::string backend;                  ///< "XnnpackBackend"
    std::vector<NodeIndex> nodes;         ///< in graph order
    std::vector<std::string> inputs;      ///< values of the graph, in the order of the call's arguments
    std::vector<PartConstant> constants;  ///< constants of the program, behind the inputs
    std::vector<std::string> outputs;     ///< values of the graph, behind the constants
    std::vector<std::byte> payload;
};

/// What became of a method: for each instruction the node (of the graph, or of a subgraph in it) or the part
/// (by position) that it ends. Copies into buffers at the end have none.
struct EmittedMethod {
    using Origin = std::variant<const etrecord::Node*, std::size_t>;
    std::map<core::InstructionId, Origin> origins;
};

/// Writes a method of a program: `parts` as calls of their delegates, the nodes around them as calls of
/// kernels, in an order in which each comes after what it needs; nodes that nothing needs are left out.
/// Tensors are planned. Errors: Unsupported (a node that no kernel computes: names node and rule),
/// InvalidArgument (the parts depend on one another in a circle), as EdgeMethod::tensor().
[[nodiscard]] core::Result<EmittedMethod> emitMethod(EdgeMethod& method, std::span<const DelegatedPart> parts,
                                                     const kernels::KernelRegistry& kernels,
                                                     builder::MethodBuilder& into);

}  // namespace et::backends::lowering
