#pragma once

#include "app/studio/dock_arranger.h"

#include <QString>

#include <map>

class QDataStream;
class QDockWidget;
class QMainWindow;

namespace et::studio {

/// The size of a dock as a share (0 to 1) of the area that it is in, its tab bar included.
struct DockShare {
    double width = 0;
    double height = 0;
};

/// Shares by the object name of the dock. Unlike QMainWindow's pixels they fit a window of another size, and
/// they hold for a dock that is hidden for now.
using DockShares = std::map<QString, DockShare>;

/// The shares that `plan` gives its docks.
[[nodiscard]] DockShares plannedShares(const Perspective& plan, const DockById& dockOf);

/// Updates `shares` with the sizes on screen. Not those of the flexible dock: its size depends on which other
/// docks are shown.
void measureShares(const QMainWindow& area, const Perspective& plan, const DockById& dockOf,
                   DockShares& shares);

/// Resizes the docks on screen to their shares. The flexible dock gets the rest: the first one of the plan's
/// centre that is shown. It gets at least half the width: if the others leave less, none of them is wider
/// than 30 %.
void applyShares(QMainWindow& area, const Perspective& plan, const DockById& dockOf,
                 const DockShares& shares);

QDataStream& operator<<(QDataStream& stream, const DockShares& shares);
QDataStream& operator>>(QDataStream& stream, DockShares& shares);

}  // namespace et::studio
