#pragma once

#include "visualizers/limits/roofline_scene.h"

#include <QPalette>
#include <QRectF>
#include <QString>

#include <cstddef>
#include <optional>

class QPainter;

namespace et::visualizers {

/// A roofline plot as it lies on screen.
struct ShownRoofline {
    const RooflineScene& scene;
    QRectF area;  ///< pixels between the axes
    QRectF part;  ///< of the whole picture (0 to 1 each way) that is on screen
    std::optional<std::size_t> chosen{};
    std::optional<std::size_t> hovered{};

    [[nodiscard]] QPointF onScreen(const QPointF& place) const;
    /// Of a point, in pixels; larger ones took more of the time.
    [[nodiscard]] double radiusOf(std::size_t point) const;
};

void paintRoofline(QPainter& painter, const ShownRoofline& shown, const QPalette& palette);

/// "conv_7   ·   40.0 µs, 12.5 % of the time   ·   22.1 GFLOP/s at 9.4 operations a byte   ·   18 % of what
/// the machine can do, bound by L2".
[[nodiscard]] QString rooflinePointText(const inspector::RooflinePoint& point);

}  // namespace et::visualizers
