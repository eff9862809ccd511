#include "visualizers/roofline/roofline_widget.h"

#include <algorithm>
#include <string>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double microsecondsOfSecond = 1e6;
constexpr double percentOfOne = 100;

}  // namespace

ReportRows limitRows(const inspector::RooflinePlot& plot) {
    ReportRows out;
    const auto column = [&](const char* id, const char* header, bool numeric, NumberStyle style) {
        out.table.columns.push_back({.id = id, .header = std::string(header), .numeric = numeric});
        out.styles.push_back(style);
    };
    out.table.indexed = false;
    column("name", "Operator", false, NumberStyle::Plain);
    column("to_win", "Potential (µs)", true, NumberStyle::Plain);
    column("time", "Time (µs)", true, NumberStyle::Plain);
    column("least", "Minimum (µs)", true, NumberStyle::Plain);
    column("efficiency", "Reaches", true, NumberStyle::Percent);
    column("bound_by", "Bound By", false, NumberStyle::Plain);
    column("rate", "GFLOP/s", true, NumberStyle::Plain);
    column("intensity", "Operations/Byte", true, NumberStyle::Plain);
    for (const inspector::RooflinePoint& point : plot.points()) {
        const double time = point.seconds * microsecondsOfSecond;
        const double shortest = point.least.value_or(0) * microsecondsOfSecond;
        out.table.rows.push_back({point.name, std::max(time - shortest, 0.0), time, shortest,
                                  percentOfOne * point.efficiency.value_or(0), point.boundBy, point.gigaops(),
                                  point.intensity()});
    }
    return out;
}

RooflineWidget::RooflineWidget(Selection& selection, QWidget* parent)
    : PlotWidget(QStringLiteral("Operator"), QStringLiteral("GFLOP/s"), parent), chosen(selection) {
    setAccessibleName(QStringLiteral("Roofline"));
    connect(&chosen, &Selection::currentChanged, this, [this] {
        speakValue(*this);
        update();
    });
    connect(&chosen, &Selection::hoverChanged, this, [this] { update(); });
}

void RooflineWidget::setPlot(std::shared_ptr<const inspector::RooflinePlot> shown) {
    plot = std::move(shown);
    renew();
    fitAll();
}

inspector::plot::Scene RooflineWidget::sceneIn(const inspector::plot::Frame& frame) const {
    return plot ? plot->scene(frame) : inspector::plot::Scene();
}

std::optional<std::size_t> RooflineWidget::pointOf(const std::optional<EventRef>& event) const {
    if (!plot || !event) {
        return std::nullopt;
    }
    const auto found = std::ranges::find_if(plot->points(), [&](const inspector::RooflinePoint& point) {
        return point.block == event->block && point.event == event->event;
    });
    return found == plot->points().end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - plot->points().begin()));
}

EventRef RooflineWidget::eventOf(std::size_t point) const {
    const inspector::RooflinePoint& of = plot->points()[point];
    return {.block = of.block, .event = of.event};
}

std::optional<std::size_t> RooflineWidget::chosenPoint() const {
    return pointOf(chosen.current());
}

std::optional<std::size_t> RooflineWidget::hoveredItem() const {
    return pointOf(chosen.hovered());
}

void RooflineWidget::chooseItem(std::optional<std::size_t> item) {
    chosen.setCurrent(item ? std::optional(eventOf(*item)) : std::nullopt);
}

void RooflineWidget::hoverItem(std::optional<std::size_t> item) {
    chosen.setHovered(item ? std::optional(eventOf(*item)) : std::nullopt);
}

}  // namespace et::visualizers
