#include "app/studio/history.h"

#include "app/studio/icons.h"
#include "app/studio/room_area.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QWidget>

#include <chrono>

namespace et::studio {

namespace {

constexpr auto restTime = std::chrono::milliseconds(350);

}  // namespace

History::History(const visualizers::OpenSession& session, visualizers::Selection& selection,
                 visualizers::Results& computed, RoomArea& rooms, QObject* parent)
    : QObject(parent),
      opened(session),
      chosen(selection),
      results(computed),
      area(rooms),
      backAction(new QAction(icon("back"), tr("&Back"), this)),
      forwardAction(new QAction(icon("forward"), tr("&Forward"), this)) {
    backAction->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    forwardAction->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Right));
    connect(backAction, &QAction::triggered, this, &History::back);
    connect(forwardAction, &QAction::triggered, this, &History::forward);
    rest.setSingleShot(true);
    rest.setInterval(restTime);
    connect(&rest, &QTimer::timeout, this, &History::note);
    connect(&chosen, &visualizers::Selection::currentChanged, this, &History::noteLater);
    connect(&chosen, &visualizers::Selection::rangeChanged, this, &History::noteLater);
    connect(&chosen, &visualizers::Selection::caseChanged, this, &History::noteLater);
    connect(&results, &visualizers::Results::shownGapChanged, this, &History::noteLater);
    connect(&opened, &visualizers::OpenSession::changed, this, &History::forgetOthers);
    connect(&area, &RoomArea::currentChanged, this, &History::noteLater);
    for (const RoomArea::Entry& entry : area.entries()) {
        connect(entry.room, &Room::viewChanged, this, &History::noteLater);
    }
    qApp->installEventFilter(this);
    updateActions();
}

void History::addTo(QMenu& menu) {
    menu.addAction(backAction);
    menu.addAction(forwardAction);
}

/// Places of another trace lead nowhere.
void History::forgetOthers() {
    const etdump::Trace* const now = opened.session() ? opened.session()->trace.get() : nullptr;
    if (now != trace || now == nullptr) {
        places.clear();
        at = 0;
    }
    trace = now;
    arriving = false;
    updateActions();
    noteLater();
}

History::Place History::here() const {
    return {&area.current(), chosen.choice(), results.gapSet(), area.current().viewState()};
}

void History::note() {
    rest.stop();
    if (!opened.session()) {
        return;
    }
    const Place now = here();
    if (arriving && at < places.size()) {
        places[at] = now;
    } else if (places.empty() || places[at] != now) {
        places.resize(places.empty() ? 0 : at + 1);
        places.push_back(now);
        if (places.size() > maxPlaces) {
            places.erase(places.begin());
        }
        at = places.size() - 1;
    }
    arriving = false;
    updateActions();
}

void History::go(int by) {
    if (rest.isActive()) {
        note();
    }
    if (!opened.session() || places.empty() || (by < 0 ? at == 0 : at + 1 >= places.size())) {
        return;
    }
    at = by < 0 ? at - 1 : at + 1;
    const Place place = places[at];
    area.enter(*place.room);
    chosen.setChoice(place.choice);
    results.setGapSet(place.gapSet);
    place.room->restoreView(place.view);
    arriving = true;
    noteLater();
    updateActions();
}

void History::updateActions() {
    backAction->setEnabled(!places.empty() && at > 0);
    forwardAction->setEnabled(at + 1 < places.size());
}

bool History::eventFilter(QObject* watched, QEvent* event) {
    const auto* const widget =
        event->type() == QEvent::MouseButtonPress ? qobject_cast<QWidget*>(watched) : nullptr;
    if (widget == nullptr || widget->window() != area.window()) {
        return QObject::eventFilter(watched, event);
    }
    const Qt::MouseButton button = static_cast<const QMouseEvent*>(event)->button();
    if (button != Qt::BackButton && button != Qt::ForwardButton) {
        return QObject::eventFilter(watched, event);
    }
    go(button == Qt::BackButton ? -1 : 1);
    return true;
}

}  // namespace et::studio
