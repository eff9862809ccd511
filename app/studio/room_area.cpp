#include "app/studio/room_area.h"

#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

const QString layoutKey = QStringLiteral("rooms/layout");
constexpr int layoutVersion = 2;

QString stateKey(const RoomInfo& info) {
    return QStringLiteral("rooms/") + QLatin1String(info.id);
}

}  // namespace

RoomArea::RoomArea(const RoomContext& context, QWidget* parent) : QMainWindow(parent) {
    setWindowFlags(Qt::Widget);
    // Without GroupedDragging: Qt 6.8 loses the tab bar of a floating group, and uses it afterwards.
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    for (const RoomInfo& info : rooms()) {
        addRoom(info, context);
    }
    const auto first = std::ranges::find_if(all, [](const Entry& entry) { return !entry.info->general; });
    active = first->room;
    resetLayout();
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { followFocus(now); });
}

RoomArea::~RoomArea() {
    // A floating dock closes as it is deleted, and tells of that, and of the focus it had, when the list is
    // gone.
    disconnect(qApp, nullptr, this, nullptr);
    for (const Entry& entry : all) {
        entry.dock->disconnect(this);
    }
}

void RoomArea::addRoom(const RoomInfo& info, const RoomContext& context) {
    auto* const dock = new QDockWidget(QCoreApplication::translate("rooms", info.title), this);
    dock->setObjectName(QLatin1String(info.id));
    Room* const room = info.make(context, dock);
    dock->setWidget(room);
    all.push_back({&info, room, dock});
    connect(room, &Room::entryWanted, this, [this, room] { enter(*room); });
    const std::size_t place = all.size() - 1;
    connect(dock, &QDockWidget::visibilityChanged, this, [this, place](bool front) {
        all[place].inFront = front;
        QTimer::singleShot(0, this, &RoomArea::settle);
    });
    connect(dock, &QDockWidget::dockLocationChanged, this,
            [this] { QTimer::singleShot(0, this, &RoomArea::settle); });
    connect(dock, &QDockWidget::topLevelChanged, this,
            [this] { QTimer::singleShot(0, this, &RoomArea::settle); });
}

void RoomArea::settle() {
    updateTitleBars();
    if (Room* const room = std::exchange(entered, nullptr)) {
        bringForward(*room);
        return;
    }
    const auto isActive = [this](const Entry& entry) { return entry.room == active; };
    const auto inFront = std::ranges::find_if(all, &Entry::inFront);
    if (!std::ranges::find_if(all, isActive)->inFront && inFront != all.end()) {
        setActive(*inFront->room);
        active->setFocus(Qt::TabFocusReason);  // a tab takes none
    }
}

void RoomArea::resetLayout() {
    for (const Entry& entry : all) {
        removeDockWidget(entry.dock);
        entry.dock->setFloating(false);
        addDockWidget(Qt::TopDockWidgetArea, entry.dock);
        entry.dock->show();
        if (entry.dock != all.front().dock) {
            tabifyDockWidget(all.front().dock, entry.dock);
        }
    }
    enter(*active);
    updateTitleBars();
}

void RoomArea::enter(Room& room) {
    setActive(room);
    bringForward(room);
    // Docks that have not been on screen yet cannot be raised for good.
    entered = &room;
    QTimer::singleShot(0, this, &RoomArea::settle);
}

void RoomArea::bringForward(Room& room) {
    const auto entry = std::ranges::find(all, &room, &Entry::room);
    entry->dock->show();
    entry->dock->raise();
    room.setFocus(Qt::OtherFocusReason);
}

void RoomArea::showContent() {
    if (active->hasContent()) {
        if (!isAncestorOf(QApplication::focusWidget())) {
            active->setFocus(Qt::OtherFocusReason);  // so that its keys work at once
        }
        return;
    }
    for (const bool general : {false, true}) {
        const auto other = std::ranges::find_if(all, [general](const Entry& entry) {
            return entry.info->general == general && entry.room->hasContent();
        });
        if (other != all.end()) {
            enter(*other->room);
            return;
        }
    }
}

bool RoomArea::hasContent() const {
    return std::ranges::any_of(all, [](const Entry& entry) { return entry.room->hasContent(); });
}

void RoomArea::setActive(Room& room) {
    if (active != &room) {
        active = &room;
        emit currentChanged();
    }
}

void RoomArea::followFocus(const QWidget* now) {
    for (const Entry& entry : all) {
        if (now != nullptr && (entry.room == now || entry.room->isAncestorOf(now))) {
            setActive(*entry.room);
        }
    }
}

void RoomArea::updateTitleBars() {
    const auto shown = std::ranges::count_if(all, [](const Entry& entry) { return !entry.dock->isHidden(); });
    for (const Entry& entry : all) {
        const bool named = !tabifiedDockWidgets(entry.dock).isEmpty() || shown < 2;
        const bool hidden = named && !entry.dock->isFloating();
        QWidget* const bar = entry.dock->titleBarWidget();
        if (hidden && bar == nullptr) {
            entry.dock->setTitleBarWidget(new QWidget(entry.dock));
        } else if (!hidden && bar != nullptr) {
            entry.dock->setTitleBarWidget(nullptr);
            bar->deleteLater();
        }
    }
}

void RoomArea::saveTo(QSettings& settings) const {
    settings.setValue(layoutKey, saveState(layoutVersion));
    for (const Entry& entry : all) {
        settings.setValue(stateKey(*entry.info), entry.room->saveState());
    }
}

void RoomArea::restoreFrom(const QSettings& settings) {
    restoreState(settings.value(layoutKey).toByteArray(), layoutVersion);
    for (const Entry& entry : all) {
        entry.room->restoreState(settings.value(stateKey(*entry.info)).toByteArray());
    }
}

}  // namespace et::studio
