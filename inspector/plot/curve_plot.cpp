#include "inspector/plot/curve_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector::plot {

namespace {

constexpr double leastAxis = 4;          // bytes or nanoseconds
constexpr double leastPlainAxis = 1e-9;  // numbers without a unit
constexpr Style curveStyle{.name = "curve", .stroke = Tone::Accent, .width = 1.2, .opacity = 0.6};
constexpr Style sampleStyle{.name = "sample", .fill = Tone::Accent};
constexpr Style fitStyle{.name = "fit", .stroke = Tone::Error, .width = 1.6, .dashed = true};
constexpr Style stepStyle{.name = "step", .stroke = Tone::Faint, .width = 1.2, .dashed = true};

/// Adds one curve.
class CurvePass {
  public:
    CurvePass(Scene& to, const Frame& in, const Curve& of) : scene(to), frame(in), curve(of) {
        if (!curve.samples.empty()) {
            sizes.least = curve.samples.front().x;
            sizes.most = std::max(curve.samples.back().x, sizes.least + 1);
            const double least = curve.measure == format::Measure::None ? leastPlainAxis : leastAxis;
            values.least = std::min(0.0, 1.1 * std::ranges::min(curve.samples, {}, &Point::y).y);
            values.most = std::max(least, 1.1 * std::ranges::max(curve.samples, {}, &Point::y).y);
        }
    }

    void addTexts() {
        const double above = frame.area.y - 10;
        scene.text({.x = frame.area.x, .y = above - frame.lineHeight - 2},
                   frame.fitted(curve.title, frame.area.width), inkStyle);
        scene.text({.x = frame.area.x, .y = above}, frame.fitted(curve.note, frame.area.width), faintStyle);
        if (!curve.axis.empty()) {
            scene.text(
                {.x = frame.area.x + frame.area.width / 2, .y = frame.bottom() + 2 * frame.lineHeight + 8},
                curve.axis, faintStyle, TextAnchor::Middle);
        }
    }

    void addAxes() {
        addGrid(scene, frame, true, valueTicks(values, curve.measure));
        std::vector<Tick> places = wholeTicks(sizes);
        for (Tick& tick : places) {
            tick.label = curve.axis.empty() ? std::string() : tick.label;
        }
        addGrid(scene, frame, false, places);
    }

    void addSteps() {
        for (const CurveStep& step : curve.steps) {
            const double x = at({.x = step.at}).x;
            scene.line({.x = x, .y = frame.area.y}, {.x = x, .y = frame.bottom()}, stepStyle);
            scene.text({.x = x - 4, .y = frame.area.y + 12}, frame.fitted(step.cause, x - frame.area.x - 8),
                       faintStyle, TextAnchor::End);
        }
        if (curve.fit.size() == 2) {
            scene.line(at(curve.fit.front()), at(curve.fit.back()), fitStyle);
        }
    }

    void addSamples() {
        Path line;
        for (const Point& sample : curve.samples) {
            line.points.push_back(at(sample));
        }
        scene.marks.push_back({.shape = line, .style = curveStyle});
        for (std::size_t i = 0; i < curve.samples.size(); ++i) {
            const Point& sample = curve.samples[i];
            const double radius = curve.chosen == sample.x ? 5 : 2.5;
            scene.marks.push_back({.shape = Circle{.centre = line.points[i], .radius = radius},
                                   .style = sampleStyle,
                                   .item = scene.items.size()});
            scene.items.push_back(
                {.kind = "sample",
                 .tip = fmt::format("{:.0f}: {}", sample.x, format::readable(sample.y, curve.measure)),
                 .at = line.points[i],
                 .radius = radius});
        }
    }

  private:
    [[nodiscard]] Point at(const Point& number) const {
        return frame.onScreen({.x = sizes.placeOf(number.x),
                               .y = 1 - values.placeOf(std::clamp(number.y, values.least, values.most))});
    }

    Scene& scene;
    const Frame& frame;
    const Curve& curve;
    LinearAxis sizes;
    LinearAxis values{.most = leastAxis};
};

}  // namespace

void addCurve(Scene& scene, const Frame& frame, const Curve& curve) {
    CurvePass pass(scene, frame, curve);
    pass.addTexts();
    pass.addAxes();
    pass.addSteps();
    pass.addSamples();
}

}  // namespace et::inspector::plot
