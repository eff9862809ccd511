#include "visualizers/verify/heat_map.h"

#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/verify/number_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr int mapMargin = 4;
constexpr int legendHeight = 8;
constexpr int largestCell = 48;  // pixels
constexpr int outlinedCell = 6;  // minimum cell size with gaps between cells

struct Special {
    QRgb colour;
    const char* name;
    bool (*is)(double);
};
constexpr std::array specials{
    Special{ColourScale::nanColour, "nan", [](double number) { return std::isnan(number); }},
    Special{ColourScale::positiveInfinityColour, "inf",
            [](double number) { return std::isinf(number) && number > 0; }},
    Special{ColourScale::negativeInfinityColour, "-inf",
            [](double number) { return std::isinf(number) && number < 0; }},
};

/// Priority of a number among cells that share a pixel.
double weight(double number) {
    return std::isnan(number) ? HUGE_VAL : std::abs(number);
}

int start(std::int64_t cell, std::int64_t cells, int pixels) {
    return static_cast<int>(cell * pixels / cells);
}

}  // namespace

HeatMap::HeatMap(ColourScale::Kind kind, QWidget* parent) : QWidget(parent), scaleKind(kind) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setLayoutDirection(Qt::LeftToRight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(kind == ColourScale::Kind::Diverging ? QStringLiteral("Heat map of differences")
                                                           : QStringLiteral("Heat map of values"));
}

QString HeatMap::cellText(SliceCell cell) const {
    return QStringLiteral("%1: %2").arg(indexText(slice.index(cell.row, cell.column)),
                                        numberText(number(cell), values->integral));
}

QString HeatMap::spokenValue() const {
    return isShown() && cursor ? cellText(*cursor) : QString();
}

void HeatMap::setValues(std::shared_ptr<const TensorValues> tensor, const ColourScale& colours) {
    values = std::move(tensor);
    scale = colours;
    for (std::size_t i = 0; i < specials.size(); ++i) {
        seen[i] = values && std::ranges::any_of(values->numbers, specials[i].is);
    }
    picture = {};
    update();
}

void HeatMap::setSlice(const Slice& part) {
    slice = part;
    picture = {};
    update();
}

void HeatMap::setCursor(std::optional<SliceCell> cell) {
    cursor = cell && cell->row < slice.rows() && cell->column < slice.columns() ? cell : std::nullopt;
    update();
}

QSize HeatMap::sizeHint() const {
    return {220, 180};
}

QSize HeatMap::minimumSizeHint() const {
    return {90, 80};
}

QRect HeatMap::plotArea() const {
    if (!isShown()) {
        return {};
    }
    const int below = legendHeight + fontMetrics().height() + 2 * mapMargin;
    const QRect room = rect().adjusted(mapMargin, mapMargin, -mapMargin, -mapMargin - below);
    const auto fit = [](std::int64_t cells, int pixels) {
        return static_cast<int>(std::min<std::int64_t>(cells * largestCell, std::max(pixels, 1)));
    };
    return {room.topLeft(), QSize(fit(slice.columns(), room.width()), fit(slice.rows(), room.height()))};
}

std::optional<SliceCell> HeatMap::cellAt(const QPoint& position) const {
    const QRect area = plotArea();
    if (!area.contains(position)) {
        return std::nullopt;
    }
    const QPoint inside = position - area.topLeft();
    // For cells larger than pixels: the last one that starts at or before the pixel.
    const auto place = [](int pixel, std::int64_t cells, int pixels) {
        return cells > pixels ? pixel : static_cast<int>(((pixel + 1) * cells - 1) / pixels);
    };
    return worstCell(cellsOf(place(inside.x(), slice.columns(), area.width()),
                             place(inside.y(), slice.rows(), area.height()), area.size()));
}

QRect HeatMap::cellRect(SliceCell cell) const {
    const QRect area = plotArea();
    const int left = start(cell.column, slice.columns(), area.width());
    const int top = start(cell.row, slice.rows(), area.height());
    const int right = std::max(start(cell.column + 1, slice.columns(), area.width()), left + 1);
    const int bottom = std::max(start(cell.row + 1, slice.rows(), area.height()), top + 1);
    return QRect(left, top, right - left, bottom - top).translated(area.topLeft());
}

double HeatMap::number(SliceCell cell) const {
    return values->numbers[slice.place(cell.row, cell.column)];
}

SliceCell HeatMap::worstCell(const QRect& cells) const {
    SliceCell worst{cells.top(), cells.left()};
    for (int row = cells.top(); row <= cells.bottom(); ++row) {
        for (int column = cells.left(); column <= cells.right(); ++column) {
            worst = weight(number({row, column})) > weight(number(worst)) ? SliceCell{row, column} : worst;
        }
    }
    return worst;
}

/// The cells of a pixel in an image for an area of this size.
QRect HeatMap::cellsOf(int x, int y, QSize room) const {
    const auto edge = [](int pixel, std::int64_t cells, int pixels) {
        return static_cast<int>(pixel * cells / std::min<std::int64_t>(cells, pixels));
    };
    const int left = edge(x, slice.columns(), room.width());
    const int top = edge(y, slice.rows(), room.height());
    return {QPoint(left, top), QPoint(std::max(edge(x + 1, slice.columns(), room.width()) - 1, left),
                                      std::max(edge(y + 1, slice.rows(), room.height()) - 1, top))};
}

// One pixel per cell if there is space, otherwise as many cells per pixel as necessary.
QImage HeatMap::render(QSize room) const {
    const int columns = static_cast<int>(std::min<std::int64_t>(slice.columns(), room.width()));
    const int rows = static_cast<int>(std::min<std::int64_t>(slice.rows(), room.height()));
    QImage image(columns, rows, QImage::Format_RGB32);
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            image.setPixel(x, y, scale.colour(number(worstCell(cellsOf(x, y, room)))));
        }
    }
    return image;
}

void HeatMap::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    if (!isShown()) {
        return;
    }
    const QRect area = plotArea();
    if (picture.isNull()) {
        picture = render(area.size());
    }
    if (picture.size() == area.size()) {
        painter.drawImage(area.topLeft(), picture);
    } else {
        const bool gaps = area.width() >= outlinedCell * picture.width() &&
                          area.height() >= outlinedCell * picture.height();
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                const int left = start(x, picture.width(), area.width());
                const int top = start(y, picture.height(), area.height());
                const QRect cell(area.left() + left, area.top() + top,
                                 start(x + 1, picture.width(), area.width()) - left,
                                 start(y + 1, picture.height(), area.height()) - top);
                painter.fillRect(gaps ? cell.adjusted(0, 0, -1, -1) : cell, QColor(picture.pixel(x, y)));
            }
        }
    }
    paintCursor(painter);
    paintLegend(painter);
}

void HeatMap::paintCursor(QPainter& painter) const {
    if (!cursor) {
        return;
    }
    // A white and a dark line, one of which is visible on any colour.
    const QRect cell = cellRect(*cursor);
    painter.setPen(Qt::white);
    painter.drawRect(cell.adjusted(-1, -1, 0, 0));
    painter.setPen(Qt::black);
    painter.drawRect(cell.adjusted(-2, -2, 1, 1));
}

void HeatMap::paintLegend(QPainter& painter) const {
    const int text = fontMetrics().height();
    const QRect bar(mapMargin, height() - mapMargin - text - legendHeight, width() - 2 * mapMargin,
                    legendHeight);
    for (int x = 0; x < bar.width(); ++x) {
        const double part = static_cast<double>(x) / std::max(bar.width() - 1, 1);
        const double at = scale.lowest() * (1 - part) + scale.highest() * part;
        painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(), QColor(scale.colour(at)));
    }
    painter.setPen(palette().color(QPalette::WindowText));
    const QRect below(bar.left(), bar.bottom() + 1, bar.width(), text + mapMargin);
    QString lowest = numberText(scale.lowest(), values->integral);
    QString highest = numberText(scale.highest(), values->integral);
    if (fontMetrics().horizontalAdvance(lowest + QStringLiteral("   ") + highest) > below.width()) {
        // Little space in a side-by-side view; the tool tips show all digits.
        constexpr int fewDigits = 2;
        lowest = QString::number(scale.lowest(), 'g', fewDigits);
        highest = QString::number(scale.highest(), 'g', fewDigits);
    }
    if (fontMetrics().horizontalAdvance(lowest + u' ' + highest) <= below.width()) {
        painter.drawText(below, Qt::AlignLeft, lowest);
    }
    painter.drawText(below, Qt::AlignRight, highest);
    int x = below.center().x() - fontMetrics().horizontalAdvance(QStringLiteral("■ nan ")) / 2;
    for (std::size_t i = 0; i < specials.size(); ++i) {
        if (seen[i]) {
            painter.fillRect(x, below.top() + text / 4, text / 2, text / 2, QColor(specials[i].colour));
            painter.drawText(x + text / 2 + 3, below.top() + fontMetrics().ascent(),
                             QLatin1String(specials[i].name));
            x += fontMetrics().horizontalAdvance(QStringLiteral("■ -inf "));
        }
    }
}

void HeatMap::resizeEvent(QResizeEvent*) {
    picture = {};
}

bool HeatMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && isShown()) {
        const auto* const help = static_cast<const QHelpEvent*>(event);
        if (const auto cell = cellAt(help->pos())) {
            QToolTip::showText(help->globalPos(), cellText(*cell), this);
            return true;
        }
    }
    return QWidget::event(event);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position().toPoint())) {
        emit cellChosen(*cell);
    }
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) {
        mousePressEvent(event);
    }
}

void HeatMap::moveCursor(std::int64_t rows, std::int64_t columns) {
    const SliceCell from = cursor.value_or(SliceCell{});
    emit cellChosen({std::clamp<std::int64_t>(from.row + rows, 0, slice.rows() - 1),
                     std::clamp<std::int64_t>(from.column + columns, 0, slice.columns() - 1)});
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
    if (!isShown()) {
        return QWidget::keyPressEvent(event);
    }
    switch (event->key()) {
        case Qt::Key_Left:
            return moveCursor(0, -1);
        case Qt::Key_Right:
            return moveCursor(0, 1);
        case Qt::Key_Up:
            return moveCursor(-1, 0);
        case Qt::Key_Down:
            return moveCursor(1, 0);
        default:
            return QWidget::keyPressEvent(event);
    }
}

}  // namespace et::visualizers
