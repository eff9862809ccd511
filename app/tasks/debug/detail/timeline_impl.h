#pragma once

#include "app/tasks/debug/detail/method_access.h"
#include "app/tasks/debug/stored_value.h"
#include "app/tasks/debug/timeline.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"
#include "runtime/executor/snapshot.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace et::tasks {

/// A value that an edit or a recorded call assigns.
struct ValueAssignment {
    program::ValueId value;
    StoredValue content;
};

/// A change of an execution by the user.
struct TimelineEdit {
    enum class Kind : std::uint8_t {
        Set,     ///< assigns values before instruction `step`
        Replace  ///< assigns values instead of running instruction `step`; none: skips it
    };
    Kind kind = Kind::Set;
    std::uint64_t step = 0;
    std::vector<ValueAssignment> values{};
};

/// A snapshot, and how many methods were loaded when it was made: it lacks later ones.
struct TimelineSnapshot {
    std::shared_ptr<const executor::Snapshot> state;
    std::size_t loadedMethods = 0;
};

struct RecordedExecution {
    std::string method;
    std::shared_ptr<const std::vector<StoredValue>> inputs;
    std::vector<std::string> sources;
    std::vector<TimelineEdit> edits{};  ///< in the order in which they apply
    /// Results of kernels that cannot be run again, by step.
    std::map<std::uint64_t, std::vector<ValueAssignment>> recorded{};
    std::optional<std::uint64_t> steps{};
    std::optional<core::Error> failure{};
    std::optional<TimelineSnapshot> start{};  ///< before its inputs are set
    std::map<std::uint64_t, TimelineSnapshot> inner{};
    std::string outputs{};          ///< SHA-256 of its outputs, once it has ended
    std::string expectedOutputs{};  ///< the same when the recording was saved
    std::uint64_t nanoseconds = 0;  ///< duration of its last run from start to end

    /// Forgets all that was computed from `step` on.
    void forgetFrom(std::uint64_t step);
};

struct TimelineBranch {
    BranchInfo info;
    std::vector<RecordedExecution> executions;
};

struct Timeline::Impl {
    Impl(std::unique_ptr<Model> opened, TimelineOptions given)
        : options(std::move(given)),
          model(std::move(opened)),
          loaded{std::string(method()->description().name)} {}

    [[nodiscard]] std::vector<RecordedExecution>& executions() { return branches[branch].executions; }
    [[nodiscard]] RecordedExecution& current() { return executions()[at.execution]; }
    [[nodiscard]] executor::Method* method() const { return model->method; }
    /// The next instruction; nothing at the end, or if nothing has been executed.
    [[nodiscard]] std::optional<executor::Position> next() const {
        return isInside ? method()->position() : std::nullopt;
    }

    /// An instruction of the current execution's method.
    [[nodiscard]] const program::Instruction& instructionAt(const executor::Position& position) const;

    // Forwards.
    core::Result<> loadMethod(const std::string& name);
    /// From the state before the execution to its step 0.
    core::Result<> enter(std::size_t execution);
    /// Runs one instruction; not at the end.
    core::Result<> advance();
    core::Result<> runInstruction(const executor::Position& position);
    core::Result<> assignAll(std::span<const ValueAssignment> values);
    core::Result<> applySets();
    /// Runs the current execution to its end, or to the instruction that fails.
    core::Result<> finishExecution();

    // Anywhere.
    core::Result<> goTo(std::size_t execution, std::uint64_t step);
    core::Result<> restoreBefore(std::size_t execution, std::uint64_t step);
    core::Result<> restore(const TimelineSnapshot& snapshot);
    core::Result<TimelineSnapshot> takeSnapshot();
    core::Result<const DelegateView*> viewDelegate();

    /// Copies the current branch up to the point; the copy becomes the current one.
    void fork(std::string edit);
    /// Removes the branch of an edit that failed.
    core::Result<> unfork(const TimelinePoint& point);

    [[nodiscard]] const MethodAccess& access(const program::Method& of);

    TimelineOptions options;
    std::unique_ptr<Model> model;  ///< its method is that of the current execution
    std::set<std::string, std::less<>> loaded;
    TimelineSnapshot initial{};  ///< all methods as loaded
    std::vector<TimelineBranch> branches{1};
    std::size_t branch = 0;
    TimelinePoint at;
    bool isValid = true;                               ///< the module is in the state of `at`
    bool isInside = false;                             ///< false: `at.execution` has not been entered
    std::optional<executor::Position> previous{};      ///< the last instruction that ran
    std::uint64_t snapshotTime = 0;                    ///< when the last snapshot was made or restored
    std::uint64_t snapshotCost = 0;                    ///< time to make one
    std::uint64_t startTime = 0;                       ///< when the execution was entered; 0: it was restored
    std::shared_ptr<const executor::Snapshot> last{};  ///< shares pages with the next one
    TimelineUsage usage{};
    std::unordered_set<const void*> counted{};  ///< blocks of all snapshots
    std::optional<DelegateView> view{};         ///< of the delegate call `viewAt`
    std::uint64_t resets = 0;                   ///< number of times that executions were forgotten
    TimelinePoint viewAt;
    std::size_t viewBranch = 0;
    std::map<const program::Method*, MethodAccess> accesses{};
};

/// Removes snapshots until all of them fit the budget, older ones first; those that remain are spread over
/// the time of the current branch.
void keepBudget(Timeline::Impl& timeline);

}  // namespace et::tasks
