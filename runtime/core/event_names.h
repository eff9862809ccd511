#pragma once

#include <string_view>

/// Names of the events that the runtime writes into a trace, as spelled by ExecuTorch
/// (runtime/executor/method.cpp, program.cpp; codegen of the kernels). Used by the recorder and by readers of
/// traces.
namespace et::core::event_name {

/// Prefix of kernel events, followed by the operator: "native_call_add.out". Custom libraries may use another
/// form.
inline constexpr std::string_view kernelPrefix = "native_call_";

/// Events of instructions; a kernel's own event is nested in an OPERATOR_CALL.
inline constexpr std::string_view operatorCall = "OPERATOR_CALL";
inline constexpr std::string_view delegateCall = "DELEGATE_CALL";
inline constexpr std::string_view moveCall = "MOVE_CALL";
inline constexpr std::string_view jumpCall = "JF_CALL";
inline constexpr std::string_view freeCall = "FREE_CALL";

/// Events outside instructions. Method::init is nested in Program::load_method.
inline constexpr std::string_view loadProgram = "Program::load";
inline constexpr std::string_view loadMethod = "Program::load_method";
inline constexpr std::string_view methodInit = "Method::init";
inline constexpr std::string_view methodExecute = "Method::execute";

}  // namespace et::core::event_name
