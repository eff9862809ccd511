#include "inspector/plot/time_axis.h"

#include "inspector/format/axis_mark.h"
#include "inspector/plot/axis.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace et::inspector::plot {

namespace {

constexpr double lineDistance = 110;  // at least
constexpr double toTimeLabel = 3;     // from the line to its label
constexpr double timeLabelGap = 8;    // between labels, at least

/// Times with their labels.
std::vector<Tick> timeTicks(const Frame& frame, double from, double to, format::Measure measure) {
    const double perPoint = (to - from) / frame.area.width;
    const double step = roundStep(perPoint * lineDistance);
    std::vector<Tick> ticks;
    double widest = 0;
    for (const double time : multiples(from, to, step)) {
        ticks.push_back({.place = time, .label = format::axisMark(time, step, measure)});
        widest = std::max(widest, frame.textWidth(ticks.back().label));
    }
    if (ticks.empty() || widest <= step / perPoint - toTimeLabel - timeLabelGap) {
        return ticks;
    }
    const double free =
        ticks.front().place + perPoint * (frame.textWidth(ticks.front().label) + timeLabelGap);
    for (std::size_t i = 1; i < ticks.size(); ++i) {
        ticks[i].label = ticks[i].place < free
                             ? std::string()
                             : '+' + format::axisMark(static_cast<double>(i) * step, step, measure);
    }
    return ticks;
}

}  // namespace

void addTimeAxis(Scene& scene, const Frame& frame, double from, double to, format::Measure measure) {
    const double baseline = frame.area.y - frame.lineHeight / 2 - 2 + frame.toBaseline();
    bool isFirst = true;
    for (const Tick& tick : timeTicks(frame, from, to, measure)) {
        // On the middle of a pixel, where it is sharp.
        const double x =
            std::floor(frame.area.x + (tick.place - from) / (to - from) * frame.area.width) + 0.5;
        scene.line({.x = x, .y = frame.area.y - frame.lineHeight - 2}, {.x = x, .y = frame.bottom()},
                   gridStyle);
        // A time cut off at the right would be misread; the first is always drawn, because it may be the only
        // one.
        if (isFirst || x + toTimeLabel + frame.textWidth(tick.label) <= frame.right()) {
            scene.text({.x = x + toTimeLabel, .y = baseline}, tick.label, inkStyle);
        }
        isFirst = false;
    }
}

}  // namespace et::inspector::plot
