#include "visualizers/overview/dashboard_view.h"

#include "inspector/format/quantities.h"
#include "visualizers/overview/answer_tile.h"
#include "visualizers/overview/bar_stack.h"
#include "visualizers/overview/finding_card.h"
#include "visualizers/overview/instruction_strip.h"
#include "visualizers/overview/operator_bars.h"
#include "visualizers/overview/runs_plot.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int dashboardMargin = 16;
constexpr int dashboardSpacing = 12;
constexpr int twoColumnsInLetters = 130;
constexpr std::size_t maxMethodsShown = 4;  // methods and blocks; programs may have hundreds

using inspector::MethodMemory;
using inspector::RunSplit;

QString partOfRun(double part, double whole) {
    return toQString(inspector::format::readablePercent(whole > 0 ? part / whole : 0));
}

Bar splitBar(const RunSplit& split, inspector::TimeScale scale) {
    const QString name = toQString(split.method.empty() ? split.block : split.method);
    Bar bar{.title = split.runs == 1 ? QStringLiteral("%1, one run").arg(name)
                                     : QStringLiteral("%1, typical of %2 runs").arg(name).arg(split.runs),
            .value = timeText(split.total, scale)};
    for (const inspector::RunPartInfo& part : inspector::runParts()) {
        const double time = split.parts[static_cast<std::size_t>(part.part)];
        if (time > 0) {
            bar.parts.push_back(
                {.name = toQString(part.name),
                 .value = QStringLiteral("%1, %2").arg(timeText(time, scale), partOfRun(time, split.total)),
                 .size = time,
                 .colour = [meaning = part.meaning](const QPalette& palette) {
                     return meaningColour(meaning, palette);
                 }});
        }
    }
    return bar;
}

QString sizeText(std::uint64_t bytes) {
    return toQString(inspector::format::readableBytes(bytes));
}

/// One bar per item, because they overlap (a plan is part of the process) and a sum would be meaningless.
std::vector<Bar> memoryBars(const MethodMemory& memory) {
    std::vector<Bar> bars;
    for (const inspector::MemoryPart& part : memory.parts) {
        const bool isPlan = !part.measured && part.name == "planned";
        const QString title = toQString(part.name);
        Bar bar{.title = part.measured ? QStringLiteral("%1, measured").arg(title) : title,
                .value = sizeText(part.bytes)};
        bar.parts.push_back({.name = {},
                             .value = sizeText(part.bytes),
                             .size = static_cast<double>(part.bytes),
                             .colour = [measured = part.measured](const QPalette& palette) {
                                 QColor colour = palette.color(QPalette::Highlight);
                                 constexpr int pale = 130;
                                 colour.setAlpha(measured ? pale : 255);
                                 return colour;
                             }});
        if (isPlan && memory.peak > 0) {
            bar.marker = static_cast<double>(memory.peak);
            bar.markerText = QStringLiteral("peak %1").arg(sizeText(memory.peak));
            bar.value = QStringLiteral("%1, peak %2").arg(bar.value, sizeText(memory.peak));
        }
        bars.push_back(std::move(bar));
    }
    return bars;
}

}  // namespace

DashboardView::DashboardView(std::function<QString(std::string_view)> actionOf, QWidget* parent)
    : QScrollArea(parent), action(std::move(actionOf)) {
    setObjectName(QStringLiteral("overview"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(QStringLiteral("Overview"));
}

void DashboardView::clear() {
    isDue = false;
    delete takeWidget();
    content = nullptr;
    columns.clear();
}

void DashboardView::show(const Overview& overview) {
    clear();
    shown = overview;
    isDue = true;
    if (visibleRegion().isEmpty()) {
        viewport()->update();
    } else {
        rebuild();
    }
}

/// Rich text labels are slow to lay out, so they are created when first visible.
void DashboardView::paintEvent(QPaintEvent* event) {
    QScrollArea::paintEvent(event);
    if (isDue) {
        QTimer::singleShot(0, this, &DashboardView::rebuildIfDue);
    }
}

void DashboardView::rebuildIfDue() {
    if (isDue) {
        rebuild();
    }
}

/// Rebuilds the widgets from the current overview.
void DashboardView::rebuild() {
    clear();
    content = new QWidget;
    auto* const rows = new QVBoxLayout(content);
    rows->setContentsMargins(dashboardMargin, dashboardMargin, dashboardMargin, dashboardMargin);
    rows->setSpacing(dashboardSpacing);
    addAnswers(*rows);
    beginRow(*rows);
    addOperators();
    addTimes();
    left->addStretch(1);
    addFindings();
    right->addStretch(1);
    beginRow(*rows);
    addMemory();
    addStrips();
    for (const OverviewSection& section : shown.sections) {
        if (section.place != OverviewSection::Place::Drawn) {
            addSection(section.place == OverviewSection::Place::Left ? left : right, section);
        }
    }
    left->addStretch(1);
    right->addStretch(1);
    rows->addStretch(1);
    arrange();
    setWidget(content);
    content->show();
}

void DashboardView::beginRow(QVBoxLayout& rows) {
    auto* const row = new QBoxLayout(QBoxLayout::LeftToRight);
    row->setSpacing(2 * dashboardSpacing);
    left = new QVBoxLayout;
    right = new QVBoxLayout;
    row->addLayout(left, 1);
    row->addLayout(right, 1);
    rows.addLayout(row);
    columns.push_back(row);
}

void DashboardView::addAnswers(QVBoxLayout& rows) {
    auto* const row = new QHBoxLayout;
    row->setSpacing(dashboardSpacing);
    // Panels that answer in detail, in the order of Answers::tiles.
    static constexpr std::array panels{"panel:run", "panel:verify", "panel:memory", "panel:compare"};
    for (std::size_t i = 0; i < shown.answers.tiles.size(); ++i) {
        const inspector::Answer& each = shown.answers.tiles[i];
        const QString link = each.operatorAt ? operatorLink(shown.answers.slowest.at(*each.operatorAt))
                                             : QLatin1String(panels.at(i));
        auto* const tile = new AnswerTile(each, link, content);
        connect(tile, &AnswerTile::linkFollowed, this, &DashboardView::linkFollowed);
        row->addWidget(tile, 1);
    }
    rows.addLayout(row);
}

void DashboardView::addOperators() {
    if (shown.answers.slowest.empty()) {
        return;
    }
    auto* const bars = new OperatorBars(shown.answers, content);
    connect(bars, &OperatorBars::linkFollowed, this, &DashboardView::linkFollowed);
    addPanel(left, QStringLiteral("Most time"))->addWidget(bars);
}

QVBoxLayout* DashboardView::addPanel(QVBoxLayout* column, const QString& title) {
    auto* const heading = new QLabel(title, content);
    heading->setTextFormat(Qt::PlainText);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    auto* const panel = new QVBoxLayout;
    panel->setSpacing(dashboardSpacing / 2);
    panel->setContentsMargins(0, 0, 0, dashboardSpacing);
    panel->addWidget(heading);
    column->addLayout(panel);
    return panel;
}

void DashboardView::addTimes() {
    const inspector::Dashboard& figures = shown.dashboard;
    if (figures.runs.empty()) {
        return;
    }
    QVBoxLayout* const panel = addPanel(left, QStringLiteral("Time of a run"));
    std::vector<Bar> bars;
    for (const RunSplit& split : figures.runs) {
        if (bars.size() < maxMethodsShown) {
            bars.push_back(splitBar(split, figures.scale));
        }
    }
    auto* const stack = new BarStack(BarStack::Legend::On, content);
    stack->setAccessibleName(QStringLiteral("Time of a run by component"));
    stack->show(std::move(bars));
    panel->addWidget(stack);
    const RunSplit& most = figures.runs.front();
    if (most.samples.size() > 1) {
        auto* const plot = new RunsPlot(content);
        plot->show(most.samples, figures.scale);
        addPanel(left, QStringLiteral("Variation between runs"))->addWidget(plot);
    }
}

void DashboardView::addMemory() {
    const auto& memory = shown.dashboard.memory;
    for (std::size_t i = 0; i < std::min(memory.size(), maxMethodsShown); ++i) {
        const QString title = memory.size() == 1
                                  ? QStringLiteral("Memory")
                                  : QStringLiteral("Memory of %1").arg(toQString(memory[i].method));
        auto* const stack = new BarStack(BarStack::Legend::Off, content);
        stack->setAccessibleName(title);
        stack->show(memoryBars(memory[i]));
        addPanel(left, title)->addWidget(stack);
    }
}

void DashboardView::addStrips() {
    const auto& methods = shown.dashboard.methods;
    for (std::size_t i = 0; i < std::min(methods.size(), maxMethodsShown); ++i) {
        auto* const strip = new InstructionStrip(content);
        strip->show(methods[i], shown.dashboard.scale);
        QVBoxLayout* const panel = addPanel(left, QStringLiteral("Instructions by backend"));
        auto* const caption = new QLabel(content);
        caption->setTextFormat(Qt::PlainText);
        caption->setWordWrap(true);
        caption->setText(
            QStringLiteral("%1%2, in execution order%3")
                .arg(methods[i].method.empty() ? QString()
                                               : QStringLiteral("%1: ").arg(toQString(methods[i].method)),
                     strip->accessibleDescription(),
                     std::ranges::any_of(methods[i].steps, [](const auto& step) { return step.time > 0; })
                         ? QStringLiteral("; below, scaled by their time")
                         : QString()));
        panel->addWidget(caption);
        panel->addWidget(strip);
        connect(strip, &InstructionStrip::chosen, this, &DashboardView::instructionChosen);
    }
}

void DashboardView::addFindings() {
    // Without operators on the left, findings take their place.
    QVBoxLayout* const panel =
        addPanel(shown.answers.slowest.empty() ? left : right, QStringLiteral("Top findings"));
    for (std::size_t i = 0; i < shown.findings.size(); ++i) {
        const inspector::Finding& finding = shown.findings[i];
        auto* const card = new FindingCard(finding, action(finding.rule), content);
        connect(card, &FindingCard::chosen, this, [this, i] { emit findingChosen(i); });
        connect(card, &FindingCard::acted, this, [this, i] { emit findingActed(i); });
        panel->addWidget(card);
    }
    if (shown.findings.empty() || shown.findingsLeft > 0) {
        auto* const more = new QLabel(content);
        more->setText(shown.findings.empty()
                          ? QStringLiteral("No findings.")
                          : QStringLiteral("<a href=\"findings:all\">%1</a>")
                                .arg(QStringLiteral("and %1 more").arg(shown.findingsLeft)));
        more->setTextInteractionFlags(Qt::TextBrowserInteraction);
        connect(more, &QLabel::linkActivated, this, &DashboardView::linkFollowed);
        panel->addWidget(more);
    }
}

void DashboardView::addSection(QVBoxLayout* column, const OverviewSection& section) {
    auto* const text = new QLabel(content);
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setText(toHtml(section));
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(text, &QLabel::linkActivated, this, &DashboardView::linkFollowed);
    addPanel(column, section.title)->addWidget(text);
}

QString DashboardView::plainText() {
    rebuildIfDue();
    QStringList texts;
    if (content != nullptr) {
        for (const QWidget* const each : content->findChildren<QWidget*>()) {
            if (const auto* const label = qobject_cast<const QLabel*>(each)) {
                texts.append(Qt::mightBeRichText(label->text())
                                 ? QTextDocumentFragment::fromHtml(label->text()).toPlainText()
                                 : label->text());
            } else if (!each->accessibleDescription().isEmpty()) {
                texts.append(each->accessibleDescription());
            }
        }
    }
    return texts.join(u'\n');
}

void DashboardView::arrange() {
    const bool wide = viewport()->width() > fontMetrics().averageCharWidth() * twoColumnsInLetters;
    for (QBoxLayout* const row : columns) {
        row->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    }
}

/// Rich text keeps the link colours it was created with.
void DashboardView::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && content != nullptr) {
        QTimer::singleShot(0, this, [this] {
            if (content != nullptr) {
                rebuild();
            }
        });
    }
}

void DashboardView::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange();
}

}  // namespace et::visualizers
