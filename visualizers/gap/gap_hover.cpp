#include "visualizers/gap/gap_hover.h"

#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_table.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"

#include <algorithm>
#include <span>
#include <utility>

namespace et::visualizers {

namespace {

/// The row that represents an event: fewest other debug handles, then most of the event's. (A whole delegate
/// call shares more of them than an operator inside.)
std::optional<std::size_t> rowOfEvent(const inspector::GapReport& report,
                                      std::span<const core::DebugHandle> handles) {
    std::optional<std::size_t> best;
    std::pair<std::size_t, std::size_t> least;  // debug handles: the row's others, and the event's missing
                                                // ones
    for (std::size_t row = 0; row < report.rows.size(); ++row) {
        const auto& own = report.rows[row].referenceHandles;
        const auto shared = static_cast<std::size_t>(
            std::ranges::count_if(own, [&](auto handle) { return std::ranges::contains(handles, handle); }));
        const std::pair now(own.size() - shared, handles.size() - std::min(shared, handles.size()));
        if (shared > 0 && (!best || now < least)) {
            best = row;
            least = now;
        }
    }
    return best;
}

}  // namespace

GapHover::GapHover(GapPlot& shownPlot, GapTable& shownTable, Selection& shared, const Results& computed,
                   QObject* parent)
    : QObject(parent), plot(shownPlot), table(shownTable), selection(shared), results(computed) {
    connect(&plot, &GapPlot::rowHovered, this, &GapHover::point);
    connect(&table, &QAbstractItemView::entered, this,
            [this](const QModelIndex& index) { point(table.rowOf(index)); });
    connect(&table, &HoverTree::pointerLeft, this, [this] { point(std::nullopt); });
    connect(&selection, &Selection::hoverChanged, this, &GapHover::showHovered);
}

/// Highlights the hovered row of this view, even if no event of it is known.
void GapHover::point(std::optional<std::size_t> row) {
    const auto gap = results.gap();
    const bool known = row && gap && *row < gap->rows.size();
    pointing = true;
    if (known) {
        selection.setHoveredHandles(gap->method, gap->rows[*row].referenceHandles);
    } else {
        selection.setHovered(std::nullopt);
    }
    pointing = false;
    glow(known ? row : std::nullopt);
}

void GapHover::glow(std::optional<std::size_t> row) {
    plot.setGlowing(row);
    table.setGlowingRow(row);
}

void GapHover::showHovered() {
    if (!pointing) {
        const auto gap = results.gap();
        const bool any = selection.hoveredEvent() != nullptr;
        glow(gap && any ? rowOfEvent(*gap, selection.hoveredHandles()) : std::nullopt);
    }
}

}  // namespace et::visualizers
