#include "app/studio/panel_area.h"
#include "app/studio/rearranging.h"

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

QString stateKey(const PanelInfo& info) {
    return QStringLiteral("panels/") + QLatin1String(info.id);
}

QString stateKey(const Perspective& perspective) {
    return QStringLiteral("perspectives/") + QLatin1String(perspective.id);
}

}  // namespace

PanelArea::Rearranging::Rearranging(PanelArea& of)
    : area(of), wasVisible(of.isVisible()), pause(std::in_place, of) {
    area.laidOut = false;
    if (wasVisible) {
        area.rearranged = true;
        area.hide();
    }
}

PanelArea::Rearranging::~Rearranging() {
    area.updateTitleBars();
    pause.reset();
    area.giveSizes();  // repeated by settle(), when the area has its final size
    if (wasVisible) {
        area.rearranged = false;
        area.show();
    }
}

/// The first panel of the centre with content, or else the first in a pane that stays without content.
Panel& PanelArea::mainPanel() const {
    const PanePlan* stays = nullptr;
    for (const PanePlan& pane : plan->centre) {
        for (const std::string_view id : pane.panels) {
            const auto found = std::ranges::find(all, dockOf(id), &Entry::dock);
            if (found != all.end() && found->panel->hasContent()) {
                return *found->panel;
            }
        }
        stays = stays == nullptr && !pane.mayBeAway ? &pane : stays;
    }
    const PanePlan& pane = stays == nullptr ? plan->centre.front() : *stays;
    return *std::ranges::find(all, dockOf(pane.panels.front()), &Entry::dock)->panel;
}

std::string_view PanelArea::sidePanel() const {
    const auto shown = std::ranges::find_if(sidePanels(), [this](std::string_view id) {
        const QDockWidget* const dock = dockOf(id);
        return !dock->isHidden() && !dock->isFloating();
    });
    return shown == sidePanels().end() ? std::string_view() : *shown;
}

void PanelArea::toggleSide(std::string_view id) {
    if (sidePanel() == id) {
        foldSide();
    } else {
        enter(id);
    }
}

void PanelArea::foldSide() {
    setMaximized(false);
    if (const std::string_view shown = sidePanel(); !shown.empty()) {
        lastAtSide = shown;
        dockOf(shown)->hide();
        return;
    }
    const auto isUseful = [this](std::string_view id) {
        return std::ranges::find(all, dockOf(id), &Entry::dock)->panel->hasContent();
    };
    const auto useful = std::ranges::find_if(sidePanels(), isUseful);
    if (!lastAtSide.empty() && isUseful(lastAtSide)) {
        enter(lastAtSide);
    } else if (useful != sidePanels().end()) {
        enter(*useful);
    }
}

/// Shows one panel of the left pane and hides the others there; those that the user has moved elsewhere are
/// not affected.
void PanelArea::makeAloneAtSide(const QDockWidget& dock) {
    const auto isAtSide = [this](const QDockWidget& which) {
        return std::ranges::any_of(sidePanels(), [&](std::string_view id) { return dockOf(id) == &which; });
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
void PanelArea::hideEmptyPanes() {
    const LayoutPause pause(*this);
    const auto has = [this](const PanePlan& pane, std::string_view shown) {
        const std::string_view which = pane.oneAtATime ? shown : pane.panels.front();
        return std::ranges::any_of(
            all, [&](const Entry& entry) { return which == entry.info->id && entry.panel->hasContent(); });
    };
    std::vector<PanePlan> panes = plan->centre;
    panes.push_back(plan->left);
    for (const PanePlan& pane : panes) {
        for (const std::string_view id : pane.panels) {
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

bool PanelArea::isInDrawer(const QDockWidget& dock) const {
    return !dock.isFloating() &&
           std::ranges::any_of(plan->bottom.panels, [&](std::string_view id) { return dockOf(id) == &dock; });
}

bool PanelArea::drawerIsAway() const {
    return plan->bottom.awayWhenLow && !drawerWanted && (isVisible() || rearranged) && height() < lowArea;
}

void PanelArea::fitDrawer() {
    const bool away = drawerIsAway();
    for (const std::string_view id : plan->bottom.panels) {
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

void PanelArea::resizeEvent(QResizeEvent* event) {
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
QByteArray PanelArea::arrangement() const {
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

DockById PanelArea::finder() const {
    return [this](std::string_view id) { return dockOf(id); };
}

void PanelArea::giveSizes() {
    if (sizesWanted && !maximized()) {
        applyShares(*this, *plan, finder(), shares);
        sizesWanted = !isVisible();  // hidden docks are laid out again when shown
    }
}

void PanelArea::measureSizes() {
    if (laidOut && !sizesWanted && !maximized()) {
        measureShares(*this, *plan, finder(), shares);
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
    for (const Entry& entry : all) {
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
    for (const Entry& entry : all) {
        entry.panel->restoreState(settings.value(stateKey(*entry.info)).toByteArray());
    }
    tellPerspective();
}

}  // namespace et::studio
