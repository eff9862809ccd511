#pragma once

#include "runtime/core/strong_id.h"
#include "runtime/program/value.h"

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace et::program {

/// Position of an operator in Method::operators.
using OperatorId = core::StrongId<struct OperatorIdTag, std::uint32_t>;

/// Position of a delegate in Method::delegates.
using DelegateId = core::StrongId<struct DelegateIdTag, std::uint32_t>;

/// Runs an operator; inputs come first, out arguments last, as its schema orders them.
struct KernelCall {
    OperatorId op;
    std::vector<ValueId> args;
};

/// Runs a delegate; inputs come first, then outputs.
struct DelegateCall {
    DelegateId delegate;
    std::vector<ValueId> args;
};

struct MoveCall {
    ValueId from;
    ValueId to;
};

/// Continues at `destination` when the condition (a Bool, or a Tensor of bools) is false.
struct JumpFalseCall {
    ValueId condition;
    core::InstructionId destination;  ///< 0 to the chain's length, which means its end
};

/// Frees the memory of a tensor whose size was not known before.
struct FreeCall {
    ValueId value;
};

/// The alternatives stand in the order of the file's union.
using Instruction = std::variant<KernelCall, DelegateCall, MoveCall, JumpFalseCall, FreeCall>;

/// "KernelCall", "DelegateCall", …: the format's own names.
[[nodiscard]] std::string_view instructionName(const Instruction& instruction);

/// One line of a Python stack.
struct StackFrame {
    std::string_view file;
    std::int32_t line = 0;
    std::string_view function;
    std::string_view context;  ///< the source text of the line
};

/// Instructions that run one after the other. Files of today have one chain a method.
struct Chain {
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<Instruction> instructions;
    /// One stack an instruction, outermost frame first; empty when the exporter did not write them.
    std::vector<std::vector<StackFrame>> stackTraces;
};

}  // namespace et::program
