#include "visualizers/memory/plan_image.h"

#include <QColor>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace et::visualizers {

using inspector::PlanBox;

namespace {

constexpr int edgeFrom = 4;  // minimum size in dots of a box with an outline
constexpr int edgeDarkness = 130;
/// Maximum average number of times a dot is painted. Tensors of a valid plan do not overlap, but an invalid
/// plan may have thousands that all do.
constexpr std::int64_t maxLayers = 64;

/// A rectangle of dots; right and bottom are exclusive.
struct Dots {
    int left;
    int top;
    int right;
    int bottom;
};

void fill(QImage& image, const Dots& area, QRgb colour) {
    for (int row = area.top; row < area.bottom; ++row) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(row));
        std::fill(line + area.left, line + area.right, colour);
    }
}

/// The part of a box inside the image.
Dots clipped(const QRectF& box, double ratio, const QImage& image) {
    const auto dot = [ratio](double pixel, int max) {
        return static_cast<int>(std::clamp(std::floor(pixel * ratio), 0.0, static_cast<double>(max)));
    };
    Dots dots{.left = dot(box.left(), image.width()),
              .top = dot(box.top(), image.height()),
              .right = dot(box.right(), image.width()),
              .bottom = dot(box.bottom(), image.height())};
    dots.right = std::min(std::max(dots.right, dots.left + 1), image.width());
    dots.bottom = std::min(std::max(dots.bottom, dots.top + 1), image.height());
    return dots;
}

}  // namespace

QRectF PlanWindow::rectOf(const PlanBox& box) const {
    const double left = x.pixelOf(axis.startOf(box.first));
    const double right = x.pixelOf(axis.endOf(box.last));
    const double bottom = y.pixels() - y.pixelOf(static_cast<double>(box.offset));
    const double top = y.pixels() - y.pixelOf(static_cast<double>(box.end()));
    return {left, top, std::max(right - left, 1.0), std::max(bottom - top, 1.0)};
}

bool PlanWindow::shows(const PlanBox& box) const {
    return axis.startOf(box.first) <= x.to() && axis.endOf(box.last) >= x.from() &&
           static_cast<double>(box.offset) <= y.to() && static_cast<double>(box.end()) >= y.from();
}

inspector::plot::Box PlanWindow::part() const {
    return {.x = x.from() / x.length(),
            .y = 1 - y.to() / y.length(),
            .width = (x.to() - x.from()) / x.length(),
            .height = (y.to() - y.from()) / y.length()};
}

QImage planImage(const PlanWindow& window, std::span<const PlanBox> boxes, std::span<const QRgb> colours,
                 double ratio) {
    QImage image(static_cast<int>(window.x.pixels() * ratio), static_cast<int>(window.y.pixels() * ratio),
                 QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    std::int64_t budget = std::int64_t{image.width()} * image.height() * maxLayers;
    for (const PlanBox& box : boxes) {
        if (!window.shows(box)) {
            continue;
        }
        const Dots dots = clipped(window.rectOf(box), ratio, image);
        budget -= std::int64_t{dots.right - dots.left} * (dots.bottom - dots.top);
        if (budget < 0) {
            break;
        }
        const QRgb colour = colours[box.tensor];
        if (dots.right - dots.left < edgeFrom || dots.bottom - dots.top < edgeFrom) {
            fill(image, dots, colour);
            continue;
        }
        fill(image, dots, QColor::fromRgb(colour).darker(edgeDarkness).rgb());
        fill(image, {dots.left, dots.top, dots.right - 1, dots.bottom - 1}, colour);
    }
    return image;
}

}  // namespace et::visualizers
