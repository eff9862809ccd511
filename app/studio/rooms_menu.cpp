#include "app/studio/rooms_menu.h"

#include "app/studio/room_area.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMenu>

namespace et::studio {

void addRooms(QMenu& menu, RoomArea& area) {
    int number = 0;
    for (const RoomArea::Entry& entry : area.entries()) {
        // 1 to 9, then 0; there are no more digits.
        const int digit = ++number <= 10 ? Qt::Key_0 + number % 10 : 0;
        const QKeySequence key = digit == 0 ? QKeySequence() : QKeySequence(Qt::ALT | Qt::Key(digit));
        QAction* const action = menu.addAction(entry.dock->windowTitle(), key, &area,
                                               [&area, room = entry.room] { area.enter(*room); });
        action->setObjectName(QStringLiteral("room/") + QLatin1String(entry.info->id));
    }
    menu.addSeparator();
    for (const RoomArea::Entry& entry : area.entries()) {
        if (!entry.room->actions().isEmpty()) {
            const QString title =
                QCoreApplication::translate("rooms", "In %1").arg(entry.dock->windowTitle());
            menu.addMenu(title)->addActions(entry.room->actions());
        }
    }
}

}  // namespace et::studio
