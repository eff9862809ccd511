#include "visualizers/trend/trend_plot.h"

#include "inspector/trend/trend_text.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/trend/trend_rows.h"

#include <QKeyEvent>

#include <utility>
#include <vector>

namespace et::visualizers {

TrendPlot::TrendPlot(QWidget* parent) : PointPlot(parent) {
    setObjectName(QStringLiteral("trendPlot"));
    setAccessibleName(QStringLiteral("Times by commit"));
}

void TrendPlot::setGroup(std::shared_ptr<const inspector::Trend> of, std::size_t group) {
    trend = std::move(of);
    shown = {.group = group};
    choose(std::nullopt);
}

void TrendPlot::setOperator(std::optional<std::size_t> index) {
    shown.operation = index;
    choose(std::nullopt);
}

void TrendPlot::choose(std::optional<std::size_t> point) {
    shown.chosen = point;
    const QString text = point ? toQString(scene().items[*point].tip) : summary();
    shown.title = text.toStdString();
    setAccessibleDescription(text);
    update();
}

QString TrendPlot::summary() const {
    const auto levels =
        trend ? levelsOf(*trend, shown.group, shown.operation) : std::vector<inspector::Level>();
    if (levels.empty()) {
        return {};
    }
    const inspector::TrendGroup& group = trend->groups[shown.group];
    QString what = trendGroupName(*trend, shown.group);
    if (shown.operation) {
        what += QStringLiteral(" · ") + toQString(text(group.operators[*shown.operation].key));
    }
    QString now = QStringLiteral("%1: %2 now")
                      .arg(what, toQString(inspector::trendTime(levels.back().time, group.cycles)));
    if (levels.size() > 1) {
        now += QStringLiteral(", %1 since %2")
                   .arg(changeText(levels[levels.size() - 2].time, levels.back().time),
                        toQString(pointLabel(group.points[levels.back().from])));
    }
    return now;
}

inspector::plot::Scene TrendPlot::scene() const {
    inspector::plot::Scene out;
    if (trend) {
        addTrend(out, frameBetween(0, height()), *trend, shown);
    }
    return out;
}

std::size_t TrendPlot::itemCount() const {
    return trend ? trend->groups[shown.group].points.size() : 0;
}

void TrendPlot::clickItem(std::size_t item) {
    choose(item);
    emit pointWanted(item);
}

void TrendPlot::keyPressEvent(QKeyEvent* event) {
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && shown.chosen) {
        emit pointWanted(*shown.chosen);
    } else {
        PointPlot::keyPressEvent(event);
    }
}

}  // namespace et::visualizers
