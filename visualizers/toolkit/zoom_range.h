#pragma once

namespace et::visualizers {

/// Which part of an axis is on screen. Never wider than the axis, never outside of it.
class ZoomRange {
  public:
    ZoomRange() = default;
    /// All of `length` on `pixels`; `min` is the closest look. Both are more than 0.
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
    /// `factor` below 1 looks closer; what is at `pixel` stays there.
    void zoom(double factor, double pixel);
    /// By a part of what is on screen.
    void pan(double part) { place(left + part * span, span); }
    /// Shows [first, last], with `margin` (a part of it) on both sides.
    void show(double first, double last, double margin = 0);
    void fit() { place(0, total); }
    /// Shows what `before` showed of an axis of which this is another version, or all where it showed that.
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
