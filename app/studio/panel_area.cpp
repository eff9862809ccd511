#include "app/studio/panel_area.h"

#include "app/studio/dock_arranger.h"
#include "app/studio/pressed_tab.h"
#include "app/studio/spoken_names.h"

#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QHoverEvent>
#include <QIODevice>
#include <QMouseEvent>
#include <QScrollArea>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <optional>
#include <utility>

namespace et::studio {

namespace {

const QString perspectiveKey = QStringLiteral("perspectives/current");
constexpr int layoutVersion = 7;

QString stateKey(const PanelInfo& info) {
    return QStringLiteral("panels/") + QLatin1String(info.id);
}

QString stateKey(const Perspective& perspective) {
    return QStringLiteral("perspectives/") + QLatin1String(perspective.id);
}

/// A panel may have hidden its focus proxy, such as an empty table. Qt would then keep the focus in another
/// panel or the menus, whose shortcuts would stay active. Gives the focus to a visible widget until the proxy
/// is shown.
void setFocusTo(Panel& panel, Qt::FocusReason reason) {
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

/// Hides the area while its docks are rearranged, so that their contents are laid out once, at their final
/// positions, and not at each intermediate one.
class PanelArea::Rearranging {
  public:
    explicit Rearranging(PanelArea& of) : area(of), wasVisible(of.isVisible()), pause(std::in_place, of) {
        area.laidOut = false;
        if (wasVisible) {
            area.hidden.setRearranged(true);
            area.hide();
        }
    }
    ~Rearranging() {
        area.docks.updateTitleBars(area);
        pause.reset();
        area.applySizes();  // repeated by settle(), when the area has its final size
        if (wasVisible) {
            area.hidden.setRearranged(false);
            area.show();
        }
    }
    Rearranging(const Rearranging&) = delete;
    Rearranging& operator=(const Rearranging&) = delete;

  private:
    PanelArea& area;
    bool wasVisible;  ///< false also for a nested instance
    std::optional<LayoutPause> pause;
};

PanelArea::PanelArea(const PanelContext& context, QWidget* parent)
    : QMainWindow(parent),
      sizes(*this, docks),
      hidden(*this, docks, sizes),
      sidePane(*this, docks, hidden),
      plan(&perspectives().front()) {
    setWindowFlags(Qt::Widget);
    // GroupedDragging is not enabled: Qt 6.8 deletes the tab bar of a floating group and uses it afterwards.
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    new PressedTab(this);
    for (const PanelInfo& info : panels()) {
        addPanel(info, context);
    }
    active = docks.all().front().panel;
    rearrange();
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        for (const Entry& entry : docks.all()) {
            if (now != nullptr && (entry.panel == now || entry.panel->isAncestorOf(now))) {
                setActive(*entry.panel);
            }
        }
    });
}

PanelArea::~PanelArea() {
    // A floating dock emits signals about closing and focus while it is deleted, when the list no longer
    // exists.
    disconnect(qApp, nullptr, this, nullptr);
    for (const Entry& entry : docks.all()) {
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
    docks.add({.info = &info, .panel = panel, .dock = dock});
    connect(panel, &Panel::entryWanted, this, [this, panel] { enter(*panel); });
    connect(panel, &Panel::frontWanted, this, [this, panel] { bringToFront(*panel); });
    const std::size_t place = docks.all().size() - 1;
    connect(dock, &QDockWidget::visibilityChanged, this, [this, place](bool front) {
        docks.all()[place].inFront = front;
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

void PanelArea::settle() {
    applySizes();
    laidOut = laidOut || isVisible();
    docks.updateTitleBars(*this);
    for (const Entry& entry : docks.all()) {
        entry.panel->setInspectorOpen(!docks.dockOf("inspector")->isHidden());
    }
    emit arranged();
    if (Panel* const panel = std::exchange(entered, nullptr)) {
        bringForward(*panel);
        return;
    }
    const auto inFront = std::ranges::find_if(docks.all(), &Entry::inFront);
    if (!docks.of(*active).inFront && inFront != docks.all().end()) {
        setActive(*inFront->panel);
        setFocusTo(*active, Qt::TabFocusReason);  // tabs do not take the focus
    }
}

void PanelArea::releaseSeparator() {
    const QPointF outside(-1, -1);
    QMouseEvent release(QEvent::MouseButtonRelease, outside, mapToGlobal(outside), Qt::LeftButton,
                        Qt::NoButton, Qt::NoModifier);
    QMainWindow::event(&release);
    QHoverEvent leave(QEvent::HoverLeave, outside, mapToGlobal(outside), outside);
    QCoreApplication::sendEvent(this, &leave);
}

void PanelArea::removeAll() {
    releaseSeparator();
    hidden.clear();
    for (Entry& entry : docks.all()) {
        if (entry.dock->isFloating()) {      // Qt also hides and shows docks that do not float
            entry.dock->setFloating(false);  // a dock without a position would stay a window
        }
        removeDockWidget(entry.dock);
        entry.inFront = false;  // a window that was not shown yet does not emit this
    }
}

void PanelArea::rearrange() {
    const Rearranging rearranging(*this);
    removeAll();
    arrange(*this, *plan, docks.finder());
    sizes.reset(*plan);
    QTimer::singleShot(0, this, &PanelArea::settle);
    enter(docks.mainPanel(*plan));
    hidden.update(*plan);
}

void PanelArea::arrangeAsKept() {
    const Rearranging rearranging(*this);
    const auto kept = arrangements.find(plan->id);
    if (kept == arrangements.end() || !restoreArrangement(kept->second)) {
        rearrange();
        return;
    }
    enter(docks.mainPanel(*plan));
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
    notifyPerspective();
}

void PanelArea::notifyPerspective() {
    for (const Entry& entry : docks.all()) {
        entry.panel->arrangedFor(*plan);
    }
    emit perspectiveChanged();
}

void PanelArea::resetLayout() {
    besideMaximized.clear();
    hidden.setDrawerWanted(false);
    arrangements.erase(plan->id);
    rearrange();
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
    for (const Entry& entry : docks.all()) {
        if (entry.panel != active && !entry.dock->isFloating()) {
            entry.dock->hide();
        }
    }
}

void PanelArea::fold(const std::vector<PanePlan>& places) {
    setMaximized(false);
    const LayoutPause pause(*this);
    QList<QDockWidget*> placed;
    for (const PanePlan& place : places) {
        for (const std::string_view id : place.panels) {
            QDockWidget* const dock = docks.dockOf(id);
            if (dock != nullptr && !dock->isFloating() && dockWidgetArea(dock) != Qt::NoDockWidgetArea) {
                placed.append(dock);
            }
        }
    }
    const bool hide = std::ranges::any_of(placed, [](const QDockWidget* dock) { return !dock->isHidden(); });
    for (QDockWidget* const dock : placed) {
        if (hidden.isInDrawer(*plan, *dock)) {
            hidden.setDrawerWanted(!hide);
            hidden.forget(*dock);
        }
        dock->setVisible(!hide);
    }
    sizes.request();
    if (!hide && !placed.isEmpty()) {
        placed.front()->raise();
    }
}

void PanelArea::bringToFront(Panel& panel) {
    QDockWidget* const dock = docks.of(panel).dock;
    if (!maximized() && !dock->isHidden() && dockWidgetArea(dock) != Qt::NoDockWidgetArea) {
        dock->raise();
    }
}

bool PanelArea::shows(const Panel& panel) const {
    return docks.of(panel).inFront;
}

void PanelArea::enter(Panel& panel) {
    if (maximized() && &panel != active && !docks.of(panel).dock->isFloating()) {
        docks.of(*active).dock->hide();
    }
    setActive(panel);
    bringForward(panel);
    // Docks that were not shown yet cannot be raised permanently.
    entered = &panel;
    QTimer::singleShot(0, this, &PanelArea::settle);
}

void PanelArea::enter(std::string_view id) {
    if (const Entry* const found = docks.find(id)) {
        enter(*found->panel);
    }
}

void PanelArea::bringForward(Panel& panel) {
    QDockWidget* const dock = docks.of(panel).dock;
    if (dockWidgetArea(dock) == Qt::NoDockWidgetArea && !dock->isFloating()) {
        releaseSeparator();
        tabifyDockWidget(mainDock(*plan, docks.finder()), dock);
    }
    if (hidden.forget(*dock) && hidden.isInDrawer(*plan, *dock)) {
        hidden.setDrawerWanted(true);
        hidden.fitDrawer(*plan);
    }
    sidePane.hideOthers(*dock);
    if (dock->isHidden()) {
        sizes.request();
    }
    dock->show();
    dock->raise();
    setFocusTo(panel, Qt::OtherFocusReason);
}

void PanelArea::showContent() {
    if (!maximized()) {
        hidden.update(*plan);
        QTimer::singleShot(0, this, &PanelArea::settle);
    }
    if (active->hasContent() && !docks.of(*active).dock->isHidden()) {
        if (!isAncestorOf(QApplication::focusWidget())) {
            setFocusTo(*active, Qt::OtherFocusReason);  // enables its shortcuts immediately
        }
        return;
    }
    const auto enterFirst = [this](auto accepts) {
        const auto found = std::ranges::find_if(
            docks.all(), [&](const Entry& entry) { return entry.panel->hasContent() && accepts(entry); });
        if (found != docks.all().end()) {
            enter(*found->panel);
        }
        return found != docks.all().end();
    };
    const auto inCentre = [this](const Entry& entry) { return isCentral(*plan, entry.info->id); };
    const bool known = enterFirst(inCentre) || enterFirst([](const Entry& entry) { return entry.inFront; });
    if (!known) {
        enterFirst([](const Entry&) { return true; });
    }
}

bool PanelArea::hasContent() const {
    return docks.hasContent();
}

void PanelArea::setActive(Panel& panel) {
    if (active != &panel) {
        active = &panel;
        emit currentChanged();
    }
}

void PanelArea::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    sizes.request();
    // Docks that are shown or hidden during resizing would get no size.
    QTimer::singleShot(0, this, [this] {
        if (!maximized() && hidden.fitDrawer(*plan)) {
            settle();
        } else {
            applySizes();
        }
    });
}

/// The state of the docks, and which of them are placed: Qt's state also includes removed docks.
QByteArray PanelArea::arrangement() const {
    if (maximized()) {
        return besideMaximized;
    }
    QStringList placed;
    const LayoutPause resting(*this);
    // A pane without content may have some next time.
    for (QDockWidget* const dock : hidden.all()) {
        dock->show();
    }
    for (const Entry& entry : docks.all()) {
        if (dockWidgetArea(entry.dock) != Qt::NoDockWidgetArea || entry.dock->isFloating()) {
            placed.append(QLatin1String(entry.info->id));
        }
    }
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << placed << saveState(layoutVersion) << sizes.shares();
    for (QDockWidget* const dock : hidden.all()) {
        dock->hide();
    }
    return bytes;
}

bool PanelArea::restoreArrangement(const QByteArray& bytes) {
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
    for (const Entry& entry : docks.all()) {
        if (!placed.contains(QLatin1String(entry.info->id))) {
            removeDockWidget(entry.dock);
        }
    }
    sizes.reset(*plan, kept);
    hidden.update(*plan);
    return true;
}

void PanelArea::applySizes() {
    if (!maximized()) {
        sizes.apply(*plan);
    }
}

void PanelArea::measureSizes() {
    if (laidOut && !maximized()) {
        sizes.measure(*plan);
    }
}

bool PanelArea::event(QEvent* event) {
    const bool handled = QMainWindow::event(event);
    if (event->type() == QEvent::MouseButtonRelease) {  // of a separator: Qt lays out again afterwards
        QTimer::singleShot(0, this, &PanelArea::measureSizes);
    }
    return handled;
}

void PanelArea::saveTo(QSettings& settings) const {
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
    for (const Entry& entry : docks.all()) {
        settings.setValue(stateKey(*entry.info), entry.panel->saveState());
    }
}

void PanelArea::restoreFrom(const QSettings& settings) {
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
    for (const Entry& entry : docks.all()) {
        entry.panel->restoreState(settings.value(stateKey(*entry.info)).toByteArray());
    }
    notifyPerspective();
}

}  // namespace et::studio
