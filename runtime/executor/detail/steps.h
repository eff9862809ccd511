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
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::executor::detail {

/// A step and the following ones that can be computed with it.
struct FusedSteps {
    const kernels::Fusion* fusion = nullptr;
    std::array<kernels::FusedTail::Call, kernels::maxFused - 1> behind{};
    std::size_t count = 1;  ///< number of steps, including the first
};

/// An instruction with all references resolved.
struct Step {
    enum class Kind : std::uint8_t { Kernel, Delegate, Move, JumpFalse, Free };

    Kind kind = Kind::Kernel;
    std::int32_t instruction = 0;  ///< index in its chain
    std::int32_t chain = 0;
    std::span<core::Value* const> arguments;  ///< Move: from, to; JumpFalse: condition; Free: value
    const kernels::KernelEntry* entry = nullptr;
    std::unique_ptr<kernels::KernelState> state;
    LoadedDelegate* delegate = nullptr;
    std::size_t destination = 0;     ///< target of a jump, index into Steps::all
    std::uint32_t target = 0;        ///< index of the operator or delegate in the method, for messages
    core::TraceName name;            ///< name of the event for the called operator or delegate
    std::optional<bool> keepsState;  ///< of a delegate: its results depend on earlier calls; empty: unknown
    std::unique_ptr<FusedSteps> fused;  ///< null: not fused with the following steps
};

/// The instructions of all chains, concatenated.
struct Steps {
    std::vector<Step> all;
    std::vector<core::Value*> arguments;         ///< storage behind Step::arguments
    std::deque<kernels::KernelEntry> completed;  ///< entries whose signature the instruction tells
    std::vector<std::unique_ptr<LoadedDelegate>> delegates;
};

/// Resolves operators and loads delegates. Errors: NotFound (unknown operators or backends; lists all of
/// them), Limit, and errors of the backends.
[[nodiscard]] core::Result<Steps> makeSteps(const program::Method& method, MethodValues& values,
                                            ModuleState& module);

/// "instructions[3] (aten::add.out)".
[[nodiscard]] std::string stepText(const program::Method& method, const Step& step);

/// Returns the profile event name of an operator as the reference runtime writes it: "native_call_add.out"
/// for "aten::add.out"; "llama::custom_sdpa.out" for operators of ExecuTorch's other libraries.
[[nodiscard]] std::string eventName(const program::Operator& op);

}  // namespace et::executor::detail
