#pragma once

#include <cstdint>

namespace et::visualizers {

/// Which part of the timeline is on screen. Never wider than the timeline, never outside of it.
class TimeView {
  public:
    TimeView() = default;
    /// All of `length` ticks (at least 1) on `width` pixels.
    TimeView(double length, int width) : total(length), span(length), pixels(width < 1 ? 1 : width) {}

    [[nodiscard]] double from() const { return left; }
    [[nodiscard]] double to() const { return left + span; }
    [[nodiscard]] double length() const { return total; }  ///< of the whole timeline
    [[nodiscard]] double ticksPerPixel() const { return span / pixels; }
    [[nodiscard]] double xOf(double time) const { return (time - left) / ticksPerPixel(); }
    [[nodiscard]] double timeAt(double x) const { return left + x * ticksPerPixel(); }

    void setWidth(int width) { pixels = width < 1 ? 1 : width; }
    /// `factor` below 1 looks closer; what is at `x` stays there.
    void zoom(double factor, double x);
    void pan(double ticks) { place(left + ticks, span); }
    /// Shows [first, last], with `margin` (a part of it) on both sides.
    void show(double first, double last, double margin = 0);
    void fit() { place(0, total); }

  private:
    void place(double first, double length);

    double total = 1;
    double left = 0;
    double span = 1;
    int pixels = 1;
};

}  // namespace et::visualizers
