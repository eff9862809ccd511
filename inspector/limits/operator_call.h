#pragma once

#include "inspector/join/instruction_access.h"
#include "inspector/limits/machine_profile.h"
#include "runtime/core/graph.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Operators with the shapes of their tensors, whichever file they come from.
namespace et::inspector {

/// A tensor as far as costs depend on it.
struct OperandForm {
    std::uint32_t id = 0;  ///< tells it from the other tensors of the same method or graph
    std::vector<std::int64_t> sizes{};
    double bytes = 0;                          ///< of the dense tensor
    Arithmetic arithmetic = Arithmetic::Fp32;  ///< Int8 for all integers of at most 8 bits
    bool exact = true;  ///< false: the sizes are only known at run time, or the bytes are not known

    [[nodiscard]] double elements() const;
};

/// A call of an operator. Inputs have the tensors alone, those of lists in their order, an absent one left
/// out.
struct OperatorCall {
    std::string
        operation{};  ///< without library and overload: "convolution"; of delegates: GraphNode::operation
    std::vector<OperandForm> inputs{};
    std::vector<OperandForm> outputs{};
    std::vector<core::GraphAttribute> attributes{};  ///< arguments that are no tensors, by name

    /// The whole numbers in an attribute: {1, 2} of "[1, 2]". Nothing: no such attribute, or one of its
    /// numbers is not known or cut off.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> numbers(std::string_view attribute) const;
    /// What it computes with: that of its first input, the output without inputs.
    [[nodiscard]] Arithmetic arithmetic() const;
};

/// Of a kernel call and what it reads and writes.
[[nodiscard]] OperatorCall operatorCall(const program::Method& method, const program::KernelCall& call,
                                        const detail::InstructionAccess& access);
/// Of a node that is inside of a delegate.
[[nodiscard]] OperatorCall operatorCall(const core::ModelGraph& graph, const core::GraphNode& node);

}  // namespace et::inspector
