#pragma once

#include <string_view>

/// Names of the events that the runtime itself writes into a trace, as ExecuTorch spells them
/// (runtime/executor/method.cpp, program.cpp; codegen of the kernels). The recorder writes them, readers of
/// traces recognize them.
namespace et::core::event_name {

/// A kernel is this prefix and the operator: "native_call_add.out". Custom libraries may use another form.
inline constexpr std::string_view kernelPrefix = "native_call_";

/// What an instruction does; a kernel's own event lies within an OPERATOR_CALL.
inline constexpr std::string_view operatorCall = "OPERATOR_CALL";
inline constexpr std::string_view delegateCall = "DELEGATE_CALL";
inline constexpr std::string_view moveCall = "MOVE_CALL";
inline constexpr std::string_view jumpCall = "JF_CALL";
inline constexpr std::string_view freeCall = "FREE_CALL";

/// Steps of the runtime around the instructions. Method::init lies within Program::load_method.
inline constexpr std::string_view loadProgram = "Program::load";
inline constexpr std::string_view loadMethod = "Program::load_method";
inline constexpr std::string_view methodInit = "Method::init";
inline constexpr std::string_view methodExecute = "Method::execute";

}  // namespace et::core::event_name
