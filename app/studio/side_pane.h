#pragma once

#include "app/studio/hidden_docks.h"
#include "app/studio/panel_docks.h"

#include <string_view>

namespace et::studio {

class PanelArea;

/// The left pane of the area, which shows one of sidePanels() at a time.
class SidePane {
  public:
    /// All parameters must outlive this object.
    SidePane(PanelArea& of, const PanelDocks& placed, HiddenDocks& hiddenDocks)
        : area(of), docks(placed), hidden(hiddenDocks) {}

    /// The panel of sidePanels() that is shown in the left pane; empty: none.
    [[nodiscard]] std::string_view shown() const;
    /// Shows one of them in the left pane, or folds the pane if it is already shown.
    void toggle(std::string_view id);
    /// Folds the left pane, or shows its last panel again.
    void fold();
    /// Hides the other panels of the left pane if `dock` is one of them; those that the user has moved
    /// elsewhere are not affected.
    void hideOthers(QDockWidget& dock);

  private:
    PanelArea& area;
    const PanelDocks& docks;
    HiddenDocks& hidden;
    std::string_view last;  ///< of sidePanels(); shown again on unfolding
};

}  // namespace et::studio
