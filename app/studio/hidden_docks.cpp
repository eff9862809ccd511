#include "app/studio/hidden_docks.h"

#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>
#include <vector>

namespace et::studio {

namespace {

/// Height of the area in pixels below which a centre and a pane below it would both be too low.
constexpr int lowArea = 760;

}  // namespace

void HiddenDocks::update(const Perspective& plan) {
    const LayoutPause pause(area);
    const auto has = [this](const PanePlan& pane, std::string_view shown) {
        return docks.hasContent(pane.oneAtATime ? shown : pane.panels.front());
    };
    std::vector<PanePlan> panes = plan.centre;
    panes.push_back(plan.left);
    for (const PanePlan& pane : panes) {
        for (const std::string_view id : pane.panels) {
            QDockWidget* const dock = docks.dockOf(id);
            if (pane.mayBeHidden && !has(pane, id) && !dock->isHidden() && !dock->isFloating()) {
                dock->hide();
                hidden.insert(dock);
                sizes.request();
            } else if ((!pane.mayBeHidden || has(pane, id)) && hidden.erase(dock) > 0) {
                dock->show();
                sizes.request();
            }
        }
    }
    fitDrawer(plan);
}

bool HiddenDocks::isInDrawer(const Perspective& plan, const QDockWidget& dock) const {
    return !dock.isFloating() && std::ranges::any_of(plan.bottom.panels, [&](std::string_view id) {
        return docks.dockOf(id) == &dock;
    });
}

bool HiddenDocks::isDrawerHidden(const Perspective& plan) const {
    const bool isLow = plan.bottom.awayWhenLow && area.height() < lowArea;
    const bool isEmpty = plan.bottom.mayBeHidden && !docks.hasContent(plan.bottom.panels.front());
    return (isLow || isEmpty) && !drawerWanted && (area.isVisible() || rearranged);
}

bool HiddenDocks::fitDrawer(const Perspective& plan) {
    const bool away = isDrawerHidden(plan);
    bool changed = false;
    for (const std::string_view id : plan.bottom.panels) {
        QDockWidget* const dock = docks.dockOf(id);
        if (away && isInDrawer(plan, *dock) && !dock->isHidden()) {
            dock->hide();
            changed = hidden.insert(dock).second || changed;
            sizes.request();
        } else if (!away && hidden.erase(dock) > 0) {
            dock->show();
            changed = true;
            sizes.request();
        }
    }
    return changed;
}

}  // namespace et::studio
