#pragma once

#include "backends/reference/operators.h"
#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace et::backends::lowering {

/// The kernel that an instruction calls for a node, with its arguments in the schema's order, outputs left
/// out: what the node says, or the schema's default.
struct KernelChoice {
    using Argument = std::variant<const etrecord::Argument*, reference::ReferenceValue>;
    std::string kernel;  ///< "aten::add.out"
    std::vector<Argument> arguments;
    std::optional<std::size_t> wrapped{};        ///< a number where the kernel wants a tensor
    std::optional<std::size_t> optionalItems{};  ///< a list of tensors that may lack some
};

/// Borrows the node. Errors: Unsupported (no kernel computes the node, an argument that it does not have),
/// InvalidArgument (an argument is missing).
[[nodiscard]] core::Result<KernelChoice> chooseKernel(const etrecord::Node& node,
                                                      const kernels::KernelRegistry& kernels);

/// The operator that a kernel ("aten::add.out") computes, the other way around: the first of several; null:
/// none that is known.
[[nodiscard]] const reference::Operator* operatorOf(std::string_view kernel);

}  // namespace et::backends::lowering
