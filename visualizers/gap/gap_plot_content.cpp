#include "visualizers/gap/gap_plot_content.h"

#include "visualizers/gap/gap_model.h"
#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr int areaEdge = 6;
constexpr int widestTickLetters = 6;

}  // namespace

void GapPlotContent::setQuantity(const GapQuantity& shown) {
    quantity = &shown;
    places.assign(quantity->series.size(), {});
    std::vector<std::vector<std::optional<double>>> numbers = places;
    std::vector<double> all;
    for (std::size_t series = 0; series < places.size(); ++series) {
        for (std::size_t row = 0; row < rowCount(); ++row) {
            const auto number = quantity->series[series].value(report->rows[row]);
            numbers[series].push_back(number);
            if (number) {
                all.push_back(*number);
            }
        }
    }
    axis = GapAxis(quantity->scale, all);
    for (std::size_t series = 0; series < places.size(); ++series) {
        for (const std::optional<double>& number : numbers[series]) {
            places[series].push_back(number ? axis.placeOf(*number) : std::nullopt);
        }
    }
}

QRectF GapPlotContent::areaIn(const QSize& widget, const QFontMetrics& metrics) {
    const int left = metrics.averageCharWidth() * widestTickLetters + 2 * areaEdge;
    return QRectF({0, 0}, widget)
        .adjusted(left, metrics.height() + 2 * areaEdge, -areaEdge, -metrics.height() - areaEdge);
}

std::optional<std::size_t> GapPlotContent::rowAt(double x) const {
    const double index = std::floor(window.valueAt(x - area.left()));
    return rowCount() > 0 && index >= 0 && index < static_cast<double>(rowCount())
               ? std::optional(static_cast<std::size_t>(index))
               : std::nullopt;
}

std::pair<std::size_t, std::size_t> GapPlotContent::visibleRows() const {
    const auto first = static_cast<std::size_t>(std::max(window.from(), 0.0));
    const auto last = static_cast<std::size_t>(std::ceil(window.to()));
    return {first, std::min(last, rowCount())};
}

std::optional<QPointF> GapPlotContent::markOf(std::size_t row, std::size_t series) const {
    if (series >= places.size() || row >= places[series].size() || !places[series][row]) {
        return std::nullopt;
    }
    // Next to each other, so that none is hidden.
    const double share = (static_cast<double>(series) + 1) / (static_cast<double>(places.size()) + 1);
    const double x = xOf(static_cast<double>(row) + share);
    if (x < area.left() || x > area.right()) {
        return std::nullopt;
    }
    return QPointF(x, area.bottom() - *places[series][row] * area.height());
}

std::optional<std::size_t> GapPlotContent::beside(int by) const {
    const auto count = static_cast<std::ptrdiff_t>(rowCount());
    const auto begin = chosen ? static_cast<std::ptrdiff_t>(*chosen) + by : (by > 0 ? 0 : count - 1);
    for (std::ptrdiff_t row = begin; row >= 0 && row < count; row += by) {
        if (isKept(static_cast<std::size_t>(row))) {
            return static_cast<std::size_t>(row);
        }
    }
    return std::nullopt;
}

QString GapPlotContent::lineOf(std::size_t row) const {
    const inspector::GapReportRow& shown = report->rows[row];
    QStringList parts{QStringLiteral("%1 %2").arg(row).arg(operatorText(shown))};
    for (const GapSeries& series : quantity->series) {
        const auto number = series.value(shown);
        parts.append(QStringLiteral("%1 %2").arg(
            series.name, number ? gapNumberText(*number) + quantity->unit : QStringLiteral("unknown")));
    }
    return parts.join(QStringLiteral("  ·  "));
}

QString GapPlotContent::tipOf(std::size_t row) const {
    const inspector::GapReportRow& shown = report->rows[row];
    QStringList lines{QStringLiteral("%1   %2").arg(row).arg(operatorText(shown))};
    for (const GapSeries& series : quantity->series) {
        const auto number = series.value(shown);
        lines.append(QStringLiteral("%1: %2").arg(
            series.name, number ? gapNumberText(*number) + quantity->unit : QStringLiteral("unknown")));
    }
    if (shown.own && shown.own->diverges) {
        lines.append(toQString(shown.own->reason));
    }
    if (!shown.module.empty()) {
        lines.append(toQString(shown.module));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace et::visualizers
