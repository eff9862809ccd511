#include "visualizers/timeline/timeline_axis.h"

#include "inspector/format/axis_mark.h"
#include "inspector/plot/axis.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace et::visualizers {

namespace {

constexpr int axisMarkRoom = 110;  // pixels between marks
constexpr int axisMarkGap = 8;     // minimum pixels between the texts of adjacent marks

}  // namespace

std::vector<AxisMark> axisMarks(const Timeline& timeline, const ZoomRange& window,
                                const QFontMetrics& metrics) {
    const double unit = timeline.ticksPerUnit;
    const double step = inspector::plot::roundStep(window.perPixel() * axisMarkRoom / unit);
    const auto measure = inspector::format::measureOf(timeline.blocks->options().target);
    const auto text = [&](double time) {
        return toQString(inspector::format::axisMark(time, step, measure));
    };
    std::vector<AxisMark> marks;
    const double first = std::ceil(window.from() / unit / step);
    int widest = 0;
    for (double at = first; at * step * unit <= window.to(); ++at) {
        marks.push_back({.time = at * step * unit, .text = text(at * step)});
        widest = std::max(widest, metrics.horizontalAdvance(marks.back().text));
    }
    const double room = step * unit / window.perPixel() - axisMarkMargin - axisMarkGap;
    if (widest <= room) {
        return marks;
    }
    const double free = marks.front().time +
                        window.perPixel() * (metrics.horizontalAdvance(marks.front().text) + axisMarkGap);
    for (std::size_t i = 1; i < marks.size(); ++i) {
        marks[i].text = marks[i].time < free ? QString() : u'+' + text(static_cast<double>(i) * step);
    }
    return marks;
}

}  // namespace et::visualizers
