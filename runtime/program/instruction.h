#pragma once

#include "runtime/core/strong_id.h"
#include "runtime/program/value.h"

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace et::program {

/// Index into Method::operators.
using OperatorId = core::StrongId<struct OperatorIdTag, std::uint32_t>;

/// Index into Method::delegates.
using DelegateId = core::StrongId<struct DelegateIdTag, std::uint32_t>;

/// Runs an operator; inputs first, out arguments last, in schema order.
struct KernelCall {
    OperatorId op;
    std::vector<ValueId> args;
};

/// Runs a delegate; inputs first, then outputs.
struct DelegateCall {
    DelegateId delegate;
    std::vector<ValueId> args;
};

struct MoveCall {
    ValueId from;
    ValueId to;
};

/// Continues at `destination` if the condition (a Bool, or a Tensor of bools) is false.
struct JumpFalseCall {
    ValueId condition;
    core::InstructionId destination;  ///< 0 to the chain's length; the length means the end
};

/// Frees the memory of a tensor whose size was not known in advance.
struct FreeCall {
    ValueId value;
};

/// Alternatives are in the order of the file's union.
using Instruction = std::variant<KernelCall, DelegateCall, MoveCall, JumpFalseCall, FreeCall>;

/// "KernelCall", "DelegateCall", …: the names used by the format.
[[nodiscard]] std::string_view instructionName(const Instruction& instruction);

/// One frame of a Python stack.
struct StackFrame {
    std::string_view file;
    std::int32_t line = 0;
    std::string_view function;
    std::string_view context;  ///< the source text of the line
};

/// Consecutive instructions. Current files have one chain per method.
struct Chain {
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<Instruction> instructions;
    /// One stack per instruction, outermost frame first; empty if the exporter did not write them.
    std::vector<std::vector<StackFrame>> stackTraces;
};

}  // namespace et::program
