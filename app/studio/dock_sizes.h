#pragma once

#include "app/studio/dock_arranger.h"
#include "app/studio/panel_docks.h"

#include <QString>

#include <map>

namespace et::studio {

/// The size of a dock as a fraction (0 to 1) of its area, including its tab bar.
struct DockShare {
    double width = 0;
    double height = 0;
};

/// Shares by the object name of the dock. Unlike QMainWindow's pixels, they apply to windows of any size and
/// to docks that are currently hidden.
using DockShares = std::map<QString, DockShare>;

QDataStream& operator<<(QDataStream& stream, const DockShares& shares);
QDataStream& operator>>(QDataStream& stream, DockShares& shares);

/// The shares of docks in the current perspective, which are applied when the area has its final size.
class DockSizes {
  public:
    /// Both must outlive this object.
    DockSizes(QMainWindow& of, const PanelDocks& placed) : area(of), docks(placed) {}

    [[nodiscard]] const DockShares& shares() const { return current; }
    /// Replaces the shares by those of the plan, except those in `kept`.
    void reset(const Perspective& plan, const DockShares& kept = {});
    /// Call after docks were placed, shown or hidden.
    void request() { wanted = true; }
    /// Resizes the docks to their shares, if requested.
    void apply(const Perspective& plan);
    /// Call after the user has moved a dock or a separator; does nothing while a resize is pending.
    void measure(const Perspective& plan);

  private:
    QMainWindow& area;
    const PanelDocks& docks;
    DockShares current;
    bool wanted = false;  ///< docks are placed but not yet sized
};

}  // namespace et::studio
