#pragma once

#include "inspector/session/session.h"

#include <QObject>

#include <memory>

namespace et::visualizers {

using SessionPointer = std::shared_ptr<const inspector::Session>;

/// The open session. Selection and Results follow it; views listen to changed(). GUI thread only.
class OpenSession : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    /// Null if nothing is open.
    [[nodiscard]] const SessionPointer& session() const { return opened; }
    /// The join of the session; null without a trace.
    [[nodiscard]] const inspector::EventBlocks* blocks() const;

    /// Replaces the open session.
    void open(SessionPointer session);

  signals:
    /// Dependents update themselves to the new session without emitting signals.
    void replaced(const et::visualizers::SessionPointer& before);
    /// Views show the new session.
    void changed();
    /// All views show the new session; dependents now report their changes.
    void settled();

  private:
    SessionPointer opened;
};

}  // namespace et::visualizers
