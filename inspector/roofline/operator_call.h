#pragma once

#include "inspector/roofline/machine_profile.h"
#include "runtime/core/graph.h"
#include "runtime/program/instruction_access.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Operators with the shapes of their tensors, independent of the source file.
namespace et::inspector {

/// The properties of a tensor that costs depend on.
struct OperandForm {
    std::uint32_t id = 0;  ///< identifies the tensor within its method or graph
    std::vector<std::int64_t> sizes{};
    double bytes = 0;                          ///< size of the dense tensor
    Arithmetic arithmetic = Arithmetic::Fp32;  ///< Int8 for all integers of at most 8 bits
    bool exact = true;  ///< false: the sizes are known only at run time, or the bytes are unknown

    [[nodiscard]] double elements() const;
};

/// A call of an operator. Inputs contain only tensors, with lists flattened and absent ones omitted.
struct OperatorCall {
    core::Cost cost = core::Cost::Unknown;
    std::vector<OperandForm> inputs{};
    std::vector<OperandForm> outputs{};
    std::vector<core::GraphAttribute> attributes{};  ///< non-tensor arguments, by name

    /// The integers in an attribute: {1, 2} for "[1, 2]". Nothing if the attribute is missing, or one of its
    /// numbers is unknown or truncated.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> numbers(std::string_view attribute) const;
    /// Arithmetic of its first input, or of the output if there are no inputs.
    [[nodiscard]] Arithmetic arithmetic() const;
};

/// Builds the description of a kernel call and the values it reads and writes.
[[nodiscard]] OperatorCall operatorCall(const program::Method& method, const program::KernelCall& call,
                                        const program::InstructionAccess& access);
/// Builds the description of a node inside a delegate.
[[nodiscard]] OperatorCall operatorCall(const core::ModelGraph& graph, const core::GraphNode& node);

}  // namespace et::inspector
