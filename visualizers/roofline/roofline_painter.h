#pragma once

#include "visualizers/roofline/roofline_scene.h"

#include <QPalette>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>

class QPainter;

namespace et::visualizers {

/// View state of a roofline plot.
struct ShownRoofline {
    const RooflineScene& scene;
    QRectF area;  ///< pixels between the axes
    QRectF part;  ///< visible part of the whole plot (0 to 1 in each direction)
    std::optional<std::size_t> chosen{};
    std::optional<std::size_t> hovered{};

    [[nodiscard]] QPointF onScreen(const QPointF& place) const;
    /// Radius of a point in pixels; grows with its share of the time.
    [[nodiscard]] double radiusOf(std::size_t point) const;
};

void paintRoofline(QPainter& painter, const ShownRoofline& shown, const QPalette& palette);

/// "conv_7   ·   40.0 µs, 12.5 % of the time   ·   22.1 GFLOP/s at 9.4 operations per byte   ·   18 % of the
/// limit, bound by L2".
[[nodiscard]] QString rooflinePointText(const inspector::RooflinePoint& point);

}  // namespace et::visualizers
