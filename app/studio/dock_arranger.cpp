#include "app/studio/dock_arranger.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>

#include <ranges>
#include <utility>
#include <vector>

namespace et::studio {

namespace {

/// Tabbed docks; the first is in front.
using Stack = std::vector<QDockWidget*>;

Stack stackOf(const PanePlan& pane, const DockById& dockOf) {
    Stack stack;
    for (const std::string_view id : pane.panels) {
        if (QDockWidget* const dock = dockOf(id)) {
            stack.push_back(dock);
        }
    }
    return stack;
}

/// Places docks next to each other. A dock with tabs cannot be split, so tabs are added last.
class Arranger {
  public:
    Arranger(QMainWindow& window, const DockById& finder) : area(window), dockOf(finder) {}

    /// Places the pane to the right of or below `beside`, or as the first one. Returns the placed dock; if
    /// the pane is empty, `beside`.
    QDockWidget* place(const PanePlan& pane, QDockWidget* beside, Qt::Orientation direction) {
        Stack docks = stackOf(pane, dockOf);
        if (docks.empty()) {
            return beside;
        }
        QDockWidget* const front = docks.front();
        if (beside == nullptr) {
            area.addDockWidget(Qt::TopDockWidgetArea, front);
        } else {
            area.splitDockWidget(beside, front, direction);
        }
        front->show();
        stacks.push_back({.docks = std::move(docks), .pane = &pane});
        return front;
    }
    QDockWidget* placeBelow(std::span<const PanePlan> panes, QDockWidget* above) {
        for (const PanePlan& pane : panes) {
            above = place(pane, above, Qt::Vertical);
        }
        return above;
    }
    void addTabs() {
        for (const auto& [docks, pane] : stacks) {
            for (QDockWidget* const dock : docks | std::views::drop(1)) {
                area.tabifyDockWidget(docks.front(), dock);
                dock->show();
                dock->setVisible(!pane->oneAtATime);
            }
            docks.front()->raise();
            docks.front()->setVisible(!pane->folded);
        }
    }

  private:
    QMainWindow& area;
    const DockById& dockOf;
    struct Placed {
        Stack docks;
        const PanePlan* pane;
    };
    std::vector<Placed> stacks;
};

}  // namespace

LayoutPause::LayoutPause(const QMainWindow& of) : area(of), outermost(of.layout()->isEnabled()) {
    area.layout()->setEnabled(false);
}

LayoutPause::~LayoutPause() {
    if (outermost) {
        area.layout()->setEnabled(true);
        area.layout()->activate();
    }
}

QDockWidget* mainDock(const Perspective& plan, const DockById& dockOf) {
    for (const PanePlan& pane : plan.centre) {
        if (const Stack docks = stackOf(pane, dockOf); !docks.empty()) {
            return docks.front();
        }
    }
    return nullptr;
}

void arrange(QMainWindow& area, const Perspective& plan, const DockById& dockOf) {
    Arranger arranger(area, dockOf);
    const std::span<const PanePlan> rows(plan.centre);
    const std::span<const PanePlan> right(plan.right);
    QDockWidget* const left = arranger.place(plan.left, nullptr, Qt::Horizontal);
    QDockWidget* const centre = arranger.place(rows.front(), left, Qt::Horizontal);
    if (!right.empty()) {
        QDockWidget* const beside = arranger.place(right.front(), centre, Qt::Horizontal);
        arranger.placeBelow(right.subspan(1), beside);
    }
    QDockWidget* const last = arranger.placeBelow(rows.subspan(1), centre);
    arranger.place(plan.bottom, last, Qt::Vertical);
    arranger.addTabs();
}

}  // namespace et::studio
