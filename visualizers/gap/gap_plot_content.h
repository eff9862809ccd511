#pragma once

#include "inspector/numeric_gap/gap_report.h"
#include "visualizers/gap/gap_axis.h"
#include "visualizers/gap/gap_quantity.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QFontMetrics>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {

/// What a plot of a gap shows, and where: a quantity of each operator in execution order.
struct GapPlotContent {
    std::shared_ptr<const inspector::GapReport> report{};  ///< null: nothing is shown
    const GapQuantity* quantity = nullptr;
    GapAxis axis{};
    std::vector<std::vector<std::optional<double>>> places{};  ///< on the axis, by series and row
    std::vector<bool> kept{};  ///< by row: all others are pale; empty: none is
    bool pale = false;         ///< all rows are
    std::optional<std::size_t> chosen{};
    std::optional<std::size_t> glowing{};  ///< what the pointer is over, here or in another view
    ZoomRange window{};                    ///< in rows, over the width of `area`
    QRectF area{};                         ///< of the marks, in pixels of the widget

    /// The numbers of a quantity of the report.
    void setQuantity(const GapQuantity& shown);
    /// Where the marks are in a widget, behind the labels.
    [[nodiscard]] static QRectF areaIn(const QSize& widget, const QFontMetrics& metrics);

    [[nodiscard]] std::size_t rowCount() const { return report ? report->rows.size() : 0; }
    [[nodiscard]] bool isKept(std::size_t row) const { return kept.empty() || kept[row]; }
    [[nodiscard]] bool isFull(std::size_t row) const { return !pale && isKept(row); }
    /// Pixels a row.
    [[nodiscard]] double spacing() const { return 1 / window.perPixel(); }
    [[nodiscard]] double xOf(double row) const { return area.left() + window.pixelOf(row); }
    [[nodiscard]] std::optional<std::size_t> rowAt(double x) const;
    /// The first on screen, and the one behind the last.
    [[nodiscard]] std::pair<std::size_t, std::size_t> visibleRows() const;
    /// Nothing where the row has no number, or is not on screen.
    [[nodiscard]] std::optional<QPointF> markOf(std::size_t row, std::size_t series) const;
    /// The next (1) or previous (-1) row that is kept.
    [[nodiscard]] std::optional<std::size_t> beside(int by) const;
    [[nodiscard]] QString tipOf(std::size_t row) const;
    /// One line of it: "57 add   own 3.6e-07   inherited 5.4e-07 (max abs)".
    [[nodiscard]] QString lineOf(std::size_t row) const;
};

}  // namespace et::visualizers
