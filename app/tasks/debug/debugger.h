#pragma once

#include "app/tasks/debug/breakpoints.h"
#include "app/tasks/debug/debug_progress.h"
#include "app/tasks/debug/debug_values.h"
#include "app/tasks/debug/program_index.h"
#include "app/tasks/debug/timeline.h"
#include "app/tasks/debug/timeline_reference.h"
#include "app/tasks/debug/value_history.h"
#include "app/tasks/debug/watchpoints.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

enum class StopReason : std::uint8_t { Breakpoint, Watchpoint, Step, Start, End, Interrupted, Error, Crash };
/// "breakpoint", "end".
[[nodiscard]] std::string_view nameOf(StopReason reason);

/// Where and why a movement stopped.
struct Stop {
    StopReason reason = StopReason::Step;
    TimelinePoint point{};
    std::string method{};
    const InstructionSite* site = nullptr;  ///< null: at the end of the execution
    std::optional<std::size_t> node{};      ///< operator inside the delegate call
    std::optional<DelegateOperator> inner{};
    bool isAfter = false;               ///< the instruction has run
    std::optional<std::size_t> rule{};  ///< id of the breakpoint or watchpoint
    std::optional<WatchHit> hit{};
    std::string message{};
};

/// Breakpoints and watchpoints, which share their numbers.
struct StopList {
    std::vector<Breakpoint> breakpoints{};
    std::vector<Watchpoint> watchpoints{};
    std::size_t nextId = 1;

    /// Null: no such number.
    [[nodiscard]] StopRule* rule(std::size_t id);
    /// False: no such number.
    [[nodiscard]] bool remove(std::size_t id);
};

/// Moves along a timeline and stops where a breakpoint or watchpoint holds.
class Debugger {
  public:
    /// `record` may be null. `progress` is written before each instruction; null: nobody reads it. Errors:
    /// those of Timeline::make().
    [[nodiscard]] static core::Result<std::unique_ptr<Debugger>> make(
        std::unique_ptr<Model> model, std::shared_ptr<const etrecord::Record> record,
        const TimelineOptions& options, DebugProgress* progress);

    StopList stops;

    /// Begins an execution. Errors: those of Timeline::begin().
    [[nodiscard]] core::Result<Stop> begin(std::string_view method, InputSet inputs);
    /// Runs to the next stop; from the start of an execution, also to one before its first instruction if
    /// `includesHere`. Errors of this and other movements: those of the timeline that are not of an
    /// instruction, which are stops.
    [[nodiscard]] core::Result<Stop> resume(bool includesHere = false);
    /// Runs one instruction, or enters a delegate call and runs one of its operators.
    [[nodiscard]] core::Result<Stop> step();
    /// Runs one instruction, or inside a delegate one operator.
    [[nodiscard]] core::Result<Stop> next();
    /// Leaves the delegate call, or else runs to the end of the execution.
    [[nodiscard]] core::Result<Stop> finish();
    [[nodiscard]] core::Result<Stop> until(const Location& location);
    [[nodiscard]] core::Result<Stop> jump(TimelinePoint to);
    [[nodiscard]] core::Result<Stop> reverseStep();
    [[nodiscard]] core::Result<Stop> reverseNext();
    [[nodiscard]] core::Result<Stop> reverseFinish();
    [[nodiscard]] core::Result<Stop> reverseResume();

    /// The last stop; nothing: no execution has begun.
    [[nodiscard]] const std::optional<Stop>& where() const { return last; }
    /// Stops at the point after an edit.
    [[nodiscard]] core::Result<Stop> arrive(StopReason reason);

    [[nodiscard]] Timeline& timeline() { return *time; }
    [[nodiscard]] const ProgramIndex& index() const { return names; }
    [[nodiscard]] DebugValues& values() { return shown; }
    [[nodiscard]] ValueHistory& history() { return accesses; }
    [[nodiscard]] TimelineReference* reference() { return expected.get(); }

  private:
    enum class Counting : std::uint8_t { Off, On };

    Debugger(std::unique_ptr<Timeline> made, std::shared_ptr<const etrecord::Record> record,
             DebugProgress* reported);
    [[nodiscard]] core::Result<Stop> stopHere(StopReason reason);
    /// The instruction that comes next; null at the end.
    [[nodiscard]] core::Result<const InstructionSite*> nextSite();
    /// Runs one instruction or operator. Nothing: nothing stops after it.
    [[nodiscard]] core::Result<std::optional<Stop>> advance(Counting counting);
    /// The stop before the next instruction, if there is one.
    [[nodiscard]] core::Result<std::optional<Stop>> checkArrival(Counting counting);
    [[nodiscard]] core::Result<std::optional<Stop>> checkAfter(const WatchContext& at, Counting counting);
    [[nodiscard]] core::Result<bool> isMet(StopRule& rule, Counting counting);
    [[nodiscard]] core::Result<Stop> runWhile(const std::function<bool()>& goesOn);
    [[nodiscard]] core::Result<std::optional<Stop>> lastStopBetween(TimelinePoint from, TimelinePoint limit);
    [[nodiscard]] core::Result<std::optional<Stop>> lastStopBefore(std::size_t execution,
                                                                   TimelinePoint limit);
    Stop keep(Stop stop);
    void moved();

    std::unique_ptr<Timeline> time;
    ProgramIndex names;
    std::unique_ptr<TimelineReference> expected;
    ValueHistory accesses;
    DebugValues shown;
    DebugProgress* progress;
    std::optional<BreakSite> ran;  ///< the instruction or operator that ran last
    std::optional<Stop> last;
};

}  // namespace et::tasks
