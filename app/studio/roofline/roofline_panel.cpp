#include "app/studio/roofline/roofline_panel.h"

#include "app/studio/run_process.h"
#include "app/tasks/machine/machine_cache.h"
#include "backends/builtin.h"
#include "inspector/events/readable_name.h"
#include "inspector/roofline/trace_limits.h"
#include "visualizers/roofline/limit_rows.h"
#include "visualizers/roofline/roofline_widget.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QDataStream>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedLayout>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace et::studio {

using inspector::format::Meaning;
using visualizers::toQString;

RooflinePanel::RooflinePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      selection(context.selection),
      settings(context.settings),
      looking(this),
      hint(new QLabel(this)),
      measureButton(new QPushButton(QStringLiteral("Measure This Machine"), this)),
      threads(new QSpinBox(this)),
      machine(new QLabel(this)),
      chosen(new QLabel(this)),
      plot(new visualizers::RooflineWidget(context.selection, this)),
      table(new visualizers::ReportTable(this)),
      pages(new QStackedLayout(this)) {
    auto* const split = new visualizers::Splitter(Qt::Vertical, this);
    split->addWidget(makePicture());
    split->addWidget(table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setCollapsible(0, false);
    pages->addWidget(makeHint());
    pages->addWidget(split);
    table->view().setAccessibleName(QStringLiteral("Potential speed-up of operators"));
    addActions(plot->actions());
    setFocusProxy(plot);
    connect(threads, &QSpinBox::valueChanged, this, &RooflinePanel::showSession);
    connect(table, &visualizers::ReportTable::rowChosen, this,
            [this](std::size_t row) { selection.setCurrent(plot->eventOf(row)); });
    connect(&selection, &visualizers::Selection::currentChanged, this, &RooflinePanel::showChosen);
    connect(&measuring, &InspectCommand::notStarted, this, &RooflinePanel::endMeasuring);
    connect(&measuring, &InspectCommand::ended, this, &RooflinePanel::endMeasuring);
    connect(&opened, &visualizers::OpenSession::changed, this, &RooflinePanel::showSession);
    showSession();
}

QWidget* RooflinePanel::makeHint() {
    auto* const page = new QWidget(this);
    auto* const layout = new QVBoxLayout(page);
    hint->setObjectName(QStringLiteral("rooflineHint"));
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::PlainText);
    measureButton->setObjectName(QStringLiteral("rooflineMeasure"));
    connect(measureButton, &QPushButton::clicked, this, &RooflinePanel::measure);
    layout->addStretch();
    layout->addWidget(hint);
    layout->addWidget(measureButton, 0, Qt::AlignHCenter);
    layout->addStretch();
    return page;
}

QWidget* RooflinePanel::makePicture() {
    auto* const part = new QWidget(this);
    auto* const layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
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
    chosen->setObjectName(QStringLiteral("rooflineChosen"));
    chosen->setMargin(4);
    chosen->setTextFormat(Qt::PlainText);
    chosen->setTextInteractionFlags(Qt::TextSelectableByMouse);
    chosen->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(tools);
    layout->addWidget(plot, 1);
    layout->addWidget(chosen);
    return part;
}

bool RooflinePanel::hasContent() const {
    return opened.session() && opened.session()->blocks && opened.session()->program;
}

QByteArray RooflinePanel::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << qint32(threads->value());
    return state;
}

void RooflinePanel::restoreState(const QByteArray& state) {
    QDataStream stream(state);
    qint32 number = 0;
    stream >> number;
    if (stream.status() == QDataStream::Ok) {
        threads->setValue(number);
    }
}

RooflinePanel::ReadResult RooflinePanel::look(const visualizers::SessionPointer& session,
                                              std::size_t threads) {
    const auto profile = tasks::cachedProfile();
    if (!profile) {
        return {.plot = nullptr, .problem = toQString(profile.error().toString()), .canMeasure = true};
    }
    if (!*profile) {
        return {.plot = nullptr,
                .problem =
                    QStringLiteral("The limits of this machine have not been measured. Measuring takes a few "
                                   "seconds; the result is stored."),
                .canMeasure = true};
    }
    const auto limits = inspector::eventLimits(*session->blocks, {.program = *session->program,
                                                                  .backends = backends::describable(),
                                                                  .machine = &**profile,
                                                                  .threads = threads});
    auto points = inspector::rooflinePoints(*session->blocks, limits);
    for (inspector::RooflinePoint& point : points) {
        const inspector::Block& block = session->blocks->blocks()[point.block];
        point.name = inspector::events::readableName(block, block.events[point.event]);
    }
    return {.plot = std::make_shared<const inspector::RooflinePlot>(points, **profile, threads),
            .problem = {}};
}

void RooflinePanel::showSession() {
    looking.forget();
    const bool inCycles = hasContent() && opened.blocks()->options().target == inspector::TimeScale::Cycles;
    if (!hasContent() || inCycles) {
        showLooked(
            {.plot = nullptr,
             .problem = inCycles
                            ? QStringLiteral(
                                  "A trace with times in cycles cannot be compared with rates per second.")
                            : QStringLiteral(
                                  "Open a trace and its program to compare operators with the limits of the "
                                  "machine.")});
        return;
    }
    looking.start([session = opened.session(),
                   number = static_cast<std::size_t>(threads->value())] { return look(session, number); },
                  [this](const ReadResult& looked) { showLooked(looked); });
}

void RooflinePanel::showLooked(const ReadResult& looked) {
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
