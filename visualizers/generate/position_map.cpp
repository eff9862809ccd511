#include "visualizers/generate/position_map.h"

#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QKeyEvent>
#include <QLinearGradient>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace et::visualizers {

namespace {

using inspector::events::GenerationCall;
using inspector::events::PositionTimes;

constexpr int mapLetters = 60;
constexpr int mapLines = 10;
constexpr int mostNameLetters = 30;
constexpr int tallestRow = 26;
constexpr int widestCell = 40;
constexpr int scaleHeight = 8;
constexpr int scaleWidth = 120;
constexpr double brightest = 0.98;  // quantile of the times with the last colour; longer ones are stalls

QString positionsOf(const GenerationCall& call) {
    return call.tokens == 1
               ? QStringLiteral("position %1").arg(call.position)
               : QStringLiteral("positions %1 to %2").arg(call.position).arg(call.position + call.tokens - 1);
}

/// Spans the numbers from 0 to the quantile that excludes stalls.
ColourScale scaleOf(std::vector<double> numbers) {
    if (numbers.empty()) {
        return {};
    }
    const auto at = static_cast<std::ptrdiff_t>(brightest * static_cast<double>(numbers.size() - 1));
    std::ranges::nth_element(numbers, numbers.begin() + at);
    return {ColourScale::Kind::Sequential, std::array{0.0, numbers[static_cast<std::size_t>(at)]}};
}

}  // namespace

PositionMap::PositionMap(QWidget* parent) : TipWidget(parent) {
    setAccessibleName(QStringLiteral("Time by module and position"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PositionMap::setTimes(std::shared_ptr<const PositionTimes> shown, inspector::TimeScale scale,
                           const QString& why) {
    values = std::move(shown);
    unit = scale;
    reason = why;
    chosenCall.reset();
    chosenRow = 0;
    makeScales();
    setAccessibleDescription(
        isShown()
            ? QStringLiteral("%1 rows, %2 executions").arg(values->rows.size()).arg(values->calls.size())
            : why);
    updateGeometry();
}

void PositionMap::setByRow(bool each) {
    byRow = each;
    makeScales();
}

void PositionMap::makeScales() {
    scales.clear();
    std::vector<double> numbers;
    for (std::size_t row = 0; isShown() && row < values->rows.size(); ++row) {
        for (std::size_t call = 0; call < values->calls.size(); ++call) {
            numbers.push_back(perToken({row, call}));
        }
        if (byRow) {
            scales.push_back(scaleOf(std::exchange(numbers, {})));
        }
    }
    if (!byRow) {
        scales.push_back(scaleOf(std::move(numbers)));
    }
    picture = {};
    update();
}

void PositionMap::setCall(std::optional<std::size_t> call) {
    chosenCall = isShown() && call && *call < values->calls.size() ? call : std::nullopt;
    update();
}

double PositionMap::perToken(const MapCell& cell) const {
    return values->time(cell.row, cell.call) / static_cast<double>(values->calls[cell.call].tokens);
}

QRgb PositionMap::colourOf(const MapCell& cell) const {
    return scales[byRow ? cell.row : 0].colour(perToken(cell));
}

QSize PositionMap::sizeHint() const {
    return {fontMetrics().averageCharWidth() * mapLetters, fontMetrics().height() * mapLines};
}

/// Rows are one text line high, so that each shows its name.
QSize PositionMap::minimumSizeHint() const {
    const int line = fontMetrics().height();
    const int rows = isShown() ? static_cast<int>(values->rows.size()) : 4;
    return {fontMetrics().averageCharWidth() * mapLetters / 2, (rows * line) + (2 * line) + 12};
}

QRect PositionMap::plot() const {
    if (!isShown()) {
        return {};
    }
    int names = 0;
    for (const PositionTimes::Row& row : values->rows) {
        names = std::max(names, fontMetrics().horizontalAdvance(toQString(row.name)));
    }
    names = std::min(names, fontMetrics().averageCharWidth() * mostNameLetters) + 10;
    const int below = (2 * fontMetrics().height()) + 10;
    const QRect room = rect().adjusted(names, 2, -8, -below);
    const auto fit = [](std::size_t cells, int most, int pixels) {
        return static_cast<int>(std::min<std::size_t>(cells * static_cast<std::size_t>(most),
                                                      static_cast<std::size_t>(std::max(pixels, 1))));
    };
    return {room.topLeft(), QSize(fit(values->calls.size(), widestCell, room.width()),
                                  fit(values->rows.size(), tallestRow, room.height()))};
}

std::optional<PositionMap::MapCell> PositionMap::cellAt(const QPoint& at) const {
    const QRect room = plot();
    if (!room.contains(at)) {
        return std::nullopt;
    }
    const auto place = [](int pixel, int pixels, std::size_t cells) {
        const auto cell = static_cast<std::size_t>(pixel) * cells / static_cast<std::size_t>(pixels);
        return std::min(cell, cells - 1);
    };
    return MapCell{.row = place(at.y() - room.top(), room.height(), values->rows.size()),
                   .call = place(at.x() - room.left(), room.width(), values->calls.size())};
}

QRect PositionMap::cellRect(const MapCell& cell) const {
    const QRect room = plot();
    // The first pixel that cellAt() maps to a cell.
    const auto start = [](std::size_t at, int pixels, std::size_t cells) {
        return static_cast<int>((at * static_cast<std::size_t>(pixels) + cells - 1) / cells);
    };
    const int left = start(cell.call, room.width(), values->calls.size());
    const int right = std::max(start(cell.call + 1, room.width(), values->calls.size()), left + 1);
    const int top = start(cell.row, room.height(), values->rows.size());
    const int bottom = std::max(start(cell.row + 1, room.height(), values->rows.size()), top + 1);
    return QRect(left, top, right - left, bottom - top).translated(room.topLeft());
}

/// Renders one pixel per row and execution, or the maximum of those that share a pixel.
QImage PositionMap::render() const {
    const QSize room = plot().size();
    const auto columns =
        static_cast<int>(std::min<std::size_t>(values->calls.size(), static_cast<std::size_t>(room.width())));
    const auto rows =
        static_cast<int>(std::min<std::size_t>(values->rows.size(), static_cast<std::size_t>(room.height())));
    std::vector<double> longest(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), -1);
    QImage image(columns, rows, QImage::Format_RGB32);
    for (std::size_t row = 0; row < values->rows.size(); ++row) {
        const auto y = static_cast<int>(row * static_cast<std::size_t>(rows) / values->rows.size());
        for (std::size_t call = 0; call < values->calls.size(); ++call) {
            const auto x = static_cast<int>(call * static_cast<std::size_t>(columns) / values->calls.size());
            double& known = longest[(static_cast<std::size_t>(y) * static_cast<std::size_t>(columns)) +
                                    static_cast<std::size_t>(x)];
            if (perToken({row, call}) > known) {
                known = perToken({row, call});
                image.setPixel(x, y, colourOf({row, call}));
            }
        }
    }
    return image;
}

void PositionMap::paintLabels(QPainter& painter) const {
    const QRect room = plot();
    const int line = fontMetrics().height();
    painter.setPen(palette().color(QPalette::WindowText));
    int free = 0;
    for (std::size_t row = 0; row < values->rows.size(); ++row) {
        const QRect cell = cellRect({row, 0});
        const int top = cell.center().y() - (line / 2);
        if (row > 0 && top < free) {
            continue;
        }
        free = top + line;
        const QRect at(4, top, room.left() - 10, line);
        painter.drawText(
            at, Qt::AlignRight | Qt::AlignVCenter,
            fontMetrics().elidedText(toQString(values->rows[row].name), Qt::ElideLeft, at.width()));
    }
    const int top = room.bottom() + 3;
    int end = room.left();
    for (std::size_t call = 0; call < values->calls.size(); ++call) {
        const QString text = QString::number(values->calls[call].position);
        const int left = cellRect({0, call}).left();
        if (call == 0 || left > end) {
            painter.drawText(QPoint(left, top + fontMetrics().ascent()), text);
            end = left + fontMetrics().horizontalAdvance(text + QStringLiteral("  00"));
        }
    }
}

void PositionMap::paintScale(QPainter& painter) const {
    const int line = fontMetrics().height();
    const int top = plot().bottom() + line + 6;
    int x = plot().left();
    const QString what = QStringLiteral("position · time per token ");
    painter.drawText(QPoint(x, top + fontMetrics().ascent()), what);
    x += fontMetrics().horizontalAdvance(what) + 4;
    const QString low = byRow ? QStringLiteral("none") : timeText(0, unit);
    painter.drawText(QPoint(x, top + fontMetrics().ascent()), low);
    x += fontMetrics().horizontalAdvance(low) + 6;
    QLinearGradient gradient(x, 0, x + scaleWidth, 0);
    const ColourScale unitScale(ColourScale::Kind::Sequential, std::array{0.0, 1.0});
    constexpr int stops = 8;
    for (int i = 0; i <= stops; ++i) {
        gradient.setColorAt(static_cast<double>(i) / stops,
                            QColor::fromRgb(unitScale.colour(static_cast<double>(i) / stops)));
    }
    painter.fillRect(QRect(x, top + ((line - scaleHeight) / 2), scaleWidth, scaleHeight), gradient);
    x += scaleWidth + 6;
    painter.drawText(QPoint(x, top + fontMetrics().ascent()),
                     byRow ? QStringLiteral("maximum of the row")
                           : QStringLiteral("%1 or more").arg(timeText(scales[0].highest(), unit)));
}

void PositionMap::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (!isShown()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap, reason);
        return;
    }
    if (picture.isNull()) {
        picture = render();
    }
    painter.drawImage(plot(), picture);
    paintLabels(painter);
    paintScale(painter);
    if (chosenCall) {
        const QRect first = cellRect({0, *chosenCall});
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(first.left() - 1, plot().top(), first.width() + 2, plot().height()));
        if (hasFocus()) {
            painter.drawRect(cellRect({chosenRow, *chosenCall}).adjusted(-1, 0, 1, 0));
        }
    }
}

void PositionMap::resizeEvent(QResizeEvent*) {
    picture = {};
}

QString PositionMap::tipAt(QPoint at) const {
    const auto cell = cellAt(at);
    if (!cell) {
        return {};
    }
    const GenerationCall& call = values->calls[cell->call];
    const QString text = QStringLiteral("%1 · %2 %3 · %4")
                             .arg(toQString(values->rows[cell->row].name),
                                  call.isPrefill ? QStringLiteral("prefill") : QStringLiteral("decode"),
                                  positionsOf(call), timeText(values->time(cell->row, cell->call), unit));
    return call.tokens == 1 ? text
                            : QStringLiteral("%1 (%2 per token)").arg(text, timeText(perToken(*cell), unit));
}

void PositionMap::choose(const MapCell& cell) {
    chosenRow = cell.row;
    chosenCall = cell.call;
    update();
    emit cellChosen(cell.row, cell.call);
}

void PositionMap::mousePressEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position().toPoint()); cell && event->button() == Qt::LeftButton) {
        choose(*cell);
    }
}

void PositionMap::keyPressEvent(QKeyEvent* event) {
    constexpr std::array keys{
        std::pair(Qt::Key_Left, std::pair(0, -1)), std::pair(Qt::Key_Right, std::pair(0, 1)),
        std::pair(Qt::Key_Up, std::pair(-1, 0)), std::pair(Qt::Key_Down, std::pair(1, 0))};
    const auto* const key = std::ranges::find(keys, static_cast<Qt::Key>(event->key()),
                                              &std::pair<Qt::Key, std::pair<int, int>>::first);
    if (!isShown() || key == keys.end()) {
        return TipWidget::keyPressEvent(event);
    }
    const auto moved = [](std::size_t from, int by, std::size_t count) {
        return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(from) + by, 0,
                                                                   static_cast<std::ptrdiff_t>(count) - 1));
    };
    choose({moved(chosenRow, key->second.first, values->rows.size()),
            chosenCall ? moved(*chosenCall, key->second.second, values->calls.size()) : 0});
}

}  // namespace et::visualizers
