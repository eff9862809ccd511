#pragma once

namespace et::visualizers {

/// The visible part of an axis, always within the axis.
class ZoomRange {
  public:
    ZoomRange() = default;
    /// Shows all of `length` on `pixels`; `min` is the smallest visible range. Both are > 0.
    ZoomRange(double length, double min, int pixels)
        : total(length), closest(min < length ? min : length), span(length) {
        setPixels(pixels);
    }

    [[nodiscard]] double from() const { return left; }
    [[nodiscard]] double to() const { return left + span; }
    [[nodiscard]] double length() const { return total; }  ///< of the whole axis
    [[nodiscard]] bool isWhole() const { return span >= total; }
    [[nodiscard]] double perPixel() const { return span / screen; }
    [[nodiscard]] double pixelOf(double value) const { return (value - left) / perPixel(); }
    [[nodiscard]] double valueAt(double pixel) const { return left + pixel * perPixel(); }
    [[nodiscard]] int pixels() const { return screen; }

    void setPixels(int pixels) { screen = pixels < 1 ? 1 : pixels; }
    /// Zooms in if `factor` is below 1; keeps the point at `pixel` in place.
    void zoom(double factor, double pixel);
    /// Pans by a fraction of the visible part.
    void pan(double part) { place(left + part * span, span); }
    /// Shows [first, last] with a `margin` (fraction of its length) on both sides.
    void show(double first, double last, double margin = 0);
    void fit() { place(0, total); }
    /// Restores the visible part of an earlier version of this axis, or everything if that showed everything.
    void keep(const ZoomRange& before);

  private:
    void place(double first, double length);

    double total = 1;
    double closest = 1;
    double left = 0;
    double span = 1;
    int screen = 1;
};

}  // namespace et::visualizers
