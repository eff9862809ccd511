#include "visualizers/sql/answer_chart.h"

#include "visualizers/sql/answer_model.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::visualizers {

namespace {

constexpr int chartMargin = 10;
constexpr int labelLetters = 36;
constexpr int numberLetters = 12;
constexpr int significantDigits = 5;

QString numberText(double number) {
    return QString::number(number, 'g', significantDigits);
}

}  // namespace

AnswerChart::AnswerChart(const AnswerModel& model, QWidget* parent) : QWidget(parent), answers(model) {
    setObjectName(QStringLiteral("answerChart"));
    setAccessibleName(QStringLiteral("Chart of the result"));
    connect(&model, &QAbstractItemModel::modelReset, this, [this] { setColumn(-1); });
}

void AnswerChart::setColumn(int column) {
    shownColumn = column;
    numbers.clear();
    min = 0;
    max = 0;
    for (int row = 0; column >= 0 && row < answers.rowCount(); ++row) {
        bool known = false;
        const double number = answers.index(row, column).data(AnswerModel::numberRole).toDouble(&known);
        numbers.push_back(known ? number : std::numeric_limits<double>::quiet_NaN());
        if (known && std::isfinite(number)) {
            min = std::min(min, number);
            max = std::max(max, number);
        }
    }
    setMinimumHeight(sizeHint().height());
    updateGeometry();
    update();
}

QString AnswerChart::spokenValue() const {
    return shownColumn < 0
               ? QString()
               : QStringLiteral("%1: %2 rows from %3 to %4")
                     .arg(answers.headerData(shownColumn, Qt::Horizontal, Qt::DisplayRole).toString())
                     .arg(numbers.size())
                     .arg(numberText(min), numberText(max));
}

int AnswerChart::rowHeight() const {
    return fontMetrics().height() + 6;
}

QSize AnswerChart::sizeHint() const {
    const auto rows = static_cast<int>(numbers.size());
    constexpr int lineHeight = 160;
    return {320, rows <= maxBars ? rows * rowHeight() + 2 * chartMargin : lineHeight};
}

int AnswerChart::labelColumn() const {
    for (int column = 0; column < answers.columnCount(); ++column) {
        if (answers.rowCount() > 0 && !answers.index(0, column).data(AnswerModel::numberRole).isValid()) {
            return column;
        }
    }
    return -1;
}

void AnswerChart::paintEvent(QPaintEvent* event) {
    PicturePainter painter(this);
    painter.fillRect(event->rect(), palette().base());
    if (numbers.empty() || max <= min) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter,
                         numbers.empty() ? QStringLiteral("Run a query with a numeric column to see a chart")
                                         : QStringLiteral("All values are 0"));
    } else if (numbers.size() <= maxBars) {
        paintBars(painter, event->rect());
    } else {
        paintLine(painter);
    }
}

void AnswerChart::paintBars(QPainter& painter, const QRect& exposed) const {
    const int letter = fontMetrics().averageCharWidth();
    const int labels = labelColumn();
    const int left = chartMargin + (labels < 0 ? 0 : labelLetters * letter);
    const int space = std::max(1, width() - left - chartMargin - numberLetters * letter);
    const auto xOf = [&](double number) { return left + (number - min) / (max - min) * space; };
    const int first = std::max(0, (exposed.top() - chartMargin) / rowHeight());
    const int last =
        std::min(static_cast<int>(numbers.size()) - 1, (exposed.bottom() - chartMargin) / rowHeight());
    for (int row = first; row <= last; ++row) {
        const double number = numbers[static_cast<std::size_t>(row)];
        const int top = chartMargin + row * rowHeight();
        painter.setPen(palette().color(QPalette::Text));
        if (labels >= 0) {
            const QString label = fontMetrics().elidedText(answers.index(row, labels).data().toString(),
                                                           Qt::ElideMiddle, (labelLetters - 2) * letter);
            painter.drawText(QRect(chartMargin, top, left - chartMargin, rowHeight()),
                             Qt::AlignVCenter | Qt::AlignLeft, label);
        }
        if (!std::isfinite(number)) {
            continue;
        }
        const QRectF bar = QRectF(xOf(0), top + 2, xOf(number) - xOf(0), rowHeight() - 4).normalized();
        painter.fillRect(bar, palette().highlight());
        painter.drawText(QRectF(std::max(bar.right(), xOf(0)) + 6, top, numberLetters * letter, rowHeight()),
                         Qt::AlignVCenter | Qt::AlignLeft, numberText(number));
    }
}

void AnswerChart::paintLine(QPainter& painter) const {
    const int letter = fontMetrics().averageCharWidth();
    const QRectF plot = QRectF(rect()).adjusted(chartMargin + numberLetters * letter, chartMargin,
                                                -chartMargin, -chartMargin);
    painter.setPen(palette().color(QPalette::Text));
    const QRectF labels(chartMargin, plot.top() - 2, numberLetters * letter - 6, plot.height() + 4);
    painter.drawText(labels, Qt::AlignRight | Qt::AlignTop, numberText(max));
    painter.drawText(labels, Qt::AlignRight | Qt::AlignBottom, numberText(min));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(plot);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    // A pixel column may represent many rows: it is drawn from their minimum to their maximum.
    const auto columns = static_cast<std::size_t>(std::max(1.0, plot.width()));
    const auto yOf = [&](double number) {
        return plot.bottom() - (number - min) / (max - min) * plot.height();
    };
    for (std::size_t x = 0; x < columns; ++x) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        const std::size_t begin = x * numbers.size() / columns;
        const std::size_t end = std::max(begin + 1, (x + 1) * numbers.size() / columns);
        for (std::size_t row = begin; row < std::min(end, numbers.size()); ++row) {
            if (std::isfinite(numbers[row])) {
                low = std::min(low, numbers[row]);
                high = std::max(high, numbers[row]);
            }
        }
        if (low <= high) {
            const double at = plot.left() + static_cast<double>(x);
            painter.drawLine(QPointF(at, yOf(low)), QPointF(at, yOf(high) - 1));
        }
    }
}

}  // namespace et::visualizers
