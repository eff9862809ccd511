#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/detail/method_events.h"
#include "runtime/executor/detail/module_state.h"
#include "runtime/executor/detail/saved_method.h"
#include "runtime/executor/detail/steps.h"
#include "runtime/executor/detail/values.h"
#include "runtime/executor/memory_guard.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace et::executor {

/// An input as the program declares it, before it is set.
struct InputSlot {
    core::Value* value = nullptr;
    core::Tensor* own = nullptr;  ///< tensor of the value as loaded: a move may replace it by another value's
    core::Tensor planned;         ///< for tensors: with the maximum sizes, over the input's memory
    bool isTensor = false;
    bool isPlanned = false;  ///< the program plans its memory
    bool isBound = false;    ///< the caller provided the memory
    bool isSet = false;      ///< for the next execution
};

/// A tensor as loaded, which moves, views and memory of the caller may replace.
struct LoadedTensor {
    core::Value* value = nullptr;
    core::Tensor* own = nullptr;
    core::Tensor content;
};

struct Method::Impl {
    Impl(const program::Method& from, detail::ModuleState& moduleState)
        : method(from),
          module(moduleState),
          scratch(moduleState.environment.limits.temporaryBytes),
          random(moduleState.environment.seed),
          context(moduleState.environment.threads, scratch, random) {
        context.bind(&moduleState.caches);
    }

    core::Result<> load();
    core::Result<> packWeights();
    void findInputs();

    core::Result<> setInput(std::size_t index, const InputValue& value);
    core::Result<> checkInputs() const;
    /// Marks all inputs as not set for the next execution.
    void forgetInputs();
    void forgetAliases();

    core::Result<> execute();
    core::Result<> begin();
    core::Result<bool> step(bool runs);
    /// Reports the end of an execution.
    void finish(bool succeeded);
    core::Result<> executeRemotely();
    core::Result<> prepare();
    core::Result<> runSteps();
    core::Result<> runNext(bool mayFuse);
    /// The reason to end an execution before `step`.
    core::Error interruption(const detail::Step& step) const;
    core::Result<> call(detail::Step& step, std::size_t& following);
    core::Result<> callTraced(detail::Step& step, std::size_t& following);
    core::Result<> callKernel(detail::Step& step);
    /// `end` is the time at which the kernel ended; another clock read would double the cost of an event.
    core::Result<> callKernelTraced(detail::Step& step, std::uint64_t start, std::uint64_t& end);
    core::Result<> callDelegate(detail::Step& step);
    /// Computes a step together with the following ones. Returns false if nothing was computed.
    core::Result<bool> callFused(std::size_t at);

    /// Without arenas. `previous` may be null.
    core::Result<std::unique_ptr<const detail::SavedMethod>> saveState(
        const detail::SavedMethod* previous) const;
    core::Result<> restoreState(const detail::SavedMethod& saved);

    /// Returns `error` with its location added.
    core::Error located(core::Error error, const detail::Step& step) const;

    const program::Method& method;
    detail::ModuleState& module;
    detail::MethodValues values;
    detail::Steps steps;
    std::vector<InputSlot> inputs;
    /// Non-input tensors as loaded, for methods whose callers bind memory.
    std::vector<LoadedTensor> loadedTensors;
    kernels::ScratchMemory scratch;
    std::mt19937_64 random;
    kernels::KernelContext context;
    detail::MethodEvents events{method, values, steps, scratch};
    bool isPrepared = false;  ///< weights are packed and delegates prepared
    std::uint64_t executed = 0;
    std::size_t next = 0;  ///< index of the next step
    bool isRunning = false;
    std::unique_ptr<MethodGuard> guard;       ///< null: the calls are not checked
    std::unique_ptr<RemoteMethod> elsewhere;  ///< null if the method runs in this process
    std::uint64_t remoteNanoseconds = 0;
};

}  // namespace et::executor
