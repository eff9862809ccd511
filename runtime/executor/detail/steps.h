#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/backend.h"
#include "runtime/executor/detail/module_state.h"
#include "runtime/executor/detail/values.h"
#include "runtime/kernels/fusion.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/method.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::executor::detail {

/// A step and those behind it that may be computed together.
struct FusedSteps {
    const kernels::Fusion* fusion = nullptr;
    std::array<kernels::Followers::Call, kernels::maxFused - 1> behind{};
    std::size_t count = 1;  ///< of steps, with the first
};

/// An instruction with everything looked up.
struct Step {
    enum class Kind : std::uint8_t { Kernel, Delegate, Move, JumpFalse, Free };

    Kind kind = Kind::Kernel;
    std::int32_t instruction = 0;  ///< in its chain
    std::int32_t chain = 0;
    std::span<core::Value* const> arguments;  ///< Move: from, to; JumpFalse: condition; Free: value
    const kernels::KernelEntry* entry = nullptr;
    std::unique_ptr<kernels::KernelState> state;
    LoadedDelegate* delegate = nullptr;
    std::size_t destination = 0;        ///< of a jump, in Steps::all
    std::uint32_t target = 0;           ///< position of the operator or delegate in the method, for messages
    core::TraceName name;               ///< of the event for what the instruction calls
    std::unique_ptr<FusedSteps> fused;  ///< null: nothing behind it is computed with it
};

/// The instructions of all chains, one after the other.
struct Steps {
    std::vector<Step> all;
    std::vector<core::Value*> arguments;  ///< what Step::arguments point into
    std::vector<std::unique_ptr<LoadedDelegate>> delegates;
};

/// Looks up operators and loads delegates. Errors: NotFound (an unknown operator or backend; names
/// all of them), Limit, and what backends give.
[[nodiscard]] core::Result<Steps> makeSteps(const program::Method& method, MethodValues& values,
                                            ModuleState& module);

/// "instructions[3] (aten::add.out)".
[[nodiscard]] std::string stepText(const program::Method& method, const Step& step);

/// The profile event of what an instruction calls, as the reference runtime names it: "native_call_add.out"
/// for "aten::add.out"; "llama::custom_sdpa" for operators of that library.
[[nodiscard]] std::string eventName(const program::Operator& op);

}  // namespace et::executor::detail
