#pragma once

#include "app/studio/background.h"
#include "app/studio/room.h"
#include "visualizers/timeline/timeline.h"

#include <memory>

class QLabel;
class QLineEdit;

namespace et::visualizers {
class TimelineWidget;
}

namespace et::studio {

/// The events of the trace over its clock, with a search above and what a measured stretch holds below.
class TimelineRoom : public Room {
    Q_OBJECT

  public:
    TimelineRoom(const RoomContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;

    [[nodiscard]] visualizers::TimelineWidget& view() { return *widget; }
    [[nodiscard]] bool busy() const { return building.running(); }

  private:
    void showSession();

    visualizers::Selection& chosen;
    Background<std::shared_ptr<const visualizers::Timeline>> building;
    QLineEdit* search;
    visualizers::TimelineWidget* widget;
    QLabel* measurement;
};

}  // namespace et::studio
