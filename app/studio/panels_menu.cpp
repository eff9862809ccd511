#include "app/studio/panels_menu.h"

#include "app/studio/panel_area.h"
#include "app/studio/panels.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <map>

namespace et::studio {

namespace {

/// The shortcuts of panels work while the focus is in the panel. They must not work when the focus is in a
/// menu bar, its overflow button, or one of its open menus: since the commands are also in its menus,
/// shortcuts of several panels would match at once. An event filter on the application, because menus are
/// created and deleted dynamically. Whichever widget the window sends the event to first, Qt searches
/// commands from the one with the focus.
class KeysOfPanels : public QObject {
  public:
    KeysOfPanels(PanelArea& of, QObject* menus) : QObject(menus), area(of) {
        QCoreApplication::instance()->installEventFilter(this);
    }

    bool eventFilter(QObject* receiver, QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride &&
            (menusHaveFocus() || qobject_cast<QMenu*>(receiver) != nullptr) &&
            isOfPanel(QKeySequence(static_cast<QKeyEvent*>(event)->keyCombination()))) {
            event->accept();  // then not handled as a shortcut
            return true;
        }
        return QObject::eventFilter(receiver, event);
    }

  private:
    [[nodiscard]] bool menusHaveFocus() const {
        const QObject* focus = QApplication::focusWidget();
        while (focus != nullptr && focus != parent()) {
            focus = focus->parent();
        }
        return focus != nullptr;
    }

    [[nodiscard]] bool isOfPanel(const QKeySequence& key) const {
        return std::ranges::any_of(area.entries(), [&key](const PanelArea::Entry& entry) {
            return std::ranges::any_of(entry.panel->actions(), [&key](const QAction* action) {
                return action->shortcuts().contains(key);
            });
        });
    }

    PanelArea& area;
};

}  // namespace

void addPanels(QMenu& menu, QMenuBar& bar, PanelArea& area) {
    std::map<PanelGroup, QMenu*> groups;
    for (const PanelGroupInfo& each : panelGroups()) {
        groups[each.group] = menu.addMenu(QString::fromUtf8(each.title));
    }
    int number = 0;
    for (const PanelArea::Entry& entry : area.entries()) {
        // 1 to 9, then 0; further panels have no digit.
        const int digit = ++number <= 10 ? Qt::Key_0 + number % 10 : 0;
        const QKeySequence key =
            digit == 0 ? sideKey(entry.info->id) : QKeySequence(Qt::ALT | Qt::Key(digit));
        QAction* const action = groups.at(entry.info->group)
                                    ->addAction(entry.dock->windowTitle(), key, &area,
                                                [&area, panel = entry.panel] { area.enter(*panel); });
        action->setObjectName(QStringLiteral("panel/") + QLatin1String(entry.info->id));
    }
    menu.addSeparator();
    for (const PanelArea::Entry& entry : area.entries()) {
        if (!entry.panel->actions().isEmpty()) {
            QMenu* const commands = menu.addMenu(menuOfPanel(entry.dock->windowTitle()));
            commands->addActions(entry.panel->actions());
            // The menu has the commands of the panel in front; the palette has all.
            QObject::connect(&menu, &QMenu::aboutToShow, commands, [&area, commands, panel = entry.panel] {
                commands->menuAction()->setVisible(&area.current() == panel);
            });
        }
    }
    new KeysOfPanels(area, &bar);
}

QString menuOfPanel(const QString& title) {
    return QStringLiteral("In %1").arg(title);
}

}  // namespace et::studio
