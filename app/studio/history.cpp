#include "app/studio/history.h"

#include "app/studio/icons.h"
#include "app/studio/panel_area.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QWidget>

#include <algorithm>
#include <chrono>

namespace et::studio {

namespace {

constexpr auto restTime = std::chrono::milliseconds(350);

}  // namespace

History::History(const visualizers::OpenSession& session, visualizers::Selection& selection,
                 visualizers::Results& computed, PanelArea& panels, QObject* parent)
    : QObject(parent),
      opened(session),
      chosen(selection),
      results(computed),
      area(panels),
      backAction(new QAction(icon("back"), QStringLiteral("&Back"), this)),
      forwardAction(new QAction(icon("forward"), QStringLiteral("&Forward"), this)),
      undoAction(new QAction(QStringLiteral("&Undo View Change"), this)),
      redoAction(new QAction(QStringLiteral("Re&do View Change"), this)) {
    backAction->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    forwardAction->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Right));
    undoAction->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    redoAction->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    for (QAction* const action : {backAction, undoAction}) {
        connect(action, &QAction::triggered, this, &History::back);
    }
    for (QAction* const action : {forwardAction, redoAction}) {
        connect(action, &QAction::triggered, this, &History::forward);
    }
    addUndo();
    rest.setSingleShot(true);
    rest.setInterval(restTime);
    connect(&rest, &QTimer::timeout, this, &History::note);
    connect(&chosen, &visualizers::Selection::currentChanged, this, &History::noteLater);
    connect(&chosen, &visualizers::Selection::rangeChanged, this, &History::noteLater);
    connect(&chosen, &visualizers::Selection::caseChanged, this, &History::noteLater);
    connect(&results, &visualizers::Results::shownGapChanged, this, &History::noteLater);
    connect(&opened, &visualizers::OpenSession::changed, this, &History::forgetOthers);
    connect(&area, &PanelArea::currentChanged, this, &History::noteLater);
    connect(&area, &PanelArea::perspectiveChanged, this, &History::noteLater);
    for (const PanelArea::Entry& entry : area.entries()) {
        connect(entry.panel, &Panel::viewChanged, this, &History::noteLater);
    }
    qApp->installEventFilter(this);
    updateActions();
}

void History::addTo(QMenu& menu) {
    menu.addActions({backAction, forwardAction, undoAction, redoAction});
}

/// The undo shortcuts work in panels without their own undo; text fields handle them themselves.
void History::addUndo() {
    for (QAction* const action : {undoAction, redoAction}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        for (const PanelArea::Entry& entry : area.entries()) {
            const bool taken = std::ranges::any_of(entry.panel->actions(), [action](const QAction* other) {
                return other->shortcuts().contains(action->shortcut());
            });
            if (!taken) {
                entry.dock->addAction(action);
            }
        }
    }
}

/// Drops entries of other traces, which are no longer valid.
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

History::Entry History::here() const {
    return {&area.perspective(), &area.current(), chosen.choice(), results.gapSet(),
            area.current().viewState()};
}

void History::note() {
    rest.stop();
    if (!opened.session()) {
        return;
    }
    const Entry now = here();
    if (arriving && at < places.size()) {
        places[at] = now;
    } else if (places.empty() || places[at] != now) {
        places.resize(places.empty() ? 0 : at + 1);
        places.push_back(now);
        if (places.size() > maxEntries) {
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
    const Entry place = places[at];
    area.setPerspective(*place.perspective);
    area.enter(*place.panel);
    chosen.setChoice(place.choice);
    results.setGapSet(place.gapSet);
    place.panel->restoreView(place.view);
    arriving = true;
    noteLater();
    updateActions();
}

void History::updateActions() {
    for (QAction* const action : {backAction, undoAction}) {
        action->setEnabled(!places.empty() && at > 0);
    }
    for (QAction* const action : {forwardAction, redoAction}) {
        action->setEnabled(at + 1 < places.size());
    }
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
