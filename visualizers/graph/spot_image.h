#pragma once

#include <QImage>
#include <QLineF>
#include <QRectF>
#include <QRgb>

class QPaintDevice;
class QPainter;

namespace et::visualizers {

/// Spots and straight lines of one colour each, tens of thousands a frame: written as dots, since a painter
/// takes longer to begin one than to fill it. What comes later replaces what is below it.
class SpotImage {
  public:
    /// Of the size of a device, with nothing on it.
    explicit SpotImage(const QPaintDevice& device);

    /// At least one dot wide and high. In pixels of the device.
    void fill(const QRectF& rect, QRgb colour);
    /// One dot wide.
    void draw(const QLineF& line, QRgb colour);
    /// Draws all of it onto the device.
    void paint(QPainter& painter) const;

    [[nodiscard]] const QImage& dots() const { return image; }

  private:
    QImage image;
    double ratio;  ///< dots a pixel
};

}  // namespace et::visualizers
