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

/// The kernel that an instruction calls for a node, with its arguments in schema order without outputs: the
/// node's argument, or the schema's default.
struct KernelChoice {
    using Argument = std::variant<const etrecord::Argument*, reference::ReferenceValue>;
    std::string kernel;  ///< "aten::add.out"
    std::vector<Argument> arguments;
    std::optional<std::size_t> wrapped{};        ///< index of a number where the kernel requires a tensor
    std::optional<std::size_t> optionalItems{};  ///< index of a tensor list with optional items
};

/// Borrows the node. Errors: Unsupported (no kernel for the node, or for one of its arguments),
/// InvalidArgument (a missing argument).
[[nodiscard]] core::Result<KernelChoice> chooseKernel(const etrecord::Node& node,
                                                      const kernels::KernelRegistry& kernels);

/// The operator that a kernel ("aten::add.out") computes; the first of several; null if unknown.
[[nodiscard]] const reference::Operator* operatorOf(std::string_view kernel);

}  // namespace et::backends::lowering
