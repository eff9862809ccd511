#include "visualizers/shapes/size_plot.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr int sizePlotLines = 22;
constexpr double timeShare = 0.54;

}  // namespace

SizePlot::SizePlot(QWidget* parent) : PointPlot(parent) {
    setObjectName(QStringLiteral("sizePlot"));
    setAccessibleName(QStringLiteral("Time and memory over sizes"));
}

void SizePlot::setCurve(std::optional<SizeCurve> shown) {
    curve = std::move(shown);
    choose(std::nullopt);
}

QString SizePlot::summary() const {
    if (!curve) {
        return {};
    }
    const qint64 last = curve->points.back().size;
    if (!curve->linearUntil) {
        return QStringLiteral("%1: the time is not linear").arg(curve->dimension);
    }
    return *curve->linearUntil >= last
               ? QStringLiteral("%1: the time is linear up to %2").arg(curve->dimension).arg(last)
               : QStringLiteral("%1: the time is linear up to %2 of %3")
                     .arg(curve->dimension)
                     .arg(*curve->linearUntil)
                     .arg(last);
}

void SizePlot::choose(std::optional<std::size_t> point) {
    chosen = point;
    setAccessibleDescription(point ? toQString(describe(*point)) : summary());
    update();
}

plot::Curve SizePlot::timeCurve() const {
    plot::Curve out{.note = "time per execution · " + summary().toStdString()};
    for (const SizePoint& point : curve->points) {
        out.samples.push_back({.x = static_cast<double>(point.size), .y = point.nanoseconds});
    }
    if (curve->linearUntil) {
        const qint64 last = curve->points.back().size;
        for (const qint64 end : {curve->points.front().size, last}) {
            const auto size = static_cast<double>(end);
            out.fit.push_back({.x = size, .y = curve->base + curve->slope * size});
        }
        if (*curve->linearUntil < last) {
            out.steps.push_back({.at = static_cast<double>(*curve->linearUntil)});
        }
    }
    return out;
}

plot::Curve SizePlot::memoryCurve() const {
    plot::Curve out{.note = "memory outside the plan",
                    .axis = curve->dimension.toStdString(),
                    .measure = inspector::format::Measure::Bytes};
    for (const SizePoint& point : curve->points) {
        if (point.bytes) {
            out.samples.push_back({.x = static_cast<double>(point.size), .y = *point.bytes});
        }
    }
    return out;
}

plot::Scene SizePlot::scene() const {
    plot::Scene scene;
    if (!curve) {
        return scene;
    }
    const double middle = height() * timeShare;
    plot::Curve time = timeCurve();
    plot::Curve memory = memoryCurve();
    if (chosen) {
        time.chosen = static_cast<double>(curve->points[*chosen].size);
        memory.chosen = time.chosen;
        time.note = describe(*chosen);
    }
    addCurve(scene, frameBetween(0, middle), time);
    addCurve(scene, frameBetween(middle, height() - 1.5 * fontMetrics().height()), memory);
    for (std::size_t i = 0; i < curve->points.size(); ++i) {
        scene.items[i].tip = describe(i);
    }
    return scene;
}

std::string SizePlot::describe(std::size_t point) const {
    const SizePoint& at = curve->points[point];
    std::string text = fmt::format("{} = {}: {}", curve->dimension.toStdString(), at.size,
                                   inspector::format::readableTime(at.nanoseconds));
    if (at.bytes) {
        text += fmt::format(", {} outside the plan",
                            inspector::format::readable(*at.bytes, inspector::format::Measure::Bytes));
    }
    return text;
}

QSize SizePlot::sizeHint() const {
    return {PointPlot::sizeHint().width(), fontMetrics().height() * sizePlotLines};
}

}  // namespace et::visualizers
