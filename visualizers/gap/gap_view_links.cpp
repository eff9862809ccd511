// Links of the gap view with others: hovering, and links to its state.
#include "visualizers/gap/gap_filter.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_view.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/hover_tree.h"

#include <QComboBox>
#include <QDataStream>
#include <QIODevice>

#include <algorithm>
#include <cmath>
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

QTreeView& GapView::table() {
    return *list;
}

void GapView::connectHover() {
    connect(graph, &GapPlot::rowHovered, this, &GapView::point);
    connect(list, &QAbstractItemView::entered, this, [this](const QModelIndex& index) {
        const QModelIndex source = proxy->mapToSource(index);
        point(source.isValid() ? std::optional(static_cast<std::size_t>(source.row())) : std::nullopt);
    });
    connect(list, &HoverTree::pointerLeft, this, [this] { point(std::nullopt); });
    connect(&chosen, &Selection::hoverChanged, this, &GapView::showHovered);
}

/// Highlights the hovered row of this view, even if no event of it is known.
void GapView::point(std::optional<std::size_t> row) {
    const auto gap = results.gap();
    const bool known = row && gap && *row < gap->rows.size();
    pointing = true;
    if (known) {
        chosen.setHoveredHandles(gap->method, gap->rows[*row].referenceHandles);
    } else {
        chosen.setHovered(std::nullopt);
    }
    pointing = false;
    glow(known ? row : std::nullopt);
}

void GapView::glow(std::optional<std::size_t> row) {
    graph->setGlowing(row);
    list->setGlowing(row ? proxy->mapFromSource(rows->index(static_cast<int>(*row), 0)) : QModelIndex());
}

void GapView::showHovered() {
    if (!pointing) {
        const auto gap = results.gap();
        const bool any = chosen.hoveredEvent() != nullptr;
        glow(gap && any ? rowOfEvent(*gap, chosen.hoveredHandles()) : std::nullopt);
    }
}

QByteArray GapView::viewState() const {
    if (!results.gap()) {
        return wantedView;
    }
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << quantities->currentData().toString() << graph->range().from() << graph->range().to();
    return state;
}

void GapView::restoreView(const QByteArray& state) {
    if (!results.gap()) {
        wantedView = state;  // applied once a gap is calculated
        return;
    }
    wantedView.clear();
    QString quantity;
    double from = 0;
    double to = 0;
    QDataStream stream(state);
    stream >> quantity >> from >> to;
    if (stream.status() != QDataStream::Ok || !std::isfinite(from) || !std::isfinite(to) || from >= to) {
        return;
    }
    if (const int place = quantities->findData(quantity); place >= 0) {
        quantities->setCurrentIndex(place);
        wantedQuantity = quantity;
        showQuantity();
    }
    graph->showRows(from, to);
}

}  // namespace et::visualizers
