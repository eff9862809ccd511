#include "visualizers/graph/graph_image.h"

#include <QPainter>

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr double imageMargin = 16;

}  // namespace

QImage graphImage(const GraphScene& scene, const inspector::BoxColours& fills, const GraphMarks& marks,
                  const GraphStyle& style, double scale, int maxPixels) {
    PlaneView whole;
    whole.setContent(scene.bounds());
    const QSizeF size = whole.content().size() + QSizeF(2 * imageMargin, 2 * imageMargin);
    const double used = std::min(scale, maxPixels / std::max(size.width(), size.height()));
    whole.setSize(size * used);
    whole.fit();
    whole.zoom(used / whole.scale(), {});
    whole.centre(whole.content().center());
    QImage image((size * used).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    image.fill(style.ground);
    QPainter painter(&image);
    GraphPainter(scene, fills, marks, style, whole).paint(painter);
    return image;
}

}  // namespace et::visualizers
