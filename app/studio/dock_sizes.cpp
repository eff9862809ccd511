#include "app/studio/dock_sizes.h"

#include <QMainWindow>

namespace et::studio {

void DockSizes::reset(const Perspective& plan, const DockShares& kept) {
    current = plannedShares(plan, docks.finder());
    for (const auto& [name, share] : kept) {
        current[name] = share;
    }
    wanted = true;
}

void DockSizes::apply(const Perspective& plan) {
    if (wanted) {
        applyShares(area, plan, docks.finder(), current);
        wanted = !area.isVisible();  // hidden docks are laid out again when shown
    }
}

void DockSizes::measure(const Perspective& plan) {
    if (!wanted) {
        measureShares(area, plan, docks.finder(), current);
    }
}

}  // namespace et::studio
