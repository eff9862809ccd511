#include "app/studio/rearranging.h"
#include "app/studio/room_area.h"

#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QIODevice>
#include <QSettings>
#include <QTimer>

#include <algorithm>

namespace et::studio {

namespace {

const QString perspectiveKey = QStringLiteral("perspectives/current");
constexpr int layoutVersion = 6;
/// Height of the area in pixels below which a centre and a pane below it would both be too low.
constexpr int lowArea = 700;

QString stateKey(const RoomInfo& info) {
    return QStringLiteral("rooms/") + QLatin1String(info.id);
}

QString stateKey(const Perspective& perspective) {
    return QStringLiteral("perspectives/") + QLatin1String(perspective.id);
}

}  // namespace

RoomArea::Rearranging::Rearranging(RoomArea& of)
    : area(of), wasVisible(of.isVisible()), pause(std::in_place, of) {
    area.laidOut = false;
    if (wasVisible) {
        area.rearranged = true;
        area.hide();
    }
}

RoomArea::Rearranging::~Rearranging() {
    area.updateTitleBars();
    pause.reset();
    area.giveSizes();  // repeated by settle(), when the area has its final size
    if (wasVisible) {
        area.rearranged = false;
        area.show();
    }
}

/// The first panel of the centre with content, or else the first in a pane that stays without content.
Room& RoomArea::mainRoom() const {
    const PanePlan* stays = nullptr;
    for (const PanePlan& pane : plan->centre) {
        for (const std::string_view id : pane.rooms) {
            const auto found = std::ranges::find(all, dockOf(id), &Entry::dock);
            if (found != all.end() && found->room->hasContent()) {
                return *found->room;
            }
        }
        stays = stays == nullptr && !pane.mayBeAway ? &pane : stays;
    }
    const PanePlan& pane = stays == nullptr ? plan->centre.front() : *stays;
    return *std::ranges::find(all, dockOf(pane.rooms.front()), &Entry::dock)->room;
}

std::string_view RoomArea::sideRoom() const {
    const auto shown = std::ranges::find_if(sideRooms(), [this](std::string_view id) {
        const QDockWidget* const dock = dockOf(id);
        return !dock->isHidden() && !dock->isFloating();
    });
    return shown == sideRooms().end() ? std::string_view() : *shown;
}

void RoomArea::toggleSide(std::string_view id) {
    if (sideRoom() == id) {
        foldSide();
    } else {
        enter(id);
    }
}

void RoomArea::foldSide() {
    setMaximized(false);
    if (const std::string_view shown = sideRoom(); !shown.empty()) {
        lastAtSide = shown;
        dockOf(shown)->hide();
        return;
    }
    const auto isUseful = [this](std::string_view id) {
        return std::ranges::find(all, dockOf(id), &Entry::dock)->room->hasContent();
    };
    const auto useful = std::ranges::find_if(sideRooms(), isUseful);
    if (!lastAtSide.empty() && isUseful(lastAtSide)) {
        enter(lastAtSide);
    } else if (useful != sideRooms().end()) {
        enter(*useful);
    }
}

/// Shows one panel of the left pane and hides the others there; those that the user has moved elsewhere are
/// not affected.
void RoomArea::makeAloneAtSide(const QDockWidget& dock) {
    const auto isAtSide = [this](const QDockWidget& which) {
        return std::ranges::any_of(sideRooms(), [&](std::string_view id) { return dockOf(id) == &which; });
    };
    if (dock.isFloating() || !isAtSide(dock)) {
        return;
    }
    // Qt requires a non-const dock, but does not modify it.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    for (QDockWidget* const other : tabifiedDockWidgets(const_cast<QDockWidget*>(&dock))) {
        if (isAtSide(*other)) {
            emptied.erase(other);
            other->hide();
        }
    }
}

/// Hides panes with mayBeAway whose panel has no content: their first one, or the visible one if they show
/// one at a time.
void RoomArea::hideEmptyPanes() {
    const LayoutPause pause(*this);
    const auto has = [this](const PanePlan& pane, std::string_view shown) {
        const std::string_view which = pane.oneAtATime ? shown : pane.rooms.front();
        return std::ranges::any_of(
            all, [&](const Entry& entry) { return which == entry.info->id && entry.room->hasContent(); });
    };
    std::vector<PanePlan> panes = plan->centre;
    panes.push_back(plan->left);
    for (const PanePlan& pane : panes) {
        for (const std::string_view id : pane.rooms) {
            QDockWidget* const dock = dockOf(id);
            if (pane.mayBeAway && !has(pane, id) && !dock->isHidden() && !dock->isFloating()) {
                dock->hide();
                emptied.insert(dock);
                sizesWanted = true;
            } else if ((!pane.mayBeAway || has(pane, id)) && emptied.erase(dock) > 0) {
                dock->show();
                sizesWanted = true;
            }
        }
    }
    fitDrawer();
}

bool RoomArea::isInDrawer(const QDockWidget& dock) const {
    return !dock.isFloating() &&
           std::ranges::any_of(plan->bottom.rooms, [&](std::string_view id) { return dockOf(id) == &dock; });
}

bool RoomArea::drawerIsAway() const {
    return plan->bottom.awayWhenLow && !drawerWanted && (isVisible() || rearranged) && height() < lowArea;
}

void RoomArea::fitDrawer() {
    const bool away = drawerIsAway();
    for (const std::string_view id : plan->bottom.rooms) {
        QDockWidget* const dock = dockOf(id);
        if (away && isInDrawer(*dock) && !dock->isHidden()) {
            dock->hide();
            emptied.insert(dock);
            sizesWanted = true;
        } else if (!away && emptied.erase(dock) > 0) {
            dock->show();
            sizesWanted = true;
        }
    }
}

void RoomArea::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    sizesWanted = true;
    // Docks that are shown or hidden during resizing would get no size.
    QTimer::singleShot(0, this, [this] {
        const auto before = emptied;
        if (!maximized()) {
            fitDrawer();
        }
        if (emptied != before) {
            settle();
        } else {
            giveSizes();
        }
    });
}

/// The state of the docks, and which of them are placed: Qt's state also includes removed docks.
QByteArray RoomArea::arrangement() const {
    if (maximized()) {
        return besideMaximized;
    }
    QStringList placed;
    const LayoutPause resting(*this);
    // A pane without content may have some next time.
    for (QDockWidget* const dock : emptied) {
        dock->show();
    }
    for (const Entry& entry : all) {
        if (dockWidgetArea(entry.dock) != Qt::NoDockWidgetArea || entry.dock->isFloating()) {
            placed.append(QLatin1String(entry.info->id));
        }
    }
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << placed << saveState(layoutVersion) << shares;
    for (QDockWidget* const dock : emptied) {
        dock->hide();
    }
    return bytes;
}

bool RoomArea::restoreArrangement(const QByteArray& bytes) {
    QDataStream stream(bytes);
    QStringList placed;
    QByteArray state;
    DockShares kept;
    stream >> placed >> state >> kept;
    const Rearranging rearranging(*this);
    removeAll();
    if (stream.status() != QDataStream::Ok || !restoreState(state, layoutVersion)) {
        return false;
    }
    for (const Entry& entry : all) {
        if (!placed.contains(QLatin1String(entry.info->id))) {
            removeDockWidget(entry.dock);
        }
    }
    shares = plannedShares(*plan, finder());
    for (const auto& [name, share] : kept) {
        shares[name] = share;
    }
    sizesWanted = true;
    hideEmptyPanes();
    return true;
}

DockById RoomArea::finder() const {
    return [this](std::string_view id) { return dockOf(id); };
}

void RoomArea::giveSizes() {
    if (sizesWanted && !maximized()) {
        applyShares(*this, *plan, finder(), shares);
        sizesWanted = !isVisible();  // hidden docks are laid out again when shown
    }
}

void RoomArea::measureSizes() {
    if (laidOut && !sizesWanted && !maximized()) {
        measureShares(*this, *plan, finder(), shares);
    }
}

bool RoomArea::event(QEvent* event) {
    const bool handled = QMainWindow::event(event);
    if (event->type() == QEvent::MouseButtonRelease) {  // of a separator: Qt lays out again afterwards
        QTimer::singleShot(0, this, &RoomArea::measureSizes);
    }
    return handled;
}

void RoomArea::saveTo(QSettings& settings) const {
    settings.setValue(perspectiveKey, QByteArray(plan->id));
    for (const Perspective& each : perspectives()) {
        const auto kept = arrangements.find(each.id);
        if (&each == plan && laidOut) {
            settings.setValue(stateKey(each), arrangement());
        } else if (kept != arrangements.end()) {
            settings.setValue(stateKey(each), kept->second);
        } else {
            settings.remove(stateKey(each));
        }
    }
    for (const Entry& entry : all) {
        settings.setValue(stateKey(*entry.info), entry.room->saveState());
    }
}

void RoomArea::restoreFrom(const QSettings& settings) {
    besideMaximized.clear();
    arrangements.clear();
    for (const Perspective& each : perspectives()) {
        if (const QByteArray state = settings.value(stateKey(each)).toByteArray(); !state.isEmpty()) {
            arrangements[each.id] = state;
        }
    }
    const Perspective* const last =
        findPerspective(settings.value(perspectiveKey).toByteArray().toStdString());
    plan = last == nullptr ? plan : last;
    arrangeAsKept();
    for (const Entry& entry : all) {
        entry.room->restoreState(settings.value(stateKey(*entry.info)).toByteArray());
    }
    tellPerspective();
}

}  // namespace et::studio
