#pragma once

#include "visualizers/lab/pareto_scene.h"

#include <QPalette>
#include <QRectF>

#include <cstddef>
#include <optional>

class QFontMetrics;
class QPainter;

namespace et::visualizers {

/// A Pareto plot as it lies on screen, or on a page.
struct ShownPareto {
    const ParetoScene& scene;
    QRectF area;                           ///< pixels between the axes
    QRectF part{0, 0, 1, 1};               ///< of the whole picture that is on screen
    std::optional<std::size_t> chosen{};   ///< a point
    std::optional<std::size_t> hovered{};  ///< likewise

    [[nodiscard]] QPointF onScreen(const QPointF& place) const;
};

/// What a picture of this size leaves for the points, between its axes.
[[nodiscard]] QRectF paretoArea(const QRectF& picture, const QFontMetrics& letters);

/// Paints on any device: a widget, an image, an SVG picture.
void paintPareto(QPainter& painter, const ShownPareto& shown, const QPalette& palette);

}  // namespace et::visualizers
