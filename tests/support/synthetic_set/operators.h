#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace et::test::synthetic {

/// The part of the net that its made-up delegate runs, and the instruction that calls it.
inline constexpr std::string_view delegateName = "SampleBackend";
inline constexpr std::int32_t delegateInstruction = 2;

/// A module of the net.
struct Module {
    std::string_view fqn;   ///< "conv"; empty for the root
    std::string_view type;  ///< "torch.nn.modules.conv.Conv2d"
};

/// One operator of the Edge graph: what it is there, where it came from, and how the program runs it.
struct Operator {
    std::string_view node;      ///< name of the node and of its result, "aten_relu_default"
    std::string_view op;        ///< "aten.relu.default"
    std::string_view source;    ///< node of the exported program that it was made from, "relu"
    std::string_view sourceOp;  ///< "aten.relu.default"
    std::int64_t debugHandle;
    const Module* module;
    std::string_view call;               ///< line of the root's forward() that leads here
    std::string_view innerCall;          ///< line of the module's own forward(); empty where it is PyTorch's
    std::int32_t instruction;            ///< -1: none, memory planning made it unnecessary
    std::string_view kernel;             ///< event of its kernel; empty inside of the delegate
    std::string_view delegateId;         ///< the delegate's own name for it; empty outside
    std::uint32_t elementaryOperations;  ///< multiplications, additions, …: what the model of cost counts
};

/// In the order of the graph. Record, trace and debug buffer are all made from this table.
[[nodiscard]] std::span<const Operator> operators();

/// The stack trace of an operator, as Python prints it, in a file conv_net.py.
[[nodiscard]] std::string stackTrace(const Operator& op);

extern const Module rootModule;

}  // namespace et::test::synthetic
