#include "visualizers/compare/aligned_widget.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double rowLines = 1.9;   // row spacing in text heights, at scale 1
constexpr double boxLines = 1.4;   // height of a box
constexpr double minScale = 0.75;  // smaller text would not be readable
constexpr double maxScale = 3;
constexpr double sideRoom = 6;
constexpr double middleRoom = 28;
constexpr double arrowStep = 5;  // an arrow over more rows is routed further outside
constexpr int arrowAlpha = 150;
constexpr double insideIndent = 14;
constexpr double alignedHead = 3.5;

}  // namespace

AlignedWidget::AlignedWidget(Selection& selection, QWidget* parent)
    : ZoomPanWidget(
          {.upDown = true, .itemName = QStringLiteral("Step"), .stepName = QStringLiteral("Difference")},
          parent),
      chosen(selection) {
    setObjectName(QStringLiteral("alignedGraphs"));
    setAccessibleName(QStringLiteral("Two programs side by side"));
}

void AlignedWidget::show(AlignedSteps shown) {
    steps = std::move(shown);
    row.reset();
    scrolled = 0;
    if (const auto first = steps.difference(std::nullopt, 1)) {
        scrollTo(static_cast<double>(*first) * rowHeight() - height() / 3.0);
    }
    update();
}

double AlignedWidget::rowHeight() const {
    return fontMetrics().height() * rowLines * scale;
}

double AlignedWidget::arrowRoom() const {
    return std::clamp(width() / 16.0, 10.0, 48.0);
}

void AlignedWidget::scrollTo(double top) {
    const double most = std::max(rowHeight() * static_cast<double>(steps.rows.size()) - height(), 0.0);
    scrolled = std::clamp(top, 0.0, most);
    update();
}

std::optional<std::size_t> AlignedWidget::rowAt(double y) const {
    const double at = std::floor((y + scrolled) / rowHeight());
    return at >= 0 && at < static_cast<double>(steps.rows.size())
               ? std::optional(static_cast<std::size_t>(at))
               : std::nullopt;
}

QRectF AlignedWidget::boxOf(std::size_t which, std::size_t side) const {
    const double wide = (width() - middleRoom) / 2 - sideRoom - arrowRoom();
    const double inset = steps.rows[which].kind == AlignedRow::Kind::Inside ? insideIndent : 0;
    const double left = side == 0 ? sideRoom + arrowRoom() : (width() + middleRoom) / 2;
    const double high = fontMetrics().height() * boxLines;
    const double top = static_cast<double>(which) * rowHeight() - scrolled + (rowHeight() - high) / 2;
    return {left + inset, top, std::max(wide - 2 * inset, 1.0), high};
}

void AlignedWidget::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    painter.setRenderHint(QPainter::Antialiasing);
    const auto first = static_cast<std::size_t>(scrolled / rowHeight());
    const auto last =
        std::min(static_cast<std::size_t>((scrolled + height()) / rowHeight()) + 1, steps.rows.size());
    for (std::size_t side = 0; side < steps.arrows.size(); ++side) {
        paintArrows(painter, side, first, last);
    }
    for (std::size_t which = first; which < last; ++which) {
        const AlignedRow& shown = steps.rows[which];
        if (!shown.texts[0].isEmpty() && !shown.texts[1].isEmpty()) {
            painter.setPen(QPen(palette().color(QPalette::PlaceholderText), 1, Qt::DotLine));
            const double y = boxOf(which, 0).center().y();
            painter.drawLine(QPointF(boxOf(which, 0).right(), y), QPointF(boxOf(which, 1).left(), y));
        }
        for (std::size_t side = 0; side < shown.texts.size(); ++side) {
            paintBox(painter, which, side);
        }
    }
}

/// Removed (left) and changed (both sides) use the error colour, added the kernel colour; the two are
/// distinguishable with any kind of colour vision.
void AlignedWidget::paintBox(QPainter& painter, std::size_t which, std::size_t side) const {
    const AlignedRow& shown = steps.rows[which];
    if (shown.texts[side].isEmpty()) {
        return;
    }
    const QRectF box = boxOf(which, side);
    const bool differs = shown.change != inspector::Change::Same || shown.moved;
    const bool plain = shown.kind == AlignedRow::Kind::Same || shown.kind == AlignedRow::Kind::Method;
    const QColor edge = shown.change == inspector::Change::Added
                            ? meaningColour(inspector::format::Meaning::Kernel, palette())
                            : meaningColour(inspector::format::Meaning::Error, palette());
    painter.setBrush(plain ? Qt::NoBrush : QBrush(palette().color(QPalette::AlternateBase)));
    painter.setPen(plain && !differs
                       ? QPen(Qt::NoPen)
                       : QPen(differs ? edge : palette().color(QPalette::Mid), differs ? 2 : 1));
    painter.drawRoundedRect(box, 3, 3);
    if (row == which) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 4, 4);
    }
    painter.setPen(palette().color(QPalette::Text));
    const QRectF inner = box.adjusted(sideRoom, 0, -sideRoom, 0);
    const QString sign =
        differs && !plain ? QString(QLatin1Char(inspector::traits(shown.change).sign)) + u' ' : QString();
    painter.drawText(
        inner, plain ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(sign + shown.texts[side], Qt::ElideRight, static_cast<int>(inner.width())));
}

/// From the bottom of a box straight to the next one, or around the outside to one further away.
void AlignedWidget::paintArrows(QPainter& painter, std::size_t side, std::size_t first,
                                std::size_t last) const {
    QColor colour = palette().color(QPalette::Text);
    colour.setAlpha(arrowAlpha);
    for (const auto& [from, to] : steps.arrows[side]) {
        const auto [top, bottom] = std::minmax(from, to);
        if (bottom < first || top > last) {
            continue;
        }
        const QRectF source = boxOf(from, side);
        const QRectF target = boxOf(to, side);
        painter.setPen(QPen(colour, 1));
        painter.setBrush(Qt::NoBrush);
        QPointF end(target.center().x(), target.top());
        QPointF wing(alignedHead, -2 * alignedHead);
        if (to == from + 1) {
            painter.drawLine(QPointF(source.center().x(), source.bottom()), end);
            painter.setBrush(colour);
            painter.drawPolygon(QPolygonF{end, end + wing, end + QPointF(-wing.x(), wing.y())});
            continue;
        }
        const double out = std::min(arrowStep * static_cast<double>(bottom - top), arrowRoom() - 2);
        const double sign = side == 0 ? -1 : 1;
        const QPointF begin(side == 0 ? source.left() : source.right(), source.center().y());
        end = QPointF(side == 0 ? target.left() : target.right(), target.center().y());
        QPainterPath arc(begin);
        arc.cubicTo(begin + QPointF(sign * out, 0), end + QPointF(sign * out, 0), end);
        painter.drawPath(arc);
        painter.setBrush(colour);
        painter.drawPolygon(QPolygonF{end, end + QPointF(sign * 2 * alignedHead, -alignedHead),
                                      end + QPointF(sign * 2 * alignedHead, alignedHead)});
    }
}

void AlignedWidget::choose(std::size_t chosenRow) {
    row = chosenRow;
    const double top = static_cast<double>(chosenRow) * rowHeight();
    if (top < scrolled || top + rowHeight() > scrolled + height()) {
        scrollTo(top - height() / 3.0);
    }
    if (const auto& first = steps.rows[chosenRow].first) {
        chosen.setOperator(*first);
    }
    speakValue(*this);
    update();
}

void AlignedWidget::selectAdjacent(int by) {
    if (const auto next = steps.difference(row, by)) {
        choose(*next);
    }
}

void AlignedWidget::click(const QPointF& at) {
    if (const auto which = rowAt(at.y())) {
        choose(*which);
    }
}

void AlignedWidget::hover(std::optional<QPointF> at) {
    const auto which = at ? rowAt(at->y()) : std::nullopt;
    setCursor(which && steps.rows[*which].first ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void AlignedWidget::zoom(double factor, Axis, const QPointF& at) {
    const double place = (at.y() + scrolled) / rowHeight();
    scale = std::clamp(scale / factor, minScale, maxScale);
    scrollTo(place * rowHeight() - at.y());
}

void AlignedWidget::pan(const QPointF& pixels) {
    scrollTo(scrolled + pixels.y());
}

void AlignedWidget::fitAll() {
    const double whole =
        fontMetrics().height() * rowLines * static_cast<double>(std::max<std::size_t>(steps.rows.size(), 1));
    scale = std::clamp(height() / whole, minScale, 1.0);
    scrollTo(0);
}

void AlignedWidget::fitChosen() {
    if (row) {
        scrollTo(static_cast<double>(*row) * rowHeight() - height() / 2.0);
    }
}

QString AlignedWidget::spokenValue() const {
    if (!row) {
        return {};
    }
    const AlignedRow& shown = steps.rows[*row];
    return (shown.texts[0].isEmpty() ? shown.texts[1] : shown.texts[0]) + u'\n' + shown.tip;
}

QString AlignedWidget::tipAt(const QPointF& at) const {
    const auto which = rowAt(at.y());
    if (!which) {
        return {};
    }
    const AlignedRow& shown = steps.rows[*which];
    return shown.kind == AlignedRow::Kind::Same
               ? shown.tip
               : QStringLiteral("%1\n%2\n%3").arg(shown.texts[0], shown.texts[1], shown.tip).trimmed();
}

}  // namespace et::visualizers
