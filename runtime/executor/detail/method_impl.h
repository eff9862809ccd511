#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/executor/detail/module_state.h"
#include "runtime/executor/detail/steps.h"
#include "runtime/executor/detail/values.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/kernel_context.h"

#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace et::executor {

/// An input as the program has it before anybody sets it.
struct InputSlot {
    core::Value* value = nullptr;
    core::Tensor planned;  ///< of a tensor: with the largest sizes, over the input's memory
    bool isTensor = false;
    bool isPlanned = false;  ///< the program has memory for it
    bool isBound = false;    ///< the caller brought the memory
    bool isSet = false;      ///< for the next execution
};

struct Method::Impl {
    Impl(const program::Method& from, detail::ModuleState& moduleState)
        : method(from),
          module(moduleState),
          scratch(moduleState.environment.limits.temporaryBytes),
          random(moduleState.environment.seed),
          context(moduleState.environment.threads, scratch, random) {}

    core::Result<> load();
    core::Result<> packWeights();
    void nameEvents();
    void findInputs();

    core::Result<> setInput(std::size_t index, const InputValue& value);
    core::Result<> checkInputs() const;
    /// They have to be set anew for the next execution.
    void forgetInputs();
    void forgetAliases();

    core::Result<> execute();
    core::Result<> executeElsewhere();
    core::Result<> prepare();
    core::Result<> runSteps();
    core::Result<> runStep(detail::Step& step, std::size_t& next);
    core::Result<> call(detail::Step& step, std::size_t& next);
    core::Result<> callTraced(detail::Step& step, std::size_t& next);
    core::Result<> callKernel(detail::Step& step);
    /// `end` is when the kernel ended: reading the clock once more would cost as much as all else of an
    /// event.
    core::Result<> callKernelTraced(detail::Step& step, std::uint64_t start, std::uint64_t& end);
    core::Result<> callDelegate(detail::Step& step);
    /// Computes a step together with those behind it. False: nothing was computed.
    core::Result<bool> callFused(std::size_t at);
    void logFused(std::size_t at, const kernels::FusedWork& work, std::uint64_t start, std::uint64_t end);
    void logKernel(detail::Step& step);
    void logValues(core::TraceName name, const core::TraceIds& ids, std::span<core::Value* const> list);
    void logOutputs();
    /// Tells the tracer what memory was taken since it was last told.
    void logMemory();
    [[nodiscard]] std::uint64_t growingBytes() const;

    /// `error` with where it happened.
    core::Error located(core::Error error, const detail::Step& step) const;

    const program::Method& method;
    detail::ModuleState& module;
    detail::MethodValues values;
    detail::Steps steps;
    std::vector<InputSlot> inputs;
    /// The tensors that are no inputs as they were when loaded, where callers bring memory.
    std::vector<std::pair<core::Value*, core::Tensor>> loadedTensors;
    kernels::ScratchMemory scratch;
    std::mt19937_64 random;
    kernels::KernelContext context;
    core::EventTracer* tracer = nullptr;
    core::DebugLevel debugLevel = core::DebugLevel::None;
    bool fuses = true;        ///< the tracer takes FusedEvents
    bool isPrepared = false;  ///< weights are packed, delegates are prepared
    std::uint64_t executed = 0;
    std::unique_ptr<MethodElsewhere> elsewhere;  ///< null: it runs here
    std::uint64_t nanosecondsElsewhere = 0;
    std::vector<std::uint64_t> toldMemory;  ///< of each allocator, in the order of logMemory(), in bytes
    const core::EventTracer* toldTo = nullptr;

    struct Names {
        core::TraceName operatorCall, delegateCall, move, jump, free, execute, init;
    } names;
};

}  // namespace et::executor
