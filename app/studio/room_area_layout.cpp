#include "app/studio/room_area.h"

#include <QDataStream>
#include <QDockWidget>
#include <QSettings>

#include <algorithm>

namespace et::studio {

namespace {

const QString perspectiveKey = QStringLiteral("perspectives/current");
constexpr int layoutVersion = 3;

QString stateKey(const RoomInfo& info) {
    return QStringLiteral("rooms/") + QLatin1String(info.id);
}

QString stateKey(const Perspective& perspective) {
    return QStringLiteral("perspectives/") + QLatin1String(perspective.id);
}

}  // namespace

/// The first of the centre that has something to show, or else that stays when it has not.
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

/// Panes that may be away leave their room to the others while what they are for, the first of theirs, has
/// nothing to show.
void RoomArea::hideEmptyPanes() {
    const auto has = [this](const PanePlan& pane) {
        return std::ranges::any_of(all, [&](const Entry& entry) {
            return pane.rooms.front() == entry.info->id && entry.room->hasContent();
        });
    };
    std::vector<PanePlan> panes = plan->centre;
    panes.push_back(plan->left);
    for (const PanePlan& pane : panes) {
        for (const std::string_view id : pane.rooms) {
            QDockWidget* const dock = dockOf(id);
            if (pane.mayBeAway && !has(pane) && !dock->isHidden() && !dock->isFloating()) {
                dock->hide();
                emptied.insert(dock);
            } else if ((!pane.mayBeAway || has(pane)) && emptied.erase(dock) > 0) {
                dock->show();
                sizesWanted = true;
            }
        }
    }
}

/// The state of the docks, and which of them have a place: Qt's state remembers those that were removed, too.
QByteArray RoomArea::arrangement() const {
    if (maximized()) {
        return besideMaximized;
    }
    QStringList placed;
    // A pane that has nothing to show today may have tomorrow.
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
    stream << placed << saveState(layoutVersion);
    for (QDockWidget* const dock : emptied) {
        dock->hide();
    }
    return bytes;
}

bool RoomArea::restoreArrangement(const QByteArray& bytes) {
    QDataStream stream(bytes);
    QStringList placed;
    QByteArray state;
    stream >> placed >> state;
    removeAll();
    if (stream.status() != QDataStream::Ok || !restoreState(state, layoutVersion)) {
        return false;
    }
    for (const Entry& entry : all) {
        if (!placed.contains(QLatin1String(entry.info->id))) {
            removeDockWidget(entry.dock);
        }
    }
    hideEmptyPanes();
    return true;
}

void RoomArea::saveTo(QSettings& settings) const {
    settings.setValue(perspectiveKey, QByteArray(plan->id));
    for (const Perspective& each : perspectives()) {
        const auto kept = arrangements.find(each.id);
        if (&each == plan) {
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
