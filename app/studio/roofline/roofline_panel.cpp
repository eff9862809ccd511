#include "app/studio/roofline/roofline_panel.h"

#include "app/studio/run_process.h"
#include "app/tasks/machine/machine_cache.h"
#include "backends/builtin.h"
#include "inspector/events/readable_name.h"
#include "inspector/roofline/trace_limits.h"
#include "visualizers/results.h"
#include "visualizers/roofline/roofline_widget.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedLayout>
#include <QToolBar>
#include <QTreeView>

#include <utility>

namespace et::studio {

using inspector::format::Meaning;
using visualizers::toQString;

RooflinePanel::RooflinePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      selection(context.selection),
      results(context.results),
      settings(context.settings),
      looking(this),
      hint(visualizers::hintLabel("rooflineHint", this)),
      measureButton(new QPushButton(QStringLiteral("Measure This Machine"), this)),
      threads(new QSpinBox(this)),
      machine(new QLabel(this)),
      chosen(visualizers::plainLabel("rooflineChosen", this,
                                     {.margin = 4, .wraps = false, .shrinks = true, .selectable = true})),
      plot(new visualizers::RooflineWidget(context.selection, this)),
      table(new visualizers::ReportTable(this)),
      pages(new QStackedLayout(this)) {
    auto* const split = new visualizers::Splitter(Qt::Vertical, this);
    split->addParts({{makePicture(), 3}, {table, 1}});
    split->setCollapsible(0, false);
    pages->addWidget(visualizers::hintPage(*hint, *measureButton, this));
    pages->addWidget(split);
    measureButton->setObjectName(QStringLiteral("rooflineMeasure"));
    table->view().setAccessibleName(QStringLiteral("Potential speed-up of operators"));
    addActions(plot->actions());
    setFocusProxy(plot);
    connect(threads, &QSpinBox::valueChanged, this, &RooflinePanel::showSession);
    connect(measureButton, &QPushButton::clicked, this, &RooflinePanel::measure);
    connect(table, &visualizers::ReportTable::rowChosen, this,
            [this](std::size_t row) { selection.setCurrent(plot->eventOf(row)); });
    connect(&selection, &visualizers::Selection::currentChanged, this, &RooflinePanel::showChosen);
    connect(&measuring, &InspectCommand::notStarted, this, &RooflinePanel::endMeasuring);
    connect(&measuring, &InspectCommand::ended, this, &RooflinePanel::endMeasuring);
    connect(&opened, &visualizers::OpenSession::changed, this, &RooflinePanel::showSession);
    showSession();
}

QWidget* RooflinePanel::makePicture() {
    auto* const part = new QWidget(this);
    auto* const tools = new QToolBar(this);
    threads->setObjectName(QStringLiteral("rooflineThreads"));
    threads->setRange(1, 1024);
    threads->setPrefix(QStringLiteral("Threads: "));
    threads->setToolTip(QStringLiteral("Number of threads used by the trace"));
    machine->setTextFormat(Qt::RichText);
    machine->setMargin(4);
    machine->setObjectName(QStringLiteral("rooflineMachine"));
    tools->addWidget(threads);
    tools->addWidget(machine);
    visualizers::fillColumn(*part, {tools, plot, chosen}, plot);
    return part;
}

bool RooflinePanel::hasContent() const {
    return opened.session() && opened.session()->blocks && opened.session()->program;
}

QByteArray RooflinePanel::saveState() const {
    return visualizers::packed(qint32(threads->value()));
}

void RooflinePanel::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<qint32>(state)) {
        threads->setValue(std::get<0>(*read));
    }
}

RooflinePanel::ReadResult RooflinePanel::look(const visualizers::SessionPointer& session,
                                              std::size_t threads) {
    const inspector::EventBlocks& blocks = *session->blocks;
    const bool inCycles = blocks.options().target == inspector::TimeScale::Cycles;
    const auto profile = tasks::cachedProfile();
    const inspector::MachineProfile* const machine = !inCycles && profile && *profile ? &**profile : nullptr;
    ReadResult result;
    result.limits = std::make_shared<const inspector::events::EventLimits>(
        inspector::eventLimits(blocks, {.program = *session->program,
                                        .backends = backends::describable(),
                                        .machine = machine,
                                        .threads = threads}));
    if (machine != nullptr) {
        auto points = inspector::rooflinePoints(blocks, *result.limits);
        for (inspector::RooflinePoint& point : points) {
            const inspector::Block& block = blocks.blocks()[point.block];
            point.name = inspector::events::readableName(block, block.events[point.event]);
        }
        result.plot = std::make_shared<const inspector::RooflinePlot>(points, *machine, threads);
        return result;
    }
    result.canMeasure = !inCycles;
    result.problem =
        inCycles   ? QStringLiteral("A trace with times in cycles cannot be compared with rates per second.")
        : !profile ? toQString(profile.error().toString())
                   : QStringLiteral(
                         "The limits of this machine have not been measured. Measuring takes a few "
                         "seconds; the result is stored.");
    return result;
}

void RooflinePanel::showSession() {
    looking.forget();
    results.setLimits(nullptr);
    if (!hasContent()) {
        showLooked({.problem = QStringLiteral(
                        "Open a trace and its program to compare operators with the limits of the "
                        "machine.")});
        return;
    }
    looking.start([session = opened.session(),
                   number = static_cast<std::size_t>(threads->value())] { return look(session, number); },
                  [this](const ReadResult& looked) { showLooked(looked); });
}

void RooflinePanel::showLooked(const ReadResult& looked) {
    results.setLimits(looked.limits);
    shown = looked.plot;
    hint->setText(looked.problem);
    measureButton->setVisible(looked.canMeasure);
    pages->setCurrentIndex(shown ? 1 : 0);
    plot->setPlot(shown);
    table->setRows(shown ? visualizers::limitRows(*shown) : visualizers::ReportRows{});
    showLegend();
    showChosen();
}

/// Uses the colours of the palette.
void RooflinePanel::showLegend() {
    if (!shown) {
        return;
    }
    const auto sign = [&](Meaning meaning, const QString& name) {
        return QStringLiteral("<span style=\"color:%1\">●</span> %2 &nbsp; ")
            .arg(visualizers::meaningColour(meaning, palette()).name(), name);
    };
    QString text = sign(Meaning::Kernel, QStringLiteral("kernels")) +
                   sign(Meaning::Delegate, QStringLiteral("inside delegates")) +
                   toQString(shown->processor()).toHtmlEscaped();
    if (shown->withoutPlace() > 0) {
        text += QStringLiteral(" · %1 operators without arithmetic are not shown").arg(shown->withoutPlace());
    }
    machine->setText(text);
}

void RooflinePanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showLegend();
    }
}

void RooflinePanel::showChosen() {
    const auto point = plot->chosenPoint();
    chosen->setText(
        !shown ? QString()
        : point
            ? plot->spokenValue()
            : QStringLiteral(
                  "Click a point to select its operator · points far below the lines can be made faster"));
    table->choose(point);
}

void RooflinePanel::measure() {
    if (measuring.running()) {
        return;
    }
    measureButton->setEnabled(false);
    hint->setText(QStringLiteral("Measuring… Other load on this machine lowers the results."));
    measuring.start(
        RunProcess::findProgram(settings),
        {QStringLiteral("machine"), QStringLiteral("--refresh"), QStringLiteral("--progress=none")});
}

void RooflinePanel::endMeasuring(const QString& problem) {
    measureButton->setEnabled(true);
    if (!problem.isEmpty()) {
        emit noticed(QStringLiteral("cannot measure this machine: %1").arg(problem));
    }
    showSession();
}

}  // namespace et::studio
