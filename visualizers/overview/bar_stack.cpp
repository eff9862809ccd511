#include "visualizers/overview/bar_stack.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QFontMetrics>
#include <QPainter>
#include <QSizePolicy>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int barGap = 6;
constexpr int entryGap = 18;
constexpr int barLetters = 32;

double barSize(const Bar& bar) {
    double sum = 0;
    for (const BarPart& part : bar.parts) {
        sum += part.size;
    }
    return sum;
}

QString partText(const BarPart& part) {
    return QStringLiteral("%1 %2").arg(part.name, part.value);
}

}  // namespace

BarStack::BarStack(Legend legend, QWidget* parent) : TipWidget(parent), legend(legend) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void BarStack::show(std::vector<Bar> bars) {
    all = std::move(bars);
    QStringList texts;
    for (const Bar& bar : all) {
        QStringList parts;
        for (const BarPart& part : bar.parts) {
            parts.append(partText(part));
        }
        texts.append(QStringLiteral("%1 %2: %3").arg(bar.title, bar.value, parts.join(QStringLiteral(", "))));
    }
    setAccessibleDescription(texts.join(u'\n'));
    updateGeometry();
    update();
}

double BarStack::largest() const {
    double most = 0;
    for (const Bar& bar : all) {
        most = std::max({most, barSize(bar), bar.marker});
    }
    return most;
}

QRectF BarStack::barArea(int top) const {
    const int line = fontMetrics().height();
    return {0, static_cast<double>(top + line + 2), static_cast<double>(width()), line + 4.0};
}

std::vector<BarStack::Entry> BarStack::makeLegend(const Bar& bar, int top, int width) const {
    std::vector<Entry> entries;
    const int line = fontMetrics().height();
    int x = 0;
    for (const BarPart& part : bar.parts) {
        const int wide = line + fontMetrics().horizontalAdvance(partText(part));
        if (x > 0 && x + wide > width) {
            x = 0;
            top += line + 2;
        }
        entries.push_back({QRect(x, top, wide, line), &part});
        x += wide + entryGap;
    }
    return entries;
}

int BarStack::heightOf(const Bar& bar, int width) const {
    const int line = fontMetrics().height();
    const int painted = 2 * line + 6;
    const auto entries = legend == Legend::On ? makeLegend(bar, painted + 4, width) : std::vector<Entry>();
    return entries.empty() ? painted : entries.back().place.bottom() + 1;
}

int BarStack::heightForWidth(int width) const {
    int height = 0;
    for (const Bar& bar : all) {
        height += heightOf(bar, width) + barGap;
    }
    return height;
}

QSize BarStack::sizeHint() const {
    const int wide = fontMetrics().averageCharWidth() * barLetters;
    return {2 * wide, heightForWidth(2 * wide)};
}

QSize BarStack::minimumSizeHint() const {
    const int wide = fontMetrics().averageCharWidth() * barLetters;
    return {wide, heightForWidth(std::max(wide, width()))};
}

void BarStack::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    int top = 0;
    for (const Bar& bar : all) {
        paintBar(painter, bar, top);
        if (legend == Legend::On) {
            paintLegend(painter, bar, top + 2 * fontMetrics().height() + 10);
        }
        top += heightOf(bar, width()) + barGap;
    }
}

void BarStack::paintBar(QPainter& painter, const Bar& bar, int top) const {
    const int line = fontMetrics().height();
    const QRectF area = barArea(top);
    const double scale = largest() > 0 ? area.width() / largest() : 0;
    painter.setPen(palette().color(QPalette::WindowText));
    const int valueWidth = fontMetrics().horizontalAdvance(bar.value);
    painter.drawText(QRect(0, top, width(), line), Qt::AlignRight | Qt::AlignVCenter, bar.value);
    painter.drawText(QRect(0, top, width() - valueWidth - barGap, line), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(bar.title, Qt::ElideMiddle, width() - valueWidth - barGap));
    painter.fillRect(area, palette().color(QPalette::AlternateBase));
    double x = 0;
    for (const BarPart& part : bar.parts) {
        const double wide = part.size * scale;
        const QColor colour = part.colour(palette());
        painter.fillRect(
            QRectF(area.left() + x, area.top(), std::max(wide, part.size > 0 ? 1.0 : 0.0), area.height()),
            colour);
        if (fontMetrics().horizontalAdvance(part.name) + barGap < wide) {
            painter.setPen(inkOn(colour));
            painter.drawText(QRectF(area.left() + x, area.top(), wide, area.height()), Qt::AlignCenter,
                             part.name);
        }
        x += wide;
    }
    if (bar.marker >= 0) {
        const double at = area.left() + bar.marker * scale;
        painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
        painter.drawLine(QPointF(at, area.top() - 2), QPointF(at, area.bottom() + 2));
    }
}

void BarStack::paintLegend(QPainter& painter, const Bar& bar, int top) const {
    const int line = fontMetrics().height();
    for (const Entry& entry : makeLegend(bar, top, width())) {
        const int side = line * 2 / 3;
        painter.fillRect(QRect(entry.place.left(), entry.place.top() + (line - side) / 2, side, side),
                         entry.part->colour(palette()));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(entry.place.adjusted(line, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         partText(*entry.part));
    }
}

QString BarStack::tipAt(QPoint at) const {
    int top = 0;
    for (const Bar& bar : all) {
        const int height = heightOf(bar, width());
        if (at.y() < top + height) {
            const QRectF area = barArea(top);
            double x = area.left();
            for (const BarPart& part : bar.parts) {
                x += largest() > 0 ? part.size / largest() * area.width() : 0;
                if (area.contains(at) && at.x() < x) {
                    return partText(part);
                }
            }
            return bar.markerText.isEmpty()
                       ? QStringLiteral("%1 %2").arg(bar.title, bar.value)
                       : QStringLiteral("%1 %2, %3").arg(bar.title, bar.value, bar.markerText);
        }
        top += height + barGap;
    }
    return {};
}

}  // namespace et::visualizers
