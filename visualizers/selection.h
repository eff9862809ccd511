#pragma once

#include "inspector/session.h"

#include <QObject>

#include <compare>
#include <cstddef>
#include <memory>
#include <optional>

namespace et::visualizers {

/// Position of an event: indices into EventBlocks::blocks() and Block::events.
struct EventRef {
    std::size_t block = 0;
    std::size_t event = 0;
    auto operator<=>(const EventRef&) const = default;
};

/// What is open and what is chosen in it; every view shares one. Views listen and set, and never call each
/// other. GUI thread only.
class Selection : public QObject {
    Q_OBJECT

  public:
    explicit Selection(QObject* parent = nullptr);

    /// Null when nothing is open.
    [[nodiscard]] const std::shared_ptr<const inspector::Session>& session() const { return opened; }
    /// The join of the open session; null without a trace.
    [[nodiscard]] const inspector::EventBlocks* blocks() const;

    /// The chosen event; always one of the open session.
    [[nodiscard]] std::optional<EventRef> current() const { return chosen; }
    /// The parts of the chosen event; null when none is chosen.
    [[nodiscard]] const inspector::Block* currentBlock() const;
    [[nodiscard]] const inspector::Event* currentEvent() const;

    /// Replaces what is open. The chosen event stays chosen where the new session has an event of the same
    /// name at the same place (reload, another time scale).
    void setSession(std::shared_ptr<const inspector::Session> session);

    /// A position outside the session clears the choice.
    void setCurrent(std::optional<EventRef> event);

  signals:
    void sessionChanged();
    void currentChanged();

  private:
    [[nodiscard]] bool contains(const std::optional<EventRef>& event) const;

    std::shared_ptr<const inspector::Session> opened;
    std::optional<EventRef> chosen;
};

}  // namespace et::visualizers
