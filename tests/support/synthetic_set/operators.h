#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace et::test::synthetic {

/// Backend name of the made-up delegate, and the instruction that calls it.
inline constexpr std::string_view delegateName = "SampleBackend";
inline constexpr std::int32_t delegateInstruction = 2;

/// A module of the net.
struct Module {
    std::string_view fqn;   ///< "conv"; empty for the root
    std::string_view type;  ///< "torch.nn.modules.conv.Conv2d"
};

/// One operator of the Edge graph: its node, its origin, and its execution in the program.
struct Operator {
    std::string_view node;      ///< name of the node and its result, "aten_relu_default"
    std::string_view op;        ///< "aten.relu.default"
    std::string_view source;    ///< original node of the exported program, "relu"
    std::string_view sourceOp;  ///< "aten.relu.default"
    std::int64_t debugHandle;
    const Module* module;
    std::string_view call;               ///< line of the root's forward() that leads here
    std::string_view innerCall;          ///< line of the module's own forward(); empty if it is PyTorch code
    std::int32_t instruction;            ///< -1: removed by memory planning
    std::string_view kernel;             ///< event of its kernel; empty inside the delegate
    std::string_view delegateId;         ///< identifier used by the delegate; empty outside
    std::uint32_t elementaryOperations;  ///< multiplications, additions etc. counted by the cost model
};

/// Operators in graph order. Record, trace and debug buffer are all made from this table.
[[nodiscard]] std::span<const Operator> operators();

/// The stack trace of an operator in a file conv_net.py, formatted like Python's.
[[nodiscard]] std::string stackTrace(const Operator& op);

extern const Module rootModule;

}  // namespace et::test::synthetic
