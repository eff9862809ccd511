#include "visualizers/gap/gap_plot.h"

#include "visualizers/gap/gap_plot_painter.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <functional>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double minRows = 4;    // maximum zoom
constexpr double edgeRoom = 10;  // margin in rows on both sides of a fitted row

}  // namespace

GapPlot::GapPlot(QWidget* parent)
    : ZoomPanWidget({.itemName = QStringLiteral("Operator"), .stepName = QStringLiteral("Operator")},
                    parent) {
    setAccessibleName(QStringLiteral("Error of each operator"));
    content.quantity = &gapQuantities().front();
    const auto add = [this](const QString& text, Qt::Key key, std::function<void()> act) {
        keyedAction(*this, text, key, std::move(act), KeyScope::Widget);
    };
    add(QStringLiteral("F&irst Operator"), Qt::Key_Home, [this] { choose(0); });
    add(QStringLiteral("Las&t Operator"), Qt::Key_End, [this] { choose(content.rowCount() - 1); });
    add(QStringLiteral("First Di&vergence"), Qt::Key_N, [this] { goToFirstDivergence(); });
    add(QStringLiteral("Show in Other Pane&ls"), Qt::Key_Return, [this] {
        if (content.chosen) {
            emit rowActivated(*content.chosen);
        }
    });
}

void GapPlot::setReport(std::shared_ptr<const inspector::GapReport> shown) {
    content.report = std::move(shown);
    content.chosen.reset();
    content.glowing.reset();
    content.kept.clear();
    content.window = ZoomRange(std::max(static_cast<double>(content.rowCount()), 1.0), minRows, 1);
    placeArea();
    setQuantity(*content.quantity);
}

void GapPlot::setQuantity(const GapQuantity& shown) {
    content.setQuantity(shown);
    update();
}

void GapPlot::setKept(std::vector<bool> rows) {
    content.kept = std::move(rows);
    update();
}

void GapPlot::setPale(bool stale) {
    content.pale = stale;
    update();
}

void GapPlot::setCurrent(std::optional<std::size_t> row) {
    content.chosen = row;
    if (row) {
        bringIntoView(*row);
    }
    update();
}

void GapPlot::choose(std::optional<std::size_t> row) {
    if (row && *row < content.rowCount()) {
        setCurrent(row);
        speakValue(*this);
        emit rowChosen(*row);
    }
}

void GapPlot::goToFirstDivergence() {
    if (content.report && content.report->firstDivergence) {
        choose(content.report->firstDivergence->row);
    }
}

void GapPlot::setGlowing(std::optional<std::size_t> row) {
    if (std::exchange(content.glowing, row) != row) {
        update();
    }
}

void GapPlot::moved() {
    update();
    emit viewMoved();
}

void GapPlot::showRows(double from, double to) {
    content.window.show(from, to);
    moved();
}

void GapPlot::fitAll() {
    content.window.fit();
    moved();
}

void GapPlot::fitChosen() {
    if (content.chosen) {
        const auto row = static_cast<double>(*content.chosen);
        content.window.show(row, row + 1, edgeRoom);
        moved();
    }
}

// Scrolls as little as necessary to make the row fully visible.
void GapPlot::bringIntoView(std::size_t row) {
    ZoomRange& window = content.window;
    const auto left = static_cast<double>(row);
    const double span = window.to() - window.from();
    if (left < window.from()) {
        window.pan((left - window.from()) / span);
    } else if (left + 1 > window.to()) {
        window.pan((left + 1 - window.to()) / span);
    }
}

void GapPlot::zoom(double factor, Axis, const QPointF& at) {
    content.window.zoom(factor, at.x() - content.area.left());
    moved();
}

void GapPlot::pan(const QPointF& pixels) {
    content.window.pan(pixels.x() / content.window.pixels());
    moved();
}

// Zoom centre: the current operator.
QPointF GapPlot::stillPoint() const {
    return content.chosen ? QPointF(content.xOf(static_cast<double>(*content.chosen) + 0.5), 0)
                          : content.area.center();
}

bool GapPlot::doubleClick(const QPointF& at) {
    const auto row = content.rowAt(at.x());
    if (row) {
        emit rowActivated(*row);
    }
    return row.has_value();
}

void GapPlot::hover(std::optional<QPointF> at) {
    const auto row = at && content.area.contains(*at) ? content.rowAt(at->x()) : std::nullopt;
    if (row != content.glowing) {
        setGlowing(row);
        emit rowHovered(row);
    }
}

QString GapPlot::tipAt(const QPointF& at) const {
    const auto row = content.rowAt(at.x());
    return row ? content.tipOf(*row) : QString();
}

void GapPlot::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (content.rowCount() > 0) {
        paintGapPlot(painter, content, palette());
    }
}

void GapPlot::placeArea() {
    content.area = GapPlotContent::areaIn(size(), fontMetrics());
    content.window.setPixels(static_cast<int>(content.area.width()));
}

void GapPlot::resizeEvent(QResizeEvent*) {
    placeArea();
}

void GapPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        placeArea();
        update();
    }
    ZoomPanWidget::changeEvent(event);
}

}  // namespace et::visualizers
