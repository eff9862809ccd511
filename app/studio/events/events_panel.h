#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "inspector/events/event_limits.h"

#include <memory>

namespace et::visualizers {
class EventView;
}

namespace et::studio {

/// Panel with the table of a trace's events.
class EventsPanel : public Panel {
    Q_OBJECT

  public:
    EventsPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

  private:
    using Limits = std::shared_ptr<const inspector::events::EventLimits>;

    void findLimits();

    const visualizers::OpenSession& opened;
    visualizers::EventView* view;
    Background<Limits> limits;
};

}  // namespace et::studio
