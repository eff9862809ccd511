#include "visualizers/overview/instruction_strip.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double stripGap = 4;
constexpr int stripLetters = 32;
constexpr double leastSeparated = 4;  // minimum width in pixels of cells with a gap between them

using inspector::RunStep;

/// Cumulative ends of the sizes, 0 to 1; empty if their sum is 0.
std::vector<double> stepEnds(const std::vector<double>& sizes) {
    double whole = 0;
    for (const double size : sizes) {
        whole += size;
    }
    std::vector<double> ends;
    if (whole > 0) {
        double sum = 0;
        for (const double size : sizes) {
            sum += size;
            ends.push_back(sum / whole);
        }
    }
    return ends;
}

const inspector::RunPartInfo& stepColumnInfo(const RunStep& step) {
    return inspector::runParts()[static_cast<std::size_t>(step.part)];
}

}  // namespace

InstructionStrip::InstructionStrip(QWidget* parent) : TipWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void InstructionStrip::show(inspector::MethodSteps steps, inspector::TimeScale scale) {
    shown = std::move(steps);
    unit = scale;
    current.reset();
    std::vector<double> times;
    for (const RunStep& step : shown.steps) {
        times.push_back(step.time);
    }
    byPlace = stepEnds(std::vector<double>(times.size(), 1.0));
    byTime = stepEnds(times);
    std::array<std::size_t, 4> counts{};
    for (const RunStep& step : shown.steps) {
        ++counts[static_cast<std::size_t>(step.part)];
    }
    QStringList texts;
    for (const inspector::RunPartInfo& part : inspector::runParts()) {
        if (const std::size_t count = counts[static_cast<std::size_t>(part.part)]; count > 0) {
            texts.append(counted(count, QStringLiteral("1 %1").arg(toQString(part.one)),
                                 QStringLiteral("%1 ") + toQString(part.name)));
        }
    }
    setAccessibleName(QStringLiteral("Instructions of %1").arg(toQString(shown.method)));
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize InstructionStrip::sizeHint() const {
    const int line = fontMetrics().height();
    const int rows = byTime.empty() ? 1 : 2;
    return {fontMetrics().averageCharWidth() * stripLetters * 2,
            rows * 2 * line + static_cast<int>(stripGap) * (rows - 1)};
}

QSize InstructionStrip::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * stripLetters, sizeHint().height()};
}

QRectF InstructionStrip::row(int place) const {
    const double height = 2.0 * fontMetrics().height();
    return {0, place * (height + stripGap), static_cast<double>(width()), height};
}

std::optional<std::size_t> InstructionStrip::stepAt(QPoint at) const {
    for (int place = 0; place < 2; ++place) {
        const std::vector<double>& ends = place == 0 ? byPlace : byTime;
        const QRectF area = row(place);
        if (!ends.empty() && area.contains(at)) {
            const double share = (at.x() + 0.5) / area.width();
            const auto found = std::ranges::upper_bound(ends, share);
            return std::min<std::size_t>(static_cast<std::size_t>(found - ends.begin()), ends.size() - 1);
        }
    }
    return std::nullopt;
}

void InstructionStrip::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    paintRow(painter, row(0), byPlace);
    if (!byTime.empty()) {
        paintRow(painter, row(1), byTime);
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void InstructionStrip::paintRow(QPainter& painter, const QRectF& area,
                                const std::vector<double>& ends) const {
    double from = area.left();
    double painted = area.left() - 1;  // right edge painted so far; cells narrower than a pixel are merged
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const double to = area.left() + ends[i] * area.width();
        if (to - painted < 1 && i + 1 < ends.size()) {
            from = to;
            continue;
        }
        painted = to;
        const double separator = to - from > leastSeparated ? 1 : 0;
        const QRectF cell(from, area.top(), std::max(to - from - separator, 1.0), area.height());
        const RunStep& step = shown.steps[i];
        const QColor colour = meaningColour(stepColumnInfo(step).meaning, palette());
        painter.fillRect(cell, colour);
        const QString name = toQString(step.name);
        if (fontMetrics().horizontalAdvance(name) + 2 * stripGap < cell.width()) {
            painter.setPen(inkOn(colour));
            painter.drawText(cell, Qt::AlignCenter, name);
        }
        if (current == i) {
            painter.setPen(QPen(palette().color(QPalette::WindowText), 2));
            painter.drawRect(cell.adjusted(1, 1, -1, -1));
        }
        from = to;
    }
}

QString InstructionStrip::textOf(std::size_t step) const {
    const RunStep& at = shown.steps[step];
    const QString text = QStringLiteral("instruction %1: %2, %3")
                             .arg(at.instruction.value)
                             .arg(toQString(at.name), toQString(stepColumnInfo(at).name));
    return at.time > 0 ? QStringLiteral("%1, %2 of a run").arg(text, timeText(at.time, unit)) : text;
}

void InstructionStrip::choose(std::size_t step) {
    current = step;
    update();
    emit chosen(shown.method, shown.steps[step].instruction);
}

void InstructionStrip::mousePressEvent(QMouseEvent* event) {
    if (const auto step = stepAt(event->position().toPoint()); step && event->button() == Qt::LeftButton) {
        choose(*step);
    }
}

void InstructionStrip::keyPressEvent(QKeyEvent* event) {
    const bool back = event->key() == Qt::Key_Left;
    if ((!back && event->key() != Qt::Key_Right) || shown.steps.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = shown.steps.size() - 1;
    const std::size_t at = current.value_or(back ? 1 : last);
    choose(back ? (at == 0 ? last : at - 1) : (at == last ? 0 : at + 1));
}

QString InstructionStrip::tipAt(QPoint at) const {
    const auto step = stepAt(at);
    return step ? textOf(*step) : QString();
}

}  // namespace et::visualizers
