#pragma once

#include "app/studio/debug/debug_process.h"
#include "app/studio/debug/debug_triggers.h"
#include "visualizers/debug/debug_answers.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace et::visualizers {
class Selection;
}

namespace et::studio {

/// A program that is being debugged in a separate process: its position, executions and breakpoints.
/// Publishes position and breakpoints to all views, and selects the current instruction.
class DebugSession : public QObject {
    Q_OBJECT

  public:
    /// Values of the current instruction, or all values of the method.
    enum class Scope : std::uint8_t { Instruction, All };

    /// Both must outlive this object.
    DebugSession(visualizers::DebugState& state, visualizers::Selection& selection, QObject* parent);

    /// Starts the process and stops before the first instruction. Must not be called while running.
    void start(const QString& program, const QStringList& arguments);
    /// Loads the method again, and stops before its first instruction.
    void restart();
    void stop();
    void interrupt() { process.interrupt(); }
    /// Sends a command that moves the position, such as "next".
    void execute(const QString& command);
    void goTo(std::int64_t execution, std::int64_t step);
    /// Sends any command; `take` receives its answer after this object has processed it.
    void command(const QString& text, DebugProcess::Answer take);
    /// Sends a command that changes nothing.
    void query(const QString& text, DebugProcess::Answer take);

    void setScope(Scope wanted);
    /// Discards everything known of the program.
    void clear();

    [[nodiscard]] bool running() const { return process.running(); }
    /// True while a command moves the position.
    [[nodiscard]] bool executing() const { return moving > 0; }
    /// True while any answer is outstanding.
    [[nodiscard]] bool busy() const { return process.busy(); }
    [[nodiscard]] const std::optional<visualizers::DebugStop>& position() const { return current; }
    /// Number of steps of each execution; a lower bound for the last one before its end.
    [[nodiscard]] std::vector<std::int64_t> steps() const;
    [[nodiscard]] const std::vector<visualizers::DebugHit>& hits() const { return held; }
    [[nodiscard]] const std::vector<visualizers::DebugValue>& values() const { return listed; }
    [[nodiscard]] DebugTriggers& triggers() { return *points; }

  signals:
    void stateChanged();     ///< running(), executing() or busy()
    void positionChanged();  ///< a new position, or the same one again
    void executionsChanged();
    void valuesChanged();
    /// Values may have changed, and are queried now.
    void refreshed();
    /// One line about a rejected command.
    void failed(const QString& problem);

  private:
    void take(const QJsonObject& answer);
    void showStop(const visualizers::DebugStop& stop);
    void refresh();
    void refreshValues();
    void askOperands(const QJsonObject& info);
    void finish(const RunEnd& end);

    visualizers::DebugState& shared;
    visualizers::Selection& chosen;
    DebugProcess process;
    DebugTriggers* points;
    int moving = 0;         ///< commands that move the position, without an answer yet
    std::size_t moves = 0;  ///< number of positions so far; answers for earlier ones are dropped
    Scope scope = Scope::Instruction;
    std::optional<visualizers::DebugStop> current;
    std::vector<visualizers::DebugSteps> recorded;  ///< by execution
    std::vector<visualizers::DebugHit> held;
    std::vector<visualizers::DebugValue> listed;
};

}  // namespace et::studio
