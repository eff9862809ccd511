#include "visualizers/graph/spot_image.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace et::visualizers {

namespace {

/// The part of a line inside the image; nothing if it is outside. (Liang and Barsky.)
std::optional<QLineF> clipped(const QLineF& line, const QSize& size) {
    struct Side {
        double towards;  ///< component of the line directed out of it
        double room;     ///< distance of its start from the side, positive inside
    };
    const std::array sides{Side{-line.dx(), line.x1()}, Side{line.dx(), size.width() - 1.0 - line.x1()},
                           Side{-line.dy(), line.y1()}, Side{line.dy(), size.height() - 1.0 - line.y1()}};
    double from = 0;
    double to = 1;
    for (const Side& side : sides) {
        if (side.towards == 0 && side.room < 0) {
            return std::nullopt;
        }
        if (side.towards < 0) {
            from = std::max(from, side.room / side.towards);
        } else if (side.towards > 0) {
            to = std::min(to, side.room / side.towards);
        }
    }
    return from <= to ? std::optional(QLineF(line.pointAt(from), line.pointAt(to))) : std::nullopt;
}

}  // namespace

SpotImage::SpotImage(const QPaintDevice& device)
    : image(static_cast<int>(std::ceil(device.width() * device.devicePixelRatioF())),
            static_cast<int>(std::ceil(device.height() * device.devicePixelRatioF())),
            QImage::Format_ARGB32_Premultiplied),
      ratio(device.devicePixelRatioF()) {
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
}

void SpotImage::fill(const QRectF& rect, QRgb colour) {
    const auto dot = [this](double pixel, int max) {
        return static_cast<int>(std::clamp(std::round(pixel * ratio), 0.0, static_cast<double>(max)));
    };
    const int left = std::min(dot(rect.left(), image.width()), image.width() - 1);
    const int top = std::min(dot(rect.top(), image.height()), image.height() - 1);
    const int right = std::max(dot(rect.right(), image.width()), left + 1);
    const int bottom = std::max(dot(rect.bottom(), image.height()), top + 1);
    const QRgb dots = qPremultiply(colour);
    for (int y = top; y < bottom; ++y) {
        auto* const row = reinterpret_cast<QRgb*>(image.scanLine(y));
        std::fill(row + left, row + right, dots);
    }
}

void SpotImage::draw(const QLineF& line, QRgb colour) {
    const auto part = clipped({line.p1() * ratio, line.p2() * ratio}, image.size());
    if (!part) {
        return;
    }
    const QRgb dots = qPremultiply(colour);
    const auto stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    auto* const first = reinterpret_cast<QRgb*>(image.bits());
    const int steps = static_cast<int>(std::max(std::abs(part->dx()), std::abs(part->dy())));
    const QPointF step = steps > 0 ? QPointF(part->dx() / steps, part->dy() / steps) : QPointF();
    QPointF at = part->p1() + QPointF(0.5, 0.5);
    for (int i = 0; i <= steps; ++i, at += step) {
        const int x = std::clamp(static_cast<int>(at.x()), 0, image.width() - 1);
        const int y = std::clamp(static_cast<int>(at.y()), 0, image.height() - 1);
        first[y * stride + x] = dots;
    }
}

void SpotImage::paint(QPainter& painter) const {
    painter.drawImage(QPointF(0, 0), image);
}

}  // namespace et::visualizers
