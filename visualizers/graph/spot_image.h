#pragma once

#include <QImage>
#include <QLineF>
#include <QRectF>
#include <QRgb>

class QPaintDevice;
class QPainter;

namespace et::visualizers {

/// Single-colour rectangles and straight lines, tens of thousands per frame. Written as pixels, because
/// QPainter has a higher cost per call than per fill. Later items replace earlier ones.
class SpotImage {
  public:
    /// Creates an empty image of the size of a device.
    explicit SpotImage(const QPaintDevice& device);

    /// Fills a rectangle in device pixels, at least one dot wide and high.
    void fill(const QRectF& rect, QRgb colour);
    /// Draws a line one dot wide.
    void draw(const QLineF& line, QRgb colour);
    /// Draws the image onto the device.
    void paint(QPainter& painter) const;

    [[nodiscard]] const QImage& dots() const { return image; }

  private:
    QImage image;
    double ratio;  ///< dots per pixel
};

}  // namespace et::visualizers
