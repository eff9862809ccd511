#include "app/studio/side_pane.h"

#include "app/studio/panel_area.h"

#include <QDockWidget>

#include <algorithm>

namespace et::studio {

std::string_view SidePane::shown() const {
    const auto found = std::ranges::find_if(sidePanels(), [this](std::string_view id) {
        const QDockWidget* const dock = docks.dockOf(id);
        return !dock->isHidden() && !dock->isFloating();
    });
    return found == sidePanels().end() ? std::string_view() : *found;
}

void SidePane::toggle(std::string_view id) {
    if (shown() == id) {
        fold();
    } else {
        area.enter(id);
    }
}

void SidePane::fold() {
    area.setMaximized(false);
    if (const std::string_view now = shown(); !now.empty()) {
        last = now;
        docks.dockOf(now)->hide();
        return;
    }
    const auto isUseful = [this](std::string_view id) { return docks.hasContent(id); };
    const auto useful = std::ranges::find_if(sidePanels(), isUseful);
    if (!last.empty() && isUseful(last)) {
        area.enter(last);
    } else if (useful != sidePanels().end()) {
        area.enter(*useful);
    }
}

void SidePane::hideOthers(QDockWidget& dock) {
    const auto isAtSide = [this](const QDockWidget& which) {
        return std::ranges::any_of(sidePanels(),
                                   [&](std::string_view id) { return docks.dockOf(id) == &which; });
    };
    if (dock.isFloating() || !isAtSide(dock)) {
        return;
    }
    for (QDockWidget* const other : area.tabifiedDockWidgets(&dock)) {
        if (isAtSide(*other)) {
            hidden.forget(*other);
            other->hide();
        }
    }
}

}  // namespace et::studio
