#pragma once

#include "visualizers/lab/pareto_scene.h"

#include <QPalette>
#include <QRectF>

#include <cstddef>
#include <optional>

class QFontMetrics;
class QPainter;

namespace et::visualizers {

/// View state of a Pareto plot on screen or on a page.
struct ShownPareto {
    const ParetoScene& scene;
    QRectF area;                           ///< pixels between the axes
    QRectF part{0, 0, 1, 1};               ///< visible part of the whole plot
    std::optional<std::size_t> chosen{};   ///< a point
    std::optional<std::size_t> hovered{};  ///< likewise

    [[nodiscard]] QPointF onScreen(const QPointF& place) const;
};

/// Area for the points between the axes, for a plot of this size.
[[nodiscard]] QRectF paretoArea(const QRectF& picture, const QFontMetrics& letters);

/// Paints on any device: a widget, an image or an SVG picture.
void paintPareto(QPainter& painter, const ShownPareto& shown, const QPalette& palette);

}  // namespace et::visualizers
