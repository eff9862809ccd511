#pragma once

#include "visualizers/debug/debug_answers.h"

#include <QJsonObject>
#include <QObject>
#include <QString>

#include <cstddef>
#include <functional>
#include <vector>

namespace et::studio {

/// Breakpoints and watchpoints of a debugger. They are kept while no process runs, and sent to each new
/// process. Between starts of et-studio, keptTriggers() keeps them.
class DebugTriggers : public QObject {
    Q_OBJECT

  public:
    using Trigger = visualizers::DebugTrigger;
    /// Sends a command to the process.
    using Send = std::function<void(const QString& command, std::function<void(const QJsonObject&)> take)>;

    /// `state` must outlive this object.
    DebugTriggers(visualizers::DebugState& state, QObject* parent);

    [[nodiscard]] const std::vector<Trigger>& all() const { return triggers; }

    /// Sends all triggers to a new process.
    void attach(Send to);
    void detach();
    /// Requests the triggers from the process, with their hits.
    void refresh();
    /// Replaces all, because another program was opened. Detaches from the process.
    void replace(std::vector<Trigger> all);

    /// Adds a breakpoint or watchpoint; `condition` may be empty.
    void add(Trigger::Kind kind, const QString& text, const QString& condition = {}, int ignore = 0);
    void remove(std::size_t place);
    void setEnabled(std::size_t place, bool enabled);
    void setCondition(std::size_t place, const QString& condition, int ignore);
    /// Adds a breakpoint here, or deletes the one that is here.
    void toggle(const visualizers::BreakLocation& location);

  signals:
    void changed();
    /// One line about a rejected location or expression.
    void failed(const QString& problem);

  private:
    void submit(Trigger trigger);
    void send(const Trigger& trigger);
    void take(const QJsonObject& answer);
    void merge(std::vector<Trigger> now);
    void publish();
    [[nodiscard]] bool attached() const { return static_cast<bool>(channel); }

    visualizers::DebugState& shared;
    Send channel;
    std::size_t replaced = 0;         ///< number of replace() calls; answers from before are dropped
    std::vector<Trigger> triggers;    ///< those of the process have numbers
    std::vector<Trigger> unanswered;  ///< sent, in order
};

}  // namespace et::studio
