#include "app/studio/panel_area.h"

#include "app/studio/pressed_tab.h"
#include "app/studio/rearranging.h"
#include "app/studio/spoken_names.h"

#include <QApplication>
#include <QDockWidget>
#include <QHoverEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

/// A panel may have hidden its focus proxy, such as an empty table. Qt would then keep the focus in another
/// panel or the menus, whose shortcuts would stay active. Gives the focus to a visible widget until the proxy
/// is shown.
void giveFocus(Panel& panel, Qt::FocusReason reason) {
    QWidget* place = &panel;
    while (place->focusProxy() != nullptr) {
        place = place->focusProxy();
    }
    if (place->isHidden()) {
        while (place != nullptr && (place->isHidden() || place->focusProxy() != nullptr)) {
            place = place->parentWidget();
        }
        if (place != nullptr) {
            place->setFocus(reason);
        }
    }
    panel.setFocus(reason);
}

}  // namespace

PanelArea::PanelArea(const PanelContext& context, QWidget* parent)
    : QMainWindow(parent), plan(&perspectives().front()) {
    setWindowFlags(Qt::Widget);
    // GroupedDragging is not enabled: Qt 6.8 deletes the tab bar of a floating group and uses it afterwards.
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    new PressedTab(this);
    for (const PanelInfo& info : panels()) {
        addPanel(info, context);
    }
    active = all.front().panel;
    arrangeAnew();
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { followFocus(now); });
}

PanelArea::~PanelArea() {
    // A floating dock emits signals about closing and focus while it is deleted, when the list no longer
    // exists.
    disconnect(qApp, nullptr, this, nullptr);
    for (const Entry& entry : all) {
        entry.dock->disconnect(this);
    }
}

void PanelArea::addPanel(const PanelInfo& info, const PanelContext& context) {
    auto* const dock = new QDockWidget(QString::fromUtf8(info.title), this);
    dock->setObjectName(QLatin1String(info.id));
    Panel* const panel = info.make(context, dock);
    panel->setAccessibleName(dock->windowTitle());
    nameWidgets(*panel, dock->windowTitle());
    // A panel that needs more space than its pane scrolls, instead of enlarging the window.
    auto* const pane = new QScrollArea(dock);
    pane->setWidgetResizable(true);
    pane->setFrameShape(QFrame::NoFrame);
    pane->setFocusPolicy(Qt::NoFocus);
    pane->setWidget(panel);
    dock->setWidget(pane);
    all.push_back({&info, panel, dock});
    connect(panel, &Panel::entryWanted, this, [this, panel] { enter(*panel); });
    const std::size_t place = all.size() - 1;
    connect(dock, &QDockWidget::visibilityChanged, this, [this, place](bool front) {
        all[place].inFront = front;
        QTimer::singleShot(0, this, &PanelArea::settle);
    });
    const auto moved = [this] {
        if (laidOut) {
            QTimer::singleShot(0, this, &PanelArea::measureSizes);
        }
        QTimer::singleShot(0, this, &PanelArea::settle);
    };
    connect(dock, &QDockWidget::dockLocationChanged, this, moved);
    connect(dock, &QDockWidget::topLevelChanged, this, moved);
}

QDockWidget* PanelArea::dockOf(std::string_view id) const {
    const auto found = std::ranges::find_if(all, [id](const Entry& entry) { return entry.info->id == id; });
    return found == all.end() ? nullptr : found->dock;
}

const PanelArea::Entry& PanelArea::entryOf(const Panel& panel) const {
    return *std::ranges::find(all, &panel, &Entry::panel);
}

void PanelArea::settle() {
    giveSizes();
    laidOut = laidOut || isVisible();
    updateTitleBars();
    emit arranged();
    if (Panel* const panel = std::exchange(entered, nullptr)) {
        bringForward(*panel);
        return;
    }
    const auto inFront = std::ranges::find_if(all, &Entry::inFront);
    if (!entryOf(*active).inFront && inFront != all.end()) {
        setActive(*inFront->panel);
        giveFocus(*active, Qt::TabFocusReason);  // tabs do not take the focus
    }
}

void PanelArea::letGoOfSeparator() {
    const QPointF outside(-1, -1);
    QMouseEvent release(QEvent::MouseButtonRelease, outside, mapToGlobal(outside), Qt::LeftButton,
                        Qt::NoButton, Qt::NoModifier);
    QMainWindow::event(&release);
    QHoverEvent leave(QEvent::HoverLeave, outside, mapToGlobal(outside), outside);
    QCoreApplication::sendEvent(this, &leave);
}

void PanelArea::removeAll() {
    letGoOfSeparator();
    emptied.clear();
    for (Entry& entry : all) {
        if (entry.dock->isFloating()) {      // Qt also hides and shows docks that do not float
            entry.dock->setFloating(false);  // a dock without a position would stay a window
        }
        removeDockWidget(entry.dock);
        entry.inFront = false;  // a window that was not shown yet does not emit this
    }
}

void PanelArea::arrangeAnew() {
    const Rearranging rearranging(*this);
    removeAll();
    arrange(*this, *plan, finder());
    shares = plannedShares(*plan, finder());
    sizesWanted = true;
    QTimer::singleShot(0, this, &PanelArea::settle);
    enter(mainPanel());
    hideEmptyPanes();
}

void PanelArea::arrangeAsKept() {
    const Rearranging rearranging(*this);
    const auto kept = arrangements.find(plan->id);
    if (kept == arrangements.end() || !restoreArrangement(kept->second)) {
        arrangeAnew();
        return;
    }
    enter(mainPanel());
}

void PanelArea::setPerspective(const Perspective& next) {
    setMaximized(false);
    if (&next == plan) {
        return;
    }
    if (laidOut) {
        arrangements[plan->id] = arrangement();
    }
    {
        const Rearranging rearranging(*this);
        plan = &next;
        arrangeAsKept();
    }
    tellPerspective();
}

void PanelArea::tellPerspective() {
    for (const Entry& entry : all) {
        entry.panel->arrangedFor(*plan);
    }
    emit perspectiveChanged();
}

void PanelArea::resetLayout() {
    besideMaximized.clear();
    drawerWanted = false;
    arrangements.erase(plan->id);
    arrangeAnew();
}

void PanelArea::setMaximized(bool alone) {
    if (alone == maximized()) {
        return;
    }
    if (!alone) {
        const Rearranging rearranging(*this);
        restoreArrangement(std::exchange(besideMaximized, {}));
        enter(*active);
        return;
    }
    besideMaximized = arrangement();
    const LayoutPause pause(*this);
    for (const Entry& entry : all) {
        if (entry.panel != active && !entry.dock->isFloating()) {
            entry.dock->hide();
        }
    }
}

void PanelArea::fold(const std::vector<PanePlan>& places) {
    setMaximized(false);
    const LayoutPause pause(*this);
    QList<QDockWidget*> docks;
    for (const PanePlan& place : places) {
        for (const std::string_view id : place.panels) {
            QDockWidget* const dock = dockOf(id);
            if (dock != nullptr && !dock->isFloating() && dockWidgetArea(dock) != Qt::NoDockWidgetArea) {
                docks.append(dock);
            }
        }
    }
    const bool hide = std::ranges::any_of(docks, [](const QDockWidget* dock) { return !dock->isHidden(); });
    for (QDockWidget* const dock : docks) {
        if (isInDrawer(*dock)) {
            drawerWanted = !hide;
            emptied.erase(dock);
        }
        dock->setVisible(!hide);
    }
    sizesWanted = true;
    if (!hide && !docks.isEmpty()) {
        docks.front()->raise();
    }
}

bool PanelArea::shows(const Panel& panel) const {
    return entryOf(panel).inFront;
}

void PanelArea::enter(Panel& panel) {
    if (maximized() && &panel != active && !entryOf(panel).dock->isFloating()) {
        entryOf(*active).dock->hide();
    }
    setActive(panel);
    bringForward(panel);
    // Docks that were not shown yet cannot be raised permanently.
    entered = &panel;
    QTimer::singleShot(0, this, &PanelArea::settle);
}

void PanelArea::enter(std::string_view id) {
    const auto found = std::ranges::find_if(all, [id](const Entry& entry) { return entry.info->id == id; });
    if (found != all.end()) {
        enter(*found->panel);
    }
}

void PanelArea::bringForward(Panel& panel) {
    QDockWidget* const dock = entryOf(panel).dock;
    if (dockWidgetArea(dock) == Qt::NoDockWidgetArea && !dock->isFloating()) {
        letGoOfSeparator();
        tabifyDockWidget(mainDock(*plan, finder()), dock);
    }
    if (emptied.erase(dock) > 0 && isInDrawer(*dock)) {
        drawerWanted = true;
        fitDrawer();
    }
    makeAloneAtSide(*dock);
    sizesWanted = sizesWanted || dock->isHidden();
    dock->show();
    dock->raise();
    giveFocus(panel, Qt::OtherFocusReason);
}

void PanelArea::showContent() {
    if (!maximized()) {
        hideEmptyPanes();
        QTimer::singleShot(0, this, &PanelArea::settle);
    }
    if (active->hasContent() && !entryOf(*active).dock->isHidden()) {
        if (!isAncestorOf(QApplication::focusWidget())) {
            giveFocus(*active, Qt::OtherFocusReason);  // enables its shortcuts immediately
        }
        return;
    }
    const auto enterFirst = [this](auto accepts) {
        const auto found = std::ranges::find_if(
            all, [&](const Entry& entry) { return entry.panel->hasContent() && accepts(entry); });
        if (found != all.end()) {
            enter(*found->panel);
        }
        return found != all.end();
    };
    const auto isCentral = [this](const Entry& entry) {
        return std::ranges::any_of(plan->centre, [&](const PanePlan& pane) {
            return std::ranges::contains(pane.panels, std::string_view(entry.info->id));
        });
    };
    const bool known = enterFirst(isCentral) || enterFirst([](const Entry& entry) { return entry.inFront; });
    if (!known) {
        enterFirst([](const Entry&) { return true; });
    }
}

bool PanelArea::hasContent() const {
    return std::ranges::any_of(all, [](const Entry& entry) { return entry.panel->hasContent(); });
}

void PanelArea::setActive(Panel& panel) {
    if (active != &panel) {
        active = &panel;
        emit currentChanged();
    }
}

void PanelArea::followFocus(const QWidget* now) {
    for (const Entry& entry : all) {
        if (now != nullptr && (entry.panel == now || entry.panel->isAncestorOf(now))) {
            setActive(*entry.panel);
        }
    }
}

void PanelArea::updateTitleBars() {
    const LayoutPause pause(*this);
    for (const Entry& entry : all) {
        const bool hidden = !entry.dock->isFloating() &&
                            std::ranges::any_of(tabifiedDockWidgets(entry.dock),
                                                [](const QDockWidget* other) { return !other->isHidden(); });
        QWidget* const bar = entry.dock->titleBarWidget();
        if (hidden && bar == nullptr) {
            entry.dock->setTitleBarWidget(new QWidget(entry.dock));
        } else if (!hidden && bar != nullptr) {
            entry.dock->setTitleBarWidget(nullptr);
            bar->deleteLater();
        }
    }
}

}  // namespace et::studio
