#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "visualizers/delegates/delegates_view.h"

#include <memory>

namespace et::studio {

/// Panel of the open program's delegates and their contents.
class DelegatesPanel : public Panel {
    Q_OBJECT

  public:
    DelegatesPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;

    [[nodiscard]] visualizers::DelegatesView& view() { return *delegates; }
    [[nodiscard]] bool busy() const { return joining.running(); }

  private:
    void showSession();

    const visualizers::OpenSession& opened;
    Background<std::shared_ptr<const visualizers::Delegation>> joining;
    visualizers::DelegatesView* delegates;
};

}  // namespace et::studio
