#include "app/studio/side_rail.h"

#include "app/studio/icons.h"
#include "app/studio/perspectives.h"
#include "app/studio/room_area.h"

#include <QDockWidget>
#include <QKeySequence>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace et::studio {

namespace {

constexpr int railMargin = 2;
constexpr int railIconSide = 20;

}  // namespace

SideRail::SideRail(RoomArea& area, QWidget* parent) : QWidget(parent), rooms(area) {
    setObjectName(QStringLiteral("sideRail"));
    setAccessibleName(tr("Left pane"));
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(railMargin, railMargin, railMargin, railMargin);
    column->setSpacing(railMargin);
    for (const std::string_view room : sideRooms()) {
        addButton(room);
    }
    column->addStretch(1);
    connect(&rooms, &RoomArea::arranged, this, &SideRail::showCurrent);
    showCurrent();
}

void SideRail::addButton(std::string_view room) {
    const auto entry = std::ranges::find_if(
        rooms.entries(), [room](const RoomArea::Entry& each) { return each.info->id == room; });
    const QString title = entry->dock->windowTitle();
    auto* const button = new QToolButton(this);
    button->setObjectName(QStringLiteral("rail/") + QLatin1String(entry->info->id));
    button->setIcon(icon(room));
    button->setIconSize({railIconSide, railIconSide});
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(title);
    button->setToolTip(
        tr("%1 (%2); again folds it").arg(title, sideKey(room).toString(QKeySequence::NativeText)));
    connect(button, &QToolButton::clicked, this, [this, room] {
        rooms.toggleSide(room);
        showCurrent();  // the click has already toggled the button
    });
    layout()->addWidget(button);
    buttons[room] = button;
}

void SideRail::showCurrent() {
    for (const auto& [room, button] : buttons) {
        button->setChecked(rooms.sideRoom() == room);
    }
}

}  // namespace et::studio
