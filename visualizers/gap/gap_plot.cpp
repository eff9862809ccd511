#include "visualizers/gap/gap_plot.h"

#include "visualizers/gap/gap_model.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr double zoomStep = 0.75;
constexpr double panPart = 0.2;
constexpr double fewestRows = 4;  // of the closest look
constexpr double wheelNotch = 120;
constexpr double dragDistance = 4;  // pixels that are no click any more

}  // namespace

GapPlot::GapPlot(QWidget* parent) : QWidget(parent), quantity(&gapQuantities().front()) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    createActions();
}

void GapPlot::createActions() {
    addKeyed(tr("Zoom &In"), Qt::Key_W, [this] { zoom(zoomStep); });
    addKeyed(tr("Zoom &Out"), Qt::Key_S, [this] { zoom(1 / zoomStep); });
    addKeyed(tr("Pan &Left"), Qt::Key_A, [this] { pan(-panPart); });
    addKeyed(tr("Pan &Right"), Qt::Key_D, [this] { pan(panPart); });
    addKeyed(tr("&Fit All"), Qt::Key_Space, [this] {
        window.fit();
        update();
    });
    addKeyed(tr("&Next Operator"), Qt::Key_Right, [this] { step(1); });
    addKeyed(tr("&Previous Operator"), Qt::Key_Left, [this] { step(-1); });
    addKeyed(tr("F&irst Operator"), Qt::Key_Home, [this] { choose(0); });
    addKeyed(tr("L&ast Operator"), Qt::Key_End, [this] { choose(rowCount() - 1); });
    addKeyed(tr("First &Divergence"), Qt::Key_N, [this] { goToFirstDivergence(); });
    addKeyed(tr("&Show in Other Rooms"), Qt::Key_Return, [this] {
        if (chosen) {
            emit rowActivated(*chosen);
        }
    });
}

void GapPlot::addKeyed(const QString& text, const QKeySequence& key, const std::function<void()>& act) {
    auto* const action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, act);
    addAction(action);
}

void GapPlot::setReport(std::shared_ptr<const inspector::GapReport> shown) {
    report = std::move(shown);
    fitAll();
    chosen.reset();
    kept.clear();
    setQuantity(*quantity);
}

void GapPlot::setQuantity(const GapQuantity& shown) {
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
    if (chosen) {
        bringIntoView(*chosen);
    }
    update();
}

void GapPlot::choose(std::optional<std::size_t> row) {
    if (row && *row < rowCount()) {
        setCurrent(row);
        emit rowChosen(*row);
    }
}

// To the next row that is not pale.
void GapPlot::step(int by) {
    const auto count = static_cast<std::ptrdiff_t>(rowCount());
    const auto begin = chosen ? static_cast<std::ptrdiff_t>(*chosen) + by : (by > 0 ? 0 : count - 1);
    for (std::ptrdiff_t row = begin; row >= 0 && row < count; row += by) {
        if (isKept(static_cast<std::size_t>(row))) {
            choose(static_cast<std::size_t>(row));
            return;
        }
    }
}

void GapPlot::goToFirstDivergence() {
    if (report && report->firstDivergence) {
        choose(report->firstDivergence->row);
    }
}

void GapPlot::fitAll() {
    window = ZoomRange(std::max(static_cast<double>(rowCount()), 1.0), fewestRows,
                       static_cast<int>(plotArea().width()));
}

// As little as it takes to have the whole of it in view.
void GapPlot::bringIntoView(std::size_t row) {
    const auto left = static_cast<double>(row);
    const double span = window.to() - window.from();
    if (left < window.from()) {
        window.pan((left - window.from()) / span);
    } else if (left + 1 > window.to()) {
        window.pan((left + 1 - window.to()) / span);
    }
}

void GapPlot::zoom(double factor) {
    const QRectF area = plotArea();
    const QPointF cursor = mapFromGlobal(QCursor::pos());
    const double centre = underMouse() && area.contains(cursor) ? cursor.x()
                          : chosen                              ? xOf(static_cast<double>(*chosen) + 0.5)
                                                                : area.center().x();
    window.zoom(factor, centre - area.left());
    update();
}

void GapPlot::pan(double part) {
    window.pan(part);
    update();
}

void GapPlot::resizeEvent(QResizeEvent*) {
    window.setPixels(static_cast<int>(plotArea().width()));
}

double GapPlot::spacing() const {
    return 1 / window.perPixel();
}

double GapPlot::xOf(double row) const {
    return plotArea().left() + window.pixelOf(row);
}

std::optional<std::size_t> GapPlot::rowAt(double x) const {
    const double index = std::floor(window.valueAt(x - plotArea().left()));
    return rowCount() > 0 && index >= 0 && index < static_cast<double>(rowCount())
               ? std::optional(static_cast<std::size_t>(index))
               : std::nullopt;
}

std::optional<QPointF> GapPlot::markOf(std::size_t row, std::size_t series) const {
    if (series >= places.size() || row >= places[series].size() || !places[series][row]) {
        return std::nullopt;
    }
    const QRectF area = plotArea();
    // Side by side, so that none hides the other.
    const double share = (static_cast<double>(series) + 1) / (static_cast<double>(places.size()) + 1);
    const double x = xOf(static_cast<double>(row) + share);
    if (x < area.left() || x > area.right()) {
        return std::nullopt;
    }
    return QPointF(x, area.bottom() - *places[series][row] * area.height());
}

QString GapPlot::hoverText(std::size_t row) const {
    const inspector::GapReportRow& shown = report->rows[row];
    QStringList lines{QStringLiteral("%1   %2").arg(row).arg(operatorText(shown))};
    for (const GapSeries& series : quantity->series) {
        const auto number = series.value(shown);
        lines.append(
            QStringLiteral("%1: %2").arg(series.name, number ? gapNumberText(*number) : tr("not known")));
    }
    if (shown.own && shown.own->diverges) {
        lines.append(toQString(shown.own->reason));
    }
    if (!shown.module.empty()) {
        lines.append(toQString(shown.module));
    }
    return lines.join(QLatin1Char('\n'));
}

bool GapPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto row = rowAt(help->pos().x());
        QToolTip::showText(help->globalPos(), row ? hoverText(*row) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void GapPlot::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / wheelNotch;
    window.zoom(std::pow(zoomStep, notches), event->position().x() - plotArea().left());
    update();
    event->accept();
}

void GapPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        dragFrom = event->position().x();
        dragging = false;
    }
}

void GapPlot::mouseMoveEvent(QMouseEvent* event) {
    if (!dragFrom) {
        return;
    }
    const double moved = event->position().x() - *dragFrom;
    dragging = dragging || std::abs(moved) > dragDistance;
    if (dragging) {
        window.pan(-moved / window.pixels());
        dragFrom = event->position().x();
        update();
    }
}

void GapPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && dragFrom && !dragging) {
        choose(rowAt(event->position().x()));
    }
    dragFrom.reset();
}

void GapPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto row = rowAt(event->position().x())) {
        emit rowActivated(*row);
    }
}

}  // namespace et::visualizers
