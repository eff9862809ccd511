#pragma once

#include "visualizers/selection.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// An instruction at which the debugger has stopped, before it runs.
struct DebugPoint {
    std::int64_t execution = 0;
    OperatorRef place{};                 ///< the instruction
    std::optional<std::int64_t> node{};  ///< operator inside the delegate that it calls
    std::vector<core::DebugHandle> handles{};
    std::string file{};  ///< of the Python line, as recorded or its last parts; empty: unknown
    std::int64_t line = 0;
    bool operator==(const DebugPoint&) const = default;
};

/// A breakpoint on instructions, a Python line or both.
struct Breakpoint {
    std::vector<OperatorRef> places{};
    std::string file{};  ///< of a Python line, as in DebugPoint; empty: none
    std::int64_t line = 0;
    bool enabled = true;
    bool operator==(const Breakpoint&) const = default;
};

/// Where execution may stop: an instruction, debug handles or a Python line.
struct BreakLocation {
    std::optional<OperatorRef> place{};
    std::vector<core::DebugHandle> handles{};  ///< only without an instruction
    std::string file{};
    std::int64_t line = 0;
};

/// State of the debugger that all views mark: the current instruction and the breakpoints. Views request
/// changes of breakpoints with toggle(); the debugger follows. GUI thread only.
class DebugState : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    /// False if the session has no program; then there are no marks, and toggle() is ignored.
    [[nodiscard]] bool available() const { return canDebug; }
    /// True from the start of a run until its end.
    [[nodiscard]] bool running() const { return isRunning; }
    /// The current instruction; stays after a crash of the run, until another one starts.
    [[nodiscard]] const std::optional<DebugPoint>& point() const { return current; }
    [[nodiscard]] const std::vector<Breakpoint>& breakpoints() const { return stops; }

    void setAvailable(bool available);
    void setRunning(bool running);
    void setPoint(std::optional<DebugPoint> point);
    void setBreakpoints(std::vector<Breakpoint> breakpoints);
    /// Requests the debugger to add a breakpoint here, or to delete it.
    void toggle(const BreakLocation& location);

  signals:
    void availableChanged();
    void runningChanged();
    void pointChanged();
    void breakpointsChanged();
    void toggled(const et::visualizers::BreakLocation& location);

  private:
    bool canDebug = false;
    bool isRunning = false;
    std::optional<DebugPoint> current;
    std::vector<Breakpoint> stops;
};

}  // namespace et::visualizers
