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

/// Content and geometry of a gap plot: a quantity of each operator in execution order.
struct GapPlotContent {
    std::shared_ptr<const inspector::GapReport> report{};  ///< null: empty plot
    const GapQuantity* quantity = nullptr;
    GapAxis axis{};
    std::vector<std::vector<std::optional<double>>> places{};  ///< positions on the axis, by series and row
    std::vector<bool> kept{};                                  ///< by row: others are pale; empty: all kept
    bool pale = false;                                         ///< all rows are pale
    std::optional<std::size_t> chosen{};
    std::optional<std::size_t> glowing{};  ///< row under the pointer, here or in another view
    ZoomRange window{};                    ///< in rows, across the width of `area`
    QRectF area{};                         ///< area of the marks in widget pixels

    /// Sets the quantity and reads its numbers from the report.
    void setQuantity(const GapQuantity& shown);
    /// Area of the marks in a widget of this size, next to the labels.
    [[nodiscard]] static QRectF areaIn(const QSize& widget, const QFontMetrics& metrics);

    [[nodiscard]] std::size_t rowCount() const { return report ? report->rows.size() : 0; }
    [[nodiscard]] bool isKept(std::size_t row) const { return kept.empty() || kept[row]; }
    [[nodiscard]] bool isFull(std::size_t row) const { return !pale && isKept(row); }
    /// Pixels per row.
    [[nodiscard]] double spacing() const { return 1 / window.perPixel(); }
    [[nodiscard]] double xOf(double row) const { return area.left() + window.pixelOf(row); }
    [[nodiscard]] std::optional<std::size_t> rowAt(double x) const;
    /// First and past-the-end row on screen.
    [[nodiscard]] std::pair<std::size_t, std::size_t> visibleRows() const;
    /// Nothing if the row has no number or is not on screen.
    [[nodiscard]] std::optional<QPointF> markOf(std::size_t row, std::size_t series) const;
    /// The next (1) or previous (-1) kept row.
    [[nodiscard]] std::optional<std::size_t> beside(int by) const;
    [[nodiscard]] QString tipOf(std::size_t row) const;
    /// One-line tip: "57 add   own 3.6e-07   inherited 5.4e-07 (max abs)".
    [[nodiscard]] QString lineOf(std::size_t row) const;
};

}  // namespace et::visualizers
