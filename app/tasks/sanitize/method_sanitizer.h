#pragma once

#include "app/tasks/sanitize/access_report.h"
#include "app/tasks/sanitize/call_arguments.h"
#include "app/tasks/sanitize/checked_call.h"
#include "app/tasks/sanitize/guarded_scratch.h"
#include "app/tasks/sanitize/plan_watch.h"
#include "app/tasks/sanitize/result_report.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "app/tasks/sanitize/value_storages.h"
#include "runtime/executor/memory_guard.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace et::tasks {

/// Checks the calls of one method. In the first execution a call can access only its arguments; in later
/// ones, if the sanitizer allows light executions, all values. In light executions each call runs once, and
/// only accesses outside of values and writes to inputs and constants are found.
class MethodSanitizer final : public executor::MethodGuard {
  public:
    /// Moves the values into guarded memory. Errors: Limit.
    [[nodiscard]] static core::Result<std::unique_ptr<executor::MethodGuard>> make(
        Sanitizer& sanitizer, SharedStorages& shared, const program::Method& method,
        std::span<core::Value> values);

    MethodSanitizer(Sanitizer& to, const program::Method& of, std::span<core::Value> all, ValueStorages made,
                    std::vector<std::vector<CheckedInstruction>> checked);

    [[nodiscard]] kernels::ScratchSource* scratch() override { return &temporary; }
    void begin() override;
    [[nodiscard]] core::Result<> call(const executor::GuardedCall& call,
                                      const std::function<core::Result<>()>& run) override;
    void end(bool succeeded) override;

  private:
    [[nodiscard]] core::Result<> runBoth(CheckedCall& checked);
    /// Runs in one world, and reports what that shows.
    [[nodiscard]] core::Result<> runOnce(CheckedCall& checked, std::size_t world);
    /// Runs in the first world, and reports accesses outside of values.
    [[nodiscard]] core::Result<> runLightly(const executor::GuardedCall& call,
                                            const CheckedInstruction& about,
                                            const std::function<core::Result<>()>& run);
    /// Makes the inputs equal in all worlds.
    void copyInputs();
    void releaseUnused(std::span<const std::size_t> reused);

    const program::Method& method;
    std::span<core::Value> values;
    ValueStorages storages;
    std::vector<std::vector<CheckedInstruction>> instructions;
    GuardedScratch temporary;
    PlanWatch plan;
    CheckContext context;
    AccessReport accesses;
    ResultReport results;
    std::uint64_t executions = 0;
    bool isLight = false;               ///< this execution runs calls only once
    std::uint64_t lightExecutions = 0;  ///< of all methods when states were last equal in both worlds
};

}  // namespace et::tasks
