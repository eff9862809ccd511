#pragma once

#include "inspector/session/session.h"

#include <QObject>

#include <memory>

namespace et::visualizers {

using SessionPointer = std::shared_ptr<const inspector::Session>;

/// What is open. Selection and Results live beside it and follow it; views listen to changed(). GUI thread
/// only.
class OpenSession : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    /// Null when nothing is open.
    [[nodiscard]] const SessionPointer& session() const { return opened; }
    /// The join of the session; null without a trace.
    [[nodiscard]] const inspector::EventBlocks* blocks() const;

    /// Replaces what is open.
    void open(SessionPointer session);

  signals:
    /// What depends on the session looks for itself in the new one, and says nothing yet.
    void replaced(const et::visualizers::SessionPointer& before);
    /// Views show the new session.
    void changed();
    /// All views have it: what depends on the session says how it changed.
    void settled();

  private:
    SessionPointer opened;
};

}  // namespace et::visualizers
