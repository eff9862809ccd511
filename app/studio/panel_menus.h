#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QPointer>

#include <vector>

class QAction;
class QMenuBar;

namespace et::studio {

class PanelArea;
class Panel;

/// Menus of panels in the menu bar (MenuOwner). Their actions have their keys only while the panel is
/// visible; other actions of the menu bar with the same keys then lose them.
class PanelMenus : public QObject {
    Q_OBJECT

  public:
    /// `bar` becomes the parent; `of` must outlive it.
    PanelMenus(QMenuBar& bar, PanelArea& of);

  private:
    struct KeyedAction {
        QPointer<QAction> action;
        QList<QKeySequence> keys;
    };
    struct Entry {
        Panel* panel;
        std::vector<KeyedAction> actions;
        std::vector<KeyedAction> others;  ///< without their keys at the moment
        bool hasKeys = false;
    };
    void update();
    void giveKeys(Entry& entry);
    static void takeKeys(Entry& entry);

    QMenuBar& menus;
    PanelArea& area;
    std::vector<Entry> entries;
};

}  // namespace et::studio
