#include "app/studio/panel_menus.h"

#include "app/studio/commands.h"
#include "app/studio/panel_area.h"
#include "app/studio/panel_capabilities.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

const QList<QKeySequence> noKeys;

}  // namespace

PanelMenus::PanelMenus(QMenuBar& bar, PanelArea& of) : QObject(&bar), menus(bar), area(of) {
    for (const PanelDock& dock : area.entries()) {
        const auto* const owner = dynamic_cast<const MenuOwner*>(dock.panel);
        if (owner == nullptr) {
            continue;
        }
        QMenu* const menu = menus.addMenu(owner->menuTitle());
        Entry entry{.panel = dock.panel, .actions = {}, .others = {}};
        for (QAction* const each : owner->menuActions()) {
            if (each == nullptr) {
                menu->addSeparator();
                continue;
            }
            menu->addAction(each);
            if (dock.panel->actions().contains(each)) {
                continue;  // its key depends on the panel alone
            }
            entry.actions.push_back({.action = each, .keys = each->shortcuts()});
            each->setShortcuts(noKeys);
        }
        entries.push_back(std::move(entry));
    }
    connect(&area, &PanelArea::arranged, this, &PanelMenus::update);
    connect(&area, &PanelArea::currentChanged, this, &PanelMenus::update);
    update();
}

void PanelMenus::update() {
    for (Entry& entry : entries) {
        const auto dock = std::ranges::find(area.entries(), entry.panel, &PanelDock::panel);
        const bool visible = dock->inFront || &area.current() == entry.panel;
        if (visible && !entry.hasKeys) {
            giveKeys(entry);
        } else if (!visible && entry.hasKeys) {
            takeKeys(entry);
        }
        entry.hasKeys = visible;
    }
}

void PanelMenus::giveKeys(Entry& entry) {
    const auto isTaken = [&](const QKeySequence& key) {
        return std::ranges::any_of(entry.actions,
                                   [&](const KeyedAction& own) { return own.keys.contains(key); });
    };
    for (const Command& other : collectCommands(menus)) {
        const QList<QKeySequence> keys = other.action->shortcuts();
        if (!std::ranges::contains(entry.actions, other.action, &KeyedAction::action) &&
            std::ranges::any_of(keys, isTaken)) {
            entry.others.push_back({.action = other.action, .keys = keys});
            QList<QKeySequence> left = keys;
            left.removeIf(isTaken);
            other.action->setShortcuts(left);
        }
    }
    for (const KeyedAction& own : entry.actions) {
        own.action->setShortcuts(own.keys);
    }
}

void PanelMenus::takeKeys(Entry& entry) {
    for (const KeyedAction& own : entry.actions) {
        own.action->setShortcuts(noKeys);
    }
    for (const KeyedAction& other : std::exchange(entry.others, {})) {
        if (other.action) {
            other.action->setShortcuts(other.keys);
        }
    }
}

}  // namespace et::studio
