#include "visualizers/graph/plane_view.h"

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr double fitMargin = 16;        // margin in pixels around fitted content
constexpr double minPart = 0.5;         // minimum scale, relative to the scale that fits everything
constexpr double largestFitted = 1.25;  // limits the scale of small graphs
constexpr double inSight = 40;          // minimum visible part of the content in pixels

}  // namespace

void PlaneView::setContent(const QRectF& bounds) {
    all = bounds.isEmpty() ? QRectF(bounds.topLeft(), QSizeF(1, 1)) : bounds;
    fit();
}

void PlaneView::setSize(const QSizeF& pixels) {
    const QPointF middle = visible().center();
    size = pixels.expandedTo({1, 1});
    centre(middle);
}

QRectF PlaneView::visible() const {
    return {corner, size / zoomed};
}

QRectF PlaneView::toScreen(const QRectF& rect) const {
    return {toScreen(rect.topLeft()), rect.size() * zoomed};
}

double PlaneView::fitting(const QRectF& part) const {
    const double width = std::max(size.width() - 2 * fitMargin, 1.0);
    const double height = std::max(size.height() - 2 * fitMargin, 1.0);
    return std::min(width / std::max(part.width(), 1.0), height / std::max(part.height(), 1.0));
}

double PlaneView::minScale() const {
    return std::min(fitting(all) * minPart, 1.0);
}

void PlaneView::zoom(double factor, const QPointF& pixel) {
    const QPointF point = toPlane(pixel);
    zoomed = std::clamp(zoomed * factor, minScale(), maxScale);
    place(point, pixel);
}

void PlaneView::place(const QPointF& point, const QPointF& pixel) {
    corner = point - pixel / zoomed;
    keepInSight();
}

void PlaneView::pan(const QPointF& pixels) {
    corner += pixels / zoomed;
    keepInSight();
}

void PlaneView::centre(const QPointF& point) {
    place(point, {size.width() / 2, size.height() / 2});
}

void PlaneView::fit() {
    zoomed = std::clamp(std::min(fitting(all), largestFitted), minScale(), maxScale);
    centre(all.center());
}

void PlaneView::show(const QRectF& part, double atMost) {
    zoomed = std::clamp(std::min(fitting(part), atMost), minScale(), maxScale);
    centre(part.center());
}

void PlaneView::reveal(const QRectF& part) {
    const QRectF seen =
        visible().adjusted(fitMargin / zoomed, fitMargin / zoomed, -fitMargin / zoomed, -fitMargin / zoomed);
    const auto shift = [](double from, double to, double start, double end) {
        if (end - start >= to - from) {
            return (start + end - from - to) / 2;
        }
        return start < from ? start - from : std::max(end - to, 0.0);
    };
    corner += QPointF(shift(seen.left(), seen.right(), part.left(), part.right()),
                      shift(seen.top(), seen.bottom(), part.top(), part.bottom()));
    keepInSight();
}

void PlaneView::keepInSight() {
    const QSizeF part = size / zoomed;
    const auto keep = [&](double at, double start, double end, double length) {
        const double room = std::min({inSight / zoomed, (end - start) / 2, length / 2});
        return std::clamp(at, start - length + room, end - room);
    };
    corner.setX(keep(corner.x(), all.left(), all.right(), part.width()));
    corner.setY(keep(corner.y(), all.top(), all.bottom(), part.height()));
}

}  // namespace et::visualizers
