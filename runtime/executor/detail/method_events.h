#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/core/value.h"
#include "runtime/executor/detail/steps.h"
#include "runtime/executor/detail/values.h"
#include "runtime/kernels/fusion.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <span>
#include <vector>

namespace et::executor::detail {

/// Reports the loading and the executions of a method to a tracer.
class MethodEvents {
  public:
    MethodEvents(const program::Method& from, MethodValues& ofValues, Steps& ofSteps,
                 const kernels::ScratchMemory& memory)
        : method(from), values(ofValues), steps(ofSteps), scratch(memory) {}

    /// Null: no tracer. Interns the names of all events.
    void setTracer(core::EventTracer* to);
    [[nodiscard]] core::EventTracer* tracer() const { return receiver; }
    [[nodiscard]] bool allowFusion() const { return fuses; }
    [[nodiscard]] bool wantsResults() const { return debugLevel == core::DebugLevel::Intermediates; }

    // The rest needs a tracer.
    void logLoad(std::uint64_t start, std::uint64_t initStart);
    void beginExecution();
    /// The block of a failed execution stays incomplete.
    void endExecution(bool succeeded);

    /// The values that the kernel wrote.
    void logResults(Step& step);
    void logArguments(Step& step);
    void logKernel(const Step& step, std::uint64_t start, std::uint64_t end);
    void logStep(const Step& step, std::uint64_t start, std::uint64_t end);
    void logFused(std::size_t at, const kernels::FusedWork& work, std::uint64_t start, std::uint64_t end);

  private:
    void logValues(core::TraceName name, const core::TraceIds& ids, std::span<core::Value* const> list);
    /// Reports memory allocated since the last call.
    void logMemory();
    [[nodiscard]] core::TraceName nameOf(Step::Kind kind) const;

    const program::Method& method;
    MethodValues& values;
    Steps& steps;
    const kernels::ScratchMemory& scratch;
    core::EventTracer* receiver = nullptr;
    core::DebugLevel debugLevel = core::DebugLevel::None;
    bool fuses = true;                          ///< the tracer accepts FusedEvents
    std::uint64_t startTime = 0;                ///< of the execution
    std::vector<std::uint64_t> reportedMemory;  ///< memory last reported to the tracer, per allocator in the
                                                ///< order of logMemory(), in bytes
    const core::EventTracer* reportedTracer = nullptr;

    struct Names {
        core::TraceName operatorCall, delegateCall, move, jump, free, execute, init;
    } names;
};

}  // namespace et::executor::detail
