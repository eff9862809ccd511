#pragma once

#include "app/tasks/debug/debug_stepper.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace et::tasks {

/// Moves along a timeline and stops where a breakpoint or watchpoint holds.
class Debugger {
  public:
    /// `record` may be null. `progress` is written before each instruction and may be null. Stops at the
    /// start of a timeline that has executions.
    [[nodiscard]] static core::Result<std::unique_ptr<Debugger>> make(
        std::unique_ptr<Timeline> timeline, std::shared_ptr<const etrecord::Record> record,
        DebugProgress* progress);

    [[nodiscard]] StopList& stops() { return stepper.stops; }

    /// Begins an execution. Errors: those of Timeline::begin().
    [[nodiscard]] core::Result<Stop> begin(std::string_view method, InputSet inputs);
    /// Runs to the next stop. `includesHere`: a breakpoint at the point stops at once. Errors of this and
    /// other movements: those of the timeline, except those of a failed instruction, which is a stop.
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

    /// The last stop; nothing before the first execution.
    [[nodiscard]] const std::optional<Stop>& where() const { return last; }
    /// Stops at the point after an edit.
    [[nodiscard]] core::Result<Stop> arrive(StopReason reason, std::string message = {});

    [[nodiscard]] Timeline& timeline() { return stepper.timeline(); }
    [[nodiscard]] const ProgramIndex& index() const { return stepper.index(); }
    [[nodiscard]] DebugValues& values() { return stepper.values(); }
    [[nodiscard]] ValueHistory& history() { return stepper.history(); }
    [[nodiscard]] TimelineReference* reference() { return stepper.reference(); }

  private:
    Debugger(std::unique_ptr<Timeline> made, std::shared_ptr<const etrecord::Record> record,
             DebugProgress* reported);
    [[nodiscard]] core::Result<Stop> runWhile(const std::function<bool()>& goesOn);
    [[nodiscard]] core::Result<std::optional<Stop>> lastStopBetween(TimelinePoint from, TimelinePoint limit);
    [[nodiscard]] core::Result<std::optional<Stop>> lastStopBefore(std::size_t execution,
                                                                   TimelinePoint limit);
    Stop keep(Stop stop);

    DebugStepper stepper;
    std::optional<Stop> last;
};

}  // namespace et::tasks
