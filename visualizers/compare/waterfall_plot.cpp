#include "visualizers/compare/waterfall_plot.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int waterfallLetters = 36;
constexpr int waterfallPad = 4;
constexpr double namesShare = 0.5;  // of the width without the values

using inspector::WaterfallStep;
using inspector::format::Meaning;

}  // namespace

WaterfallPlot::WaterfallPlot(QWidget* parent) : TipWidget(parent) {
    setAccessibleName(QStringLiteral("From A's total to B's"));
}

void WaterfallPlot::show(inspector::Waterfall fall, inspector::TimeScale scale, double unitLength) {
    shown = std::move(fall);
    unit = scale;
    length = unitLength;
    low = std::min(shown.from, shown.to);
    high = std::max(shown.from, shown.to);
    double at = shown.from;
    QStringList texts;
    for (const WaterfallStep& step : shown.steps) {
        at += step.change;
        low = std::min(low, at);
        high = std::max(high, at);
        texts.append(textOf(step));
    }
    // The axis does not start at zero if the changes are small compared with the totals; otherwise they would
    // be invisible.
    const double room = (high - low) / 4;
    low = std::max(low - room, 0.0);
    setAccessibleDescription(
        QStringLiteral("A %1, B %2; %3").arg(timeOf(shown.from), timeOf(shown.to), texts.join(u';')));
    updateGeometry();
    update();
}

int WaterfallPlot::lineHeight() const {
    return fontMetrics().height() + waterfallPad;
}

QSize WaterfallPlot::sizeHint() const {
    const int lines = static_cast<int>(shown.steps.size()) + 2;
    return {fontMetrics().averageCharWidth() * waterfallLetters, lines * lineHeight() + 2 * waterfallPad};
}

QSize WaterfallPlot::minimumSizeHint() const {
    return sizeHint();
}

int WaterfallPlot::valueWidth() const {
    int widest = std::max(fontMetrics().horizontalAdvance(timeOf(shown.from)),
                          fontMetrics().horizontalAdvance(timeOf(shown.to)));
    for (const WaterfallStep& step : shown.steps) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(changeOf(step)));
    }
    return widest + waterfallPad;
}

double WaterfallPlot::xOf(double time) const {
    const double free = std::max(width() - valueWidth(), 0);
    const double left = free * namesShare;
    const double wide = free - left - waterfallPad;
    return left + (high > low ? (time - low) / (high - low) : 0.0) * wide;
}

QString WaterfallPlot::timeOf(double time) const {
    return timeText(time / length, unit);
}

QString WaterfallPlot::changeOf(const WaterfallStep& step) const {
    return (step.change > 0 ? QStringLiteral("+") : QString()) + timeOf(step.change);
}

QString WaterfallPlot::textOf(const WaterfallStep& step) const {
    const QString count = step.count > 1 ? QStringLiteral(" (%1 operators)").arg(step.count) : QString();
    return QStringLiteral("%1%2 %3").arg(toQString(step.name), count, changeOf(step));
}

std::optional<std::size_t> WaterfallPlot::stepAt(QPoint at) const {
    const int line = at.y() < 0 ? -1 : at.y() / lineHeight() - 1;
    return line >= 0 && line < static_cast<int>(shown.steps.size())
               ? std::optional(static_cast<std::size_t>(line))
               : std::nullopt;
}

void WaterfallPlot::paintLine(QPainter& painter, int line, const QString& name, double from, double to,
                              const QColor& colour, const QString& value) const {
    const int height = lineHeight();
    const int top = line * height;
    const int values = valueWidth();
    const int names = static_cast<int>((width() - values) * namesShare) - waterfallPad;
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(0, top, names, height), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(name, Qt::ElideMiddle, names));
    painter.drawText(QRect(width() - values, top, values, height), Qt::AlignRight | Qt::AlignVCenter, value);
    const auto [left, right] = std::minmax({xOf(from), xOf(to)});
    painter.fillRect(QRectF(left, top + 2, std::max(right - left, 1.0), height - 4), colour);
}

void WaterfallPlot::paintEvent(QPaintEvent*) {
    if (shown.from == 0 && shown.to == 0) {
        return;
    }
    PicturePainter painter(this);
    const QColor total = meaningColour(Meaning::Idle, palette());
    paintLine(painter, 0, QStringLiteral("A"), low, shown.from, total, timeOf(shown.from));
    double at = shown.from;
    int line = 1;
    for (const WaterfallStep& step : shown.steps) {
        const QColor colour = meaningColour(step.change > 0 ? Meaning::Error : Meaning::Kernel, palette());
        const QString name = step.count > 1
                                 ? QStringLiteral("%1 (%2)").arg(toQString(step.name)).arg(step.count)
                                 : toQString(step.name);
        paintLine(painter, line++, name, at, at + step.change, colour, changeOf(step));
        at += step.change;
    }
    paintLine(painter, line, QStringLiteral("B"), low, shown.to, total, timeOf(shown.to));
}

void WaterfallPlot::mousePressEvent(QMouseEvent* event) {
    const auto step = stepAt(event->position().toPoint());
    if (step && shown.steps[*step].row) {
        emit rowChosen(*shown.steps[*step].row);
    }
}

QString WaterfallPlot::tipAt(QPoint at) const {
    const auto step = stepAt(at);
    return step ? textOf(shown.steps[*step]) : QString();
}

}  // namespace et::visualizers
