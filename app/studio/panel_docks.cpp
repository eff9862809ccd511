#include "app/studio/panel_docks.h"

#include <QDockWidget>
#include <QMainWindow>

#include <algorithm>

namespace et::studio {

const PanelDock* PanelDocks::find(std::string_view id) const {
    const auto found =
        std::ranges::find_if(entries, [id](const PanelDock& entry) { return entry.info->id == id; });
    return found == entries.end() ? nullptr : &*found;
}

QDockWidget* PanelDocks::dockOf(std::string_view id) const {
    const PanelDock* const found = find(id);
    return found == nullptr ? nullptr : found->dock;
}

const PanelDock& PanelDocks::of(const Panel& panel) const {
    return *std::ranges::find(entries, &panel, &PanelDock::panel);
}

DockById PanelDocks::finder() const {
    return [this](std::string_view id) { return dockOf(id); };
}

Panel& PanelDocks::mainPanel(const Perspective& plan) const {
    const PanePlan* stays = nullptr;
    for (const PanePlan& pane : plan.centre) {
        for (const std::string_view id : pane.panels) {
            if (hasContent(id)) {
                return *find(id)->panel;
            }
        }
        stays = stays == nullptr && !pane.mayBeHidden ? &pane : stays;
    }
    const PanePlan& pane = stays == nullptr ? plan.centre.front() : *stays;
    return *find(pane.panels.front())->panel;
}

bool PanelDocks::hasContent() const {
    return std::ranges::any_of(entries, [](const PanelDock& entry) { return entry.panel->hasContent(); });
}

bool PanelDocks::hasContent(std::string_view id) const {
    const PanelDock* const found = find(id);
    return found != nullptr && found->panel->hasContent();
}

void PanelDocks::updateTitleBars(const QMainWindow& area) const {
    const LayoutPause pause(area);
    for (const PanelDock& entry : entries) {
        const bool hidden = !entry.dock->isFloating() &&
                            std::ranges::any_of(area.tabifiedDockWidgets(entry.dock),
                                                [](const QDockWidget* other) { return !other->isHidden(); });
        QWidget* const bar = entry.dock->titleBarWidget();
        if (hidden && bar == nullptr) {
            entry.dock->setTitleBarWidget(new QWidget(entry.dock));
        } else if (!hidden && bar != nullptr) {
            entry.dock->setTitleBarWidget(nullptr);
            bar->deleteLater();
        }
    }
}

}  // namespace et::studio
