#pragma once

#include "app/studio/dock_arranger.h"

#include <QString>

#include <map>

class QDataStream;
class QDockWidget;
class QMainWindow;

namespace et::studio {

/// The size of a dock as a fraction (0 to 1) of its area, including its tab bar.
struct DockShare {
    double width = 0;
    double height = 0;
};

/// Shares by the object name of the dock. Unlike QMainWindow's pixels, they apply to windows of any size and
/// to docks that are currently hidden.
using DockShares = std::map<QString, DockShare>;

/// Initial shares of the docks of `plan`.
[[nodiscard]] DockShares plannedShares(const Perspective& plan, const DockById& dockOf);

/// Updates `shares` with the current sizes, except for the flexible dock, whose size depends on the other
/// visible docks.
void measureShares(const QMainWindow& area, const Perspective& plan, const DockById& dockOf,
                   DockShares& shares);

/// Resizes the visible docks to their shares. The flexible dock (the first visible one in the plan's centre)
/// gets the rest, at least half the width: if the others leave less, each of them is limited to 30 %.
void applyShares(QMainWindow& area, const Perspective& plan, const DockById& dockOf,
                 const DockShares& shares);

QDataStream& operator<<(QDataStream& stream, const DockShares& shares);
QDataStream& operator>>(QDataStream& stream, DockShares& shares);

}  // namespace et::studio
