#pragma once

#include "app/tasks/debug/arena_range.h"
#include "app/tasks/debug/timeline_point.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"
#include "etrecord/record.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/core/tap.h"
#include "runtime/core/value.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

struct TimelineOptions {
    /// Maximum for all snapshots together. Beyond it, older ones are removed, so that going back takes
    /// longer.
    std::uint64_t budgetBytes = std::uint64_t{1} << 30;
    /// Longest processor time in seconds to run again when going back inside an execution. Shorter executions
    /// need only the snapshot at their start.
    double replaySeconds = 0.4;
    /// Source of debug handles; may be null.
    std::shared_ptr<const etrecord::Record> record = nullptr;
};

/// An execution of the current branch.
struct ExecutionInfo {
    std::string method;
    std::vector<std::string> inputSources;  ///< as InputSet::sources
    std::optional<std::uint64_t> steps{};   ///< number of instructions, once the execution has ended
    std::optional<core::Error> failure{};   ///< of the instruction at which it ended
    std::size_t edits = 0;
};

/// The next instruction, or the next node of a delegate call.
struct TimelinePlace {
    TimelinePoint point;
    const program::Method* method = nullptr;  ///< null: nothing has been executed
    bool isEnd = false;                       ///< no instruction follows in this execution; others are empty
    std::int32_t chain = 0;
    std::int32_t instruction = 0;         ///< index in the chain
    std::string op;                       ///< "aten::add.out", a backend, "MoveCall"; in a delegate: "Conv2d"
    std::optional<std::size_t> delegate;  ///< index in the method, for delegate calls
    std::vector<core::DebugHandle> handles;  ///< from the record or the delegate's node; empty: unknown
};

/// A node of a delegate call and the value that it computes.
struct InnerDebugValue {
    core::TapSite site;
    std::size_t node = 0;               ///< as TimelinePoint::node when it runs next
    core::Value value;                  ///< in the delegate's layout
    std::shared_ptr<const void> owner;  ///< of the value and the site
};

/// Nodes of a delegate call in execution order, and the effects of reading their values. Nodes whose values
/// cannot be read are left out.
struct DelegateView {
    std::vector<InnerDebugValue> values;
    std::size_t nodes = 0;
    core::TapReport report;  ///< operators fused differently, and outputs that differ from a run without taps
};

/// A value of the method at the current point.
struct DebugValue {
    program::ValueId id;
    std::string name;              ///< "input 0", "output 0", the fully qualified name of a constant, "v12"
    core::Value* value = nullptr;  ///< borrowed until the next movement or edit
    std::optional<ArenaRange> memory{};
    bool isConstant = false;
    bool isState = false;  ///< planned with an initial value: kept between executions
};

/// The current planned memory of a tensor; nothing for a constant, unplanned memory and other kinds of
/// values.
[[nodiscard]] std::optional<ArenaRange> arenaRange(const executor::Method& method, const core::Value& value);

/// A branch: shares the parent's past up to an edit.
struct BranchInfo {
    std::size_t parent = 0;  ///< itself for branch 0
    TimelinePoint from;      ///< the edit
    std::string edit;        ///< "set %12", "skip aten::add.out", "force aten::add.out"; empty for branch 0
};

struct TimelineUsage {
    std::uint64_t snapshotBytes = 0;  ///< equal pages count once
    std::size_t snapshots = 0;
    std::size_t removedSnapshots = 0;  ///< to keep the budget
};

/// A recording of executions of a model, and a position in it. Going back restores the nearest earlier
/// snapshot and runs again from there, which computes the same bits. Values that cannot be computed again
/// (kernels of plugins) are recorded. Not thread-safe.
///
/// Errors of all movements: those of Method::step(), with the point at the failed instruction; Cancelled,
/// with the point where it was interrupted.
class Timeline {
  public:
    /// `model` is open, has no tracer and has not run. Errors: Unsupported (it runs on a device).
    [[nodiscard]] static core::Result<std::unique_ptr<Timeline>> make(std::unique_ptr<Model> model,
                                                                      const TimelineOptions& options);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    [[nodiscard]] const Model& model() const;

    /// Appends an execution to the current branch and goes to its first instruction. Runs the executions
    /// before it to their end if necessary. Mutable buffers have their values from there. Errors: NotFound
    /// (no such method), Limit (too many executions), those of Module::load(), of the inputs and of the
    /// movements.
    [[nodiscard]] core::Result<> begin(std::string_view method, InputSet inputs);
    /// Forgets all executions and branches: the state after loading.
    [[nodiscard]] core::Result<> reset();
    [[nodiscard]] std::size_t executionCount() const;
    [[nodiscard]] ExecutionInfo execution(std::size_t index) const;

    [[nodiscard]] TimelinePoint point() const;
    [[nodiscard]] TimelinePlace place() const;
    /// Runs the next instruction, or inside a delegate the next node. False: it is at the end of the
    /// execution.
    [[nodiscard]] core::Result<bool> step();
    /// False: it is at the start of the recording. From the start of an execution it goes to the end of the
    /// previous one; to a delegate call as a whole.
    [[nodiscard]] core::Result<bool> stepBack();
    /// Goes before the first node of the delegate call that comes next. False, without moving, if the next
    /// instruction is not a delegate call or its backend has no taps.
    [[nodiscard]] core::Result<bool> stepInto();
    /// Any point of the branch, including ones that have not run yet. A step past the end goes to the end.
    /// Errors: InvalidArgument (no such execution or node).
    [[nodiscard]] core::Result<> jump(TimelinePoint to);

    /// All values of the method, including constants and values that no instruction has written.
    [[nodiscard]] std::vector<DebugValue> values();
    /// By name, by "v12" or "12". Errors: NotFound.
    [[nodiscard]] core::Result<DebugValue> value(std::string_view name);
    [[nodiscard]] core::Result<DebugValue> value(program::ValueId id);
    /// The nodes of the delegate call at the point, inside or before it; null for other instructions.
    [[nodiscard]] core::Result<const DelegateView*> delegate();
    /// Content of an arena of the method; empty: there is no such arena.
    [[nodiscard]] core::Bytes arena(std::size_t id) const;

    /// Each of these makes a branch at the point, which becomes the current one, and drops nothing of the
    /// others. Errors: InvalidArgument (inside a delegate; at the end; dtype or shape does not fit).
    [[nodiscard]] core::Result<> setValue(program::ValueId value, const executor::InputValue& content);
    /// Goes past the next instruction without running it.
    [[nodiscard]] core::Result<> skip();
    /// Goes past the next instruction with these results instead of its own. As many as it writes.
    [[nodiscard]] core::Result<> force(std::span<const executor::InputValue> results);
    [[nodiscard]] std::size_t branch() const;
    [[nodiscard]] std::vector<BranchInfo> branches() const;
    /// Goes to the same point of another branch, or to its end.
    [[nodiscard]] core::Result<> switchTo(std::size_t branch);

    /// Runs the current execution again, from its start to its end or failure, with a tracer; then returns to
    /// the point. Errors: those of movements, except the failure.
    [[nodiscard]] core::Result<> trace(core::EventTracer& tracer);
    [[nodiscard]] TimelineUsage usage() const;

    struct Impl;  ///< for this folder

  private:
    friend class RecordingFile;
    friend class TimelineReference;
    friend class ValueHistory;
    explicit Timeline(std::unique_ptr<Impl> made);
    std::unique_ptr<Impl> impl;
};

}  // namespace et::tasks
