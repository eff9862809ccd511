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

/// Whether passing a breakpoint or watchpoint counts as a hit.
enum class Counting : std::uint8_t { Off, On };

/// Breakpoints that stop before the next instruction: all, or only those at operators inside its delegate.
enum class Arrival : std::uint8_t { Any, InsideOnly };

/// Runs single instructions of a timeline, and finds the breakpoints and watchpoints that hold there.
class DebugStepper {
  public:
    /// `record` may be null. `reported` is written before each instruction and may be null.
    DebugStepper(std::unique_ptr<Timeline> made, std::shared_ptr<const etrecord::Record> record,
                 DebugProgress* reported);

    StopList stops;

    /// The next instruction; null at the end. Errors: InvalidArgument (no execution has begun).
    [[nodiscard]] core::Result<const InstructionSite*> nextSite();
    /// A stop at the point, before the next instruction. Errors: likewise.
    [[nodiscard]] core::Result<Stop> stopHere(StopReason reason);
    /// Runs one instruction, or inside a delegate one operator. Returns nothing if nothing stops after it. A
    /// failed instruction is a stop. Errors: all others of the timeline.
    [[nodiscard]] core::Result<std::optional<Stop>> advance(Counting counting);
    /// The stop before the next instruction, if any; enters a delegate call for a breakpoint at its
    /// operators.
    [[nodiscard]] core::Result<std::optional<Stop>> checkArrival(Counting counting,
                                                                 Arrival arrival = Arrival::Any);
    /// As Timeline::stepInto(), for the next instruction.
    [[nodiscard]] core::Result<bool> stepInto(const InstructionSite& site);
    /// Names in breakpoints and watchpoints that no instruction so far had a value for; empty: none.
    [[nodiscard]] std::string unresolvedNames() const;
    /// Call after movements other than advance().
    void moved();

    [[nodiscard]] Timeline& timeline() { return *time; }
    [[nodiscard]] const ProgramIndex& index() const { return names; }
    [[nodiscard]] DebugValues& values() { return shown; }
    [[nodiscard]] ValueHistory& history() { return accesses; }
    [[nodiscard]] TimelineReference* reference() { return expected.get(); }

  private:
    [[nodiscard]] core::Result<std::optional<Stop>> checkAfter(const WatchContext& at, Counting counting);
    [[nodiscard]] core::Result<> enter(const InstructionSite& site, std::size_t inside);
    /// Index in InstructionSite::inside of the operator at the point; nothing outside delegates.
    [[nodiscard]] core::Result<std::optional<std::size_t>> insideIndex(const InstructionSite& site);
    [[nodiscard]] core::Result<std::optional<DelegateOperator>> innerOperator();
    [[nodiscard]] core::Result<bool> isMet(StopRule& rule, Counting counting);

    std::unique_ptr<Timeline> time;
    ProgramIndex names;
    std::unique_ptr<TimelineReference> expected;
    ValueHistory accesses;
    DebugValues shown;
    DebugProgress* progress;
    std::optional<BreakSite> ran;  ///< the instruction or operator that ran last
};

}  // namespace et::tasks
