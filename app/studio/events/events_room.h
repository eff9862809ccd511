#pragma once

#include "app/studio/room.h"

namespace et::visualizers {
class EventView;
}

namespace et::studio {

/// Panel with the table of a trace's events.
class EventsRoom : public Room {
    Q_OBJECT

  public:
    EventsRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

  private:
    const visualizers::OpenSession& opened;
    visualizers::EventView* view;
};

}  // namespace et::studio
