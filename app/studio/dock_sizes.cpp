#include "app/studio/dock_sizes.h"

#include <QDataStream>
#include <QDockWidget>
#include <QMainWindow>
#include <QStyle>
#include <QTabBar>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

namespace et::studio {

namespace {

constexpr double percent = 100;
/// Limits for docks whose stored shares leave the flexible dock too little.
constexpr double leastWidth = 0.5;
constexpr double mostSideWidth = 0.3;
constexpr double leastHeight = 0.25;

/// A visible dock and its geometry, including the tab bar above it.
struct ShownDock {
    QDockWidget* dock = nullptr;
    QRect place;
};

bool isInFront(const QMainWindow& area, QDockWidget* dock) {
    // Qt moves docks that are behind another tab out of the area.
    return !dock->isHidden() && !dock->isFloating() && area.dockWidgetArea(dock) != Qt::NoDockWidgetArea &&
           area.rect().intersects(dock->geometry());
}

QRect withTabBar(const QMainWindow& area, const QRect& dock) {
    for (const QTabBar* const bar : area.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        const QRect place = bar->geometry();
        const bool isAbove =
            place.bottom() + 1 == dock.top() && place.left() <= dock.right() && place.right() >= dock.left();
        if (bar->isVisibleTo(&area) && isAbove) {
            return {QPoint(dock.left(), place.top()), dock.bottomRight()};
        }
    }
    return dock;
}

std::vector<ShownDock> shownDocks(const QMainWindow& area) {
    std::vector<ShownDock> shown;
    for (QDockWidget* const dock : area.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        if (isInFront(area, dock)) {
            shown.push_back({.dock = dock, .place = withTabBar(area, dock->geometry())});
        }
    }
    return shown;
}

const ShownDock* flexibleDock(const std::vector<ShownDock>& shown, const Perspective& plan,
                              const DockById& dockOf) {
    for (const PanePlan& pane : plan.centre) {
        for (const std::string_view id : pane.panels) {
            if (const auto found = std::ranges::find(shown, dockOf(id), &ShownDock::dock);
                found != shown.end()) {
                return &*found;
            }
        }
    }
    return nullptr;
}

bool overlaps(int from, int to, int otherFrom, int otherTo) {
    return from <= otherTo && otherFrom <= to;
}
bool isInRowOf(const QRect& one, const QRect& other) {
    return overlaps(one.top(), one.bottom(), other.top(), other.bottom());
}
bool isInColumnOf(const QRect& one, const QRect& other) {
    return overlaps(one.left(), one.right(), other.left(), other.right());
}

/// Docks to resize in one direction, and their pixels.
struct Resizing {
    QList<QDockWidget*> docks;
    QList<int> pixels;

    void add(QDockWidget* dock, double size) {
        docks.append(dock);
        pixels.append(std::max(1, static_cast<int>(std::lround(size))));
    }
};

/// Splits a length among docks of the given shares and the flexible dock, which comes last.
Resizing split(const std::vector<ShownDock>& others, const std::vector<double>& shares, QDockWidget* flexible,
               int length, int separator) {
    Resizing result;
    double rest = length - separator * static_cast<int>(others.size());
    for (std::size_t i = 0; i < others.size(); ++i) {
        const double size = std::round(shares[i] * length);
        result.add(others[i].dock, size);
        rest -= size;
    }
    result.add(flexible, rest);
    return result;
}

double sum(const std::vector<double>& shares) {
    double total = 0;
    for (const double each : shares) {
        total += each;
    }
    return total;
}

DockShare measured(const QMainWindow& area, const ShownDock& shown) {
    return {.width = double(shown.place.width()) / area.width(),
            .height = double(shown.place.height()) / area.height()};
}

DockShare shareOf(const QMainWindow& area, const ShownDock& shown, const DockShares& shares) {
    const auto known = shares.find(shown.dock->objectName());
    return known != shares.end() ? known->second : measured(area, shown);
}

void applyWidths(QMainWindow& area, const std::vector<ShownDock>& shown, const ShownDock& flexible,
                 const DockShares& shares, int separator) {
    std::vector<ShownDock> sides;
    std::vector<double> widths;
    for (const ShownDock& each : shown) {
        // Among stacked docks at a side, one sets the width of their column.
        const bool isColumn = std::ranges::none_of(
            sides, [&](const ShownDock& side) { return isInColumnOf(side.place, each.place); });
        if (each.dock != flexible.dock && isInRowOf(each.place, flexible.place) && isColumn) {
            sides.push_back(each);
            widths.push_back(shareOf(area, each, shares).width);
        }
    }
    if (1 - sum(widths) < leastWidth) {
        std::ranges::for_each(widths, [](double& width) { width = std::min(width, mostSideWidth); });
    }
    if (const double total = sum(widths); 1 - total < leastWidth) {
        std::ranges::for_each(widths, [&](double& width) { width *= (1 - leastWidth) / total; });
    }
    if (!sides.empty()) {
        const Resizing sizes = split(sides, widths, flexible.dock, area.width(), separator);
        area.resizeDocks(sizes.docks, sizes.pixels, Qt::Horizontal);
    }
}

void applyHeights(QMainWindow& area, const std::vector<ShownDock>& shown, const ShownDock& flexible,
                  const DockShares& shares, int separator) {
    std::vector<ShownDock> column;
    std::vector<double> heights;
    Resizing aside;
    for (const ShownDock& each : shown) {
        if (each.dock == flexible.dock) {
            continue;
        }
        const double height = shareOf(area, each, shares).height;
        // Among adjacent docks below the flexible one, one sets the height of their row.
        const bool isRow = std::ranges::none_of(
            column, [&](const ShownDock& other) { return isInRowOf(other.place, each.place); });
        if (isInColumnOf(each.place, flexible.place) && isRow) {
            column.push_back(each);
            heights.push_back(height);
        } else if (std::ranges::any_of(shown, [&](const ShownDock& other) {
                       return other.dock != each.dock && !isInColumnOf(other.place, flexible.place) &&
                              isInColumnOf(other.place, each.place);
                   })) {
            aside.add(each.dock, height * area.height());
        }
    }
    if (const double total = sum(heights); 1 - total < leastHeight) {
        std::ranges::for_each(heights, [&](double& height) { height *= (1 - leastHeight) / total; });
    }
    if (aside.docks.size() > 1) {
        area.resizeDocks(aside.docks, aside.pixels, Qt::Vertical);
    }
    if (!column.empty()) {
        const Resizing sizes = split(column, heights, flexible.dock, area.height(), separator);
        area.resizeDocks(sizes.docks, sizes.pixels, Qt::Vertical);
    }
}

/// Initial shares of the docks of `plan`.
DockShares plannedShares(const Perspective& plan, const DockById& dockOf) {
    DockShares shares;
    const auto add = [&](const PanePlan& pane, double width, double height) {
        for (const std::string_view id : pane.panels) {
            if (const QDockWidget* const dock = dockOf(id)) {
                shares[dock->objectName()] = {.width = width / percent, .height = height / percent};
            }
        }
    };
    const double right = plan.right.empty() ? 0 : plan.right.front().share;
    const double middle = percent - plan.left.share - right;
    add(plan.left, plan.left.share, percent);
    for (const PanePlan& pane : plan.centre) {
        add(pane, middle, pane.share);
    }
    for (const PanePlan& pane : plan.right) {
        add(pane, right, percent / static_cast<double>(plan.right.size()));
    }
    add(plan.bottom, middle, plan.bottom.share);
    return shares;
}

/// Updates `shares` with the current sizes, except for the flexible dock, whose size depends on the other
/// visible docks.
void measureShares(const QMainWindow& area, const Perspective& plan, const DockById& dockOf,
                   DockShares& shares) {
    const std::vector<ShownDock> shown = shownDocks(area);
    const ShownDock* const flexible = flexibleDock(shown, plan, dockOf);
    for (const ShownDock& each : shown) {
        if (&each == flexible) {
            continue;
        }
        const DockShare share = measured(area, each);
        for (QDockWidget* const tab : area.tabifiedDockWidgets(each.dock)) {
            shares[tab->objectName()] = share;
        }
        shares[each.dock->objectName()] = share;
    }
    // Docks that alternate in a pane share one size.
    for (const std::string_view id : plan.left.panels) {
        if (const auto found = std::ranges::find(shown, dockOf(id), &ShownDock::dock); found != shown.end()) {
            for (const std::string_view other : plan.left.panels) {
                shares[dockOf(other)->objectName()] = measured(area, *found);
            }
        }
    }
}

/// Resizes the visible docks to their shares. The flexible dock (the first visible one in the plan's centre)
/// gets the rest, at least half the width: if the others leave less, each of them is limited to 30 %.
void applyShares(QMainWindow& area, const Perspective& plan, const DockById& dockOf,
                 const DockShares& shares) {
    const std::vector<ShownDock> shown = shownDocks(area);
    const ShownDock* const flexible = flexibleDock(shown, plan, dockOf);
    if (flexible == nullptr) {
        return;
    }
    const int separator = area.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &area);
    applyWidths(area, shown, *flexible, shares, separator);
    applyHeights(area, shown, *flexible, shares, separator);
}

}  // namespace

QDataStream& operator<<(QDataStream& stream, const DockShares& shares) {
    stream << static_cast<quint32>(shares.size());
    for (const auto& [name, share] : shares) {
        stream << name << share.width << share.height;
    }
    return stream;
}

QDataStream& operator>>(QDataStream& stream, DockShares& shares) {
    quint32 count = 0;
    stream >> count;
    shares.clear();
    for (quint32 i = 0; i < count && stream.status() == QDataStream::Ok; ++i) {
        QString name;
        DockShare share;
        stream >> name >> share.width >> share.height;
        const auto isShare = [](double value) { return value > 0 && value <= 1; };  // also false for NaN
        if (isShare(share.width) && isShare(share.height)) {
            shares[name] = share;
        }
    }
    return stream;
}

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
