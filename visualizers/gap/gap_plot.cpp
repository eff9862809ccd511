#include "visualizers/gap/gap_plot.h"

#include "visualizers/gap/gap_model.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/plot_widget.h"
#include "visualizers/toolkit/text.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr double mostZoomedRows = 4;
constexpr double rowMargin = 10;  // rows on both sides of a fitted row
constexpr int gapEdge = 6;
constexpr int widestTickLetters = 6;
constexpr int currentAlpha = 60;

/// The operators with the numbers of a quantity.
plot::ErrorPlot errorsOf(const inspector::GapReport& report, const GapQuantity& quantity) {
    std::vector<plot::ErrorSeries> series;
    for (const GapSeries& each : quantity.series) {
        series.push_back({.name = each.name.toStdString(), .tone = each.tone});
    }
    std::vector<plot::ErrorRow> rows;
    for (const inspector::GapReportRow& of : report.rows) {
        plot::ErrorRow& row = rows.emplace_back();
        row.isCall = of.place == inspector::GapLevel::Instruction && !of.backend.empty();
        row.diverges = of.own && of.own->diverges;
        for (const GapSeries& each : quantity.series) {
            row.numbers.push_back(each.value(of));
        }
    }
    plot::ErrorPlot errors(std::move(series), quantity.scale, std::move(rows));
    if (report.firstDivergence) {
        const std::size_t first = report.firstDivergence->row;
        errors.setFirstDivergence(first, operatorText(report.rows[first]).toStdString());
    }
    return errors;
}

}  // namespace

GapPlot::GapPlot(QWidget* parent)
    : ZoomPanWidget({.itemName = QStringLiteral("Operator"), .stepName = QStringLiteral("Operator")}, parent),
      quantity(&gapQuantities().front()) {
    setAccessibleName(QStringLiteral("Error of each operator"));
    const auto add = [this](const QString& text, Qt::Key key, std::function<void()> act) {
        keyedAction(*this, text, key, std::move(act), KeyScope::Widget);
    };
    add(QStringLiteral("F&irst Operator"), Qt::Key_Home, [this] { choose(0); });
    add(QStringLiteral("Las&t Operator"), Qt::Key_End, [this] { choose(rowCount() - 1); });
    add(QStringLiteral("First Di&vergence"), Qt::Key_N, [this] { goToFirstDivergence(); });
    add(QStringLiteral("Show in Other Pane&ls"), Qt::Key_Return, [this] {
        if (chosen) {
            emit rowActivated(*chosen);
        }
    });
}

void GapPlot::setReport(std::shared_ptr<const inspector::GapReport> shown) {
    report = std::move(shown);
    chosen.reset();
    pointed.reset();
    kept.clear();
    setQuantity(*quantity);
    window = ZoomRange(std::max(static_cast<double>(rowCount()), 1.0), mostZoomedRows,
                       static_cast<int>(plotArea().width()));
}

void GapPlot::setQuantity(const GapQuantity& shown) {
    quantity = &shown;
    errors = report ? errorsOf(*report, shown) : plot::ErrorPlot();
    update();
}

void GapPlot::setKept(std::vector<bool> rows) {
    kept = std::move(rows);
    update();
}

void GapPlot::setPale(bool stale) {
    pale = stale;
    update();
}

void GapPlot::setCurrent(std::optional<std::size_t> row) {
    chosen = row;
    if (row) {
        bringIntoView(*row);
    }
    update();
}

void GapPlot::choose(std::optional<std::size_t> row) {
    if (row && *row < rowCount()) {
        setCurrent(row);
        speakValue(*this);
        emit rowChosen(*row);
    }
}

void GapPlot::goToFirstDivergence() {
    if (report && report->firstDivergence) {
        choose(report->firstDivergence->row);
    }
}

void GapPlot::setGlowing(std::optional<std::size_t> row) {
    if (std::exchange(pointed, row) != row) {
        update();
    }
}

void GapPlot::moved() {
    update();
    emit viewMoved();
}

void GapPlot::showRows(double from, double to) {
    window.show(from, to);
    moved();
}

void GapPlot::fitAll() {
    window.fit();
    moved();
}

void GapPlot::fitChosen() {
    if (chosen) {
        const auto row = static_cast<double>(*chosen);
        window.show(row, row + 1, rowMargin);
        moved();
    }
}

// Scrolls as little as necessary to make the row fully visible.
void GapPlot::bringIntoView(std::size_t row) {
    const auto left = static_cast<double>(row);
    const double span = window.to() - window.from();
    if (left < window.from()) {
        window.pan((left - window.from()) / span);
    } else if (left + 1 > window.to()) {
        window.pan((left + 1 - window.to()) / span);
    }
}

void GapPlot::zoom(double factor, Axis, const QPointF& at) {
    window.zoom(factor, at.x() - plotArea().left());
    moved();
}

void GapPlot::pan(const QPointF& pixels) {
    window.pan(pixels.x() / window.pixels());
    moved();
}

// Goes to the next or previous kept row.
void GapPlot::selectAdjacent(int by) {
    const auto count = static_cast<std::ptrdiff_t>(rowCount());
    std::ptrdiff_t row = chosen ? static_cast<std::ptrdiff_t>(*chosen) + by : (by > 0 ? 0 : count - 1);
    while (row >= 0 && row < count && !kept.empty() && !kept[static_cast<std::size_t>(row)]) {
        row += by;
    }
    if (row >= 0) {
        choose(static_cast<std::size_t>(row));
    }
}

// Zoom centre: the current operator.
QPointF GapPlot::stillPoint() const {
    const QRectF area = plotArea();
    return chosen ? QPointF(area.left() + window.pixelOf(static_cast<double>(*chosen) + 0.5), 0)
                  : area.center();
}

std::optional<std::size_t> GapPlot::rowAt(const QPointF& at) const {
    const double row = std::floor(window.valueAt(at.x() - plotArea().left()));
    return row >= 0 && row < static_cast<double>(rowCount()) ? std::optional(static_cast<std::size_t>(row))
                                                             : std::nullopt;
}

bool GapPlot::doubleClick(const QPointF& at) {
    const auto row = rowAt(at);
    if (row) {
        emit rowActivated(*row);
    }
    return row.has_value();
}

void GapPlot::hover(std::optional<QPointF> at) {
    const auto row = at && plotArea().contains(*at) ? rowAt(*at) : std::nullopt;
    if (row != pointed) {
        setGlowing(row);
        emit rowHovered(row);
    }
}

QStringList GapPlot::numbersOf(std::size_t row) const {
    const inspector::GapReportRow& shown = report->rows[row];
    QStringList parts{QStringLiteral("%1 %2").arg(row).arg(operatorText(shown))};
    for (const GapSeries& series : quantity->series) {
        const auto number = series.value(shown);
        parts.append(QStringLiteral("%1: %2").arg(
            series.name, number ? gapNumberText(*number) + quantity->unit : QStringLiteral("unknown")));
    }
    return parts;
}

QString GapPlot::hoverText(std::size_t row) const {
    const inspector::GapReportRow& shown = report->rows[row];
    QStringList lines = numbersOf(row);
    if (shown.own && shown.own->diverges) {
        lines.append(toQString(shown.own->reason));
    }
    if (!shown.module.empty()) {
        lines.append(toQString(shown.module));
    }
    return lines.join(QLatin1Char('\n'));
}

QString GapPlot::tipAt(const QPointF& at) const {
    const auto row = rowAt(at);
    return row ? hoverText(*row) : QString();
}

QRectF GapPlot::plotArea() const {
    const QFontMetrics metrics = fontMetrics();
    const int left = metrics.averageCharWidth() * widestTickLetters + 2 * gapEdge;
    return QRectF(rect()).adjusted(left, metrics.height() + 2 * gapEdge, -gapEdge,
                                   -metrics.height() - 2 * gapEdge);
}

plot::Frame GapPlot::frame() const {
    const QRectF area = plotArea();
    return {.area = {.x = area.x(), .y = area.y(), .width = area.width(), .height = area.height()},
            .part = {.x = window.from() / window.length(),
                     .y = 0,
                     .width = (window.to() - window.from()) / window.length(),
                     .height = 1},
            .lineHeight = double(fontMetrics().height())};
}

std::optional<QPointF> GapPlot::markOf(std::size_t row, std::size_t series) const {
    const auto place = errors.placeOf(row, series);
    if (!place) {
        return std::nullopt;
    }
    const plot::Frame now = frame();
    const plot::Point at = now.onScreen(*place);
    return at.x < now.area.x || at.x > now.right() ? std::nullopt : std::optional(QPointF(at.x, at.y));
}

QRectF GapPlot::bandOf(std::size_t row) const {
    const QRectF area = plotArea();
    const double left = area.left() + window.pixelOf(static_cast<double>(row));
    return QRectF(left, area.top(), std::max(1 / window.perPixel(), 2.0), area.height()) & area;
}

// Frames the row under the pointer and replaces the legend with its numbers.
void GapPlot::paintGlowing(QPainter& painter) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    if (const QRectF band = bandOf(*pointed); !band.isEmpty()) {
        painter.drawRect(band.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    const QRectF area = plotArea();
    const QFontMetrics metrics = painter.fontMetrics();
    const QString text = numbersOf(*pointed).join(QStringLiteral("  ·  "));
    const double width = std::min<double>(metrics.horizontalAdvance(text) + 2 * gapEdge, area.width());
    const QRectF label(area.right() - width, gapEdge / 2.0, width, metrics.height() + gapEdge);
    painter.fillRect(label, palette().color(QPalette::ToolTipBase));
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(label.adjusted(gapEdge, 0, -gapEdge, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideMiddle, static_cast<int>(width) - 2 * gapEdge));
}

void GapPlot::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (chosen && *chosen < rowCount()) {
        QColor colour = palette().color(QPalette::Highlight);
        colour.setAlpha(currentAlpha);
        painter.fillRect(bandOf(*chosen), colour);
    }
    plot::Scene scene;
    errors.addTo(scene, frame(), pale ? std::vector<bool>(rowCount(), false) : kept);
    paintScene(painter, scene, palette());
    if (pointed && *pointed < rowCount()) {
        paintGlowing(painter);
    }
}

void GapPlot::resizeEvent(QResizeEvent*) {
    window.setPixels(static_cast<int>(plotArea().width()));
}

void GapPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        window.setPixels(static_cast<int>(plotArea().width()));
        update();
    }
    ZoomPanWidget::changeEvent(event);
}

}  // namespace et::visualizers
