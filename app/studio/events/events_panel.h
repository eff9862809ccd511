#pragma once

#include "app/studio/panel.h"

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
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

  private:
    const visualizers::OpenSession& opened;
    visualizers::EventView* view;
};

}  // namespace et::studio
