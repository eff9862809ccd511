#include "app/studio/limits/limits_room.h"

#include "app/studio/run_process.h"
#include "app/tasks/machine/machine_cache.h"
#include "backends/builtin.h"
#include "inspector/limits/trace_limits.h"
#include "visualizers/limits/limit_rows.h"
#include "visualizers/limits/roofline_widget.h"
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

using inspector::report::Meaning;
using visualizers::RooflineScene;
using visualizers::toQString;

LimitsRoom::LimitsRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
      opened(context.opened),
      selection(context.selection),
      settings(context.settings),
      looking(this),
      hint(new QLabel(this)),
      measureButton(new QPushButton(tr("Measure This Machine"), this)),
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
    table->view().setAccessibleName(tr("What operators could win"));
    addActions(plot->actions());
    setFocusProxy(plot);
    connect(threads, &QSpinBox::valueChanged, this, &LimitsRoom::showSession);
    connect(table, &visualizers::ReportTable::rowChosen, this,
            [this](std::size_t row) { selection.setCurrent(scene->eventOf(row)); });
    connect(&selection, &visualizers::Selection::currentChanged, this, &LimitsRoom::showChosen);
    connect(&measuring, &InspectCommand::notStarted, this, &LimitsRoom::endMeasuring);
    connect(&measuring, &InspectCommand::ended, this, &LimitsRoom::endMeasuring);
    connect(&opened, &visualizers::OpenSession::changed, this, &LimitsRoom::showSession);
    showSession();
}

QWidget* LimitsRoom::makeHint() {
    auto* const page = new QWidget(this);
    auto* const layout = new QVBoxLayout(page);
    hint->setObjectName(QStringLiteral("limitsHint"));
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::PlainText);
    measureButton->setObjectName(QStringLiteral("limitsMeasure"));
    connect(measureButton, &QPushButton::clicked, this, &LimitsRoom::measure);
    layout->addStretch();
    layout->addWidget(hint);
    layout->addWidget(measureButton, 0, Qt::AlignHCenter);
    layout->addStretch();
    return page;
}

QWidget* LimitsRoom::makePicture() {
    auto* const part = new QWidget(this);
    auto* const layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* const tools = new QToolBar(this);
    threads->setObjectName(QStringLiteral("limitsThreads"));
    threads->setRange(1, 1024);
    threads->setPrefix(tr("Threads: "));
    threads->setToolTip(tr("Threads that the trace ran with"));
    machine->setTextFormat(Qt::RichText);
    machine->setMargin(4);
    machine->setObjectName(QStringLiteral("limitsMachine"));
    tools->addWidget(threads);
    tools->addWidget(machine);
    chosen->setObjectName(QStringLiteral("limitsChosen"));
    chosen->setMargin(4);
    chosen->setTextFormat(Qt::PlainText);
    chosen->setTextInteractionFlags(Qt::TextSelectableByMouse);
    chosen->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(tools);
    layout->addWidget(plot, 1);
    layout->addWidget(chosen);
    return part;
}

bool LimitsRoom::hasContent() const {
    return opened.session() && opened.session()->blocks && opened.session()->program;
}

QByteArray LimitsRoom::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << qint32(threads->value());
    return state;
}

void LimitsRoom::restoreState(const QByteArray& state) {
    QDataStream stream(state);
    qint32 number = 0;
    stream >> number;
    if (stream.status() == QDataStream::Ok) {
        threads->setValue(number);
    }
}

LimitsRoom::Looked LimitsRoom::look(const visualizers::SessionPointer& session, std::size_t threads) {
    const auto profile = app::cachedProfile();
    if (!profile) {
        return {.scene = nullptr, .problem = toQString(profile.error().toString()), .canMeasure = true};
    }
    if (!*profile) {
        return {
            .scene = nullptr,
            .problem = tr("Nobody has measured yet what this machine can do. That takes some seconds; the "
                          "result is kept."),
            .canMeasure = true};
    }
    const auto limits = inspector::eventLimits(*session->blocks, {.program = *session->program,
                                                                  .backends = backends::describable(),
                                                                  .machine = &**profile,
                                                                  .threads = threads});
    return {.scene = std::make_shared<const RooflineScene>(session, limits, **profile, threads),
            .problem = {}};
}

void LimitsRoom::showSession() {
    looking.forget();
    const bool inCycles = hasContent() && opened.blocks()->options().target == inspector::TimeScale::Cycles;
    if (!hasContent() || inCycles) {
        showLooked({.scene = nullptr,
                    .problem = inCycles
                                   ? tr("A trace in cycles says nothing of seconds.")
                                   : tr("Open a trace and the program that ran to see how far operators are "
                                        "from what the machine can do.")});
        return;
    }
    looking.start([session = opened.session(),
                   number = static_cast<std::size_t>(threads->value())] { return look(session, number); },
                  [this](const Looked& looked) { showLooked(looked); });
}

void LimitsRoom::showLooked(const Looked& looked) {
    scene = looked.scene;
    hint->setText(looked.problem);
    measureButton->setVisible(looked.canMeasure);
    pages->setCurrentIndex(scene ? 1 : 0);
    plot->setScene(scene);
    table->setRows(scene ? visualizers::limitRows(*scene) : visualizers::ReportRows{});
    showLegend();
    showChosen();
}

/// Uses the colours of the palette.
void LimitsRoom::showLegend() {
    if (!scene) {
        return;
    }
    const auto sign = [&](Meaning meaning, const QString& name) {
        return QStringLiteral("<span style=\"color:%1\">●</span> %2 &nbsp; ")
            .arg(visualizers::meaningColour(meaning, palette()).name(), name);
    };
    QString text = sign(Meaning::Kernel, tr("kernels")) + sign(Meaning::Delegate, tr("in delegates")) +
                   toQString(scene->machine().machine.cpu).toHtmlEscaped();
    if (scene->withoutPlace() > 0) {
        text += tr(" · %1 without operations are not shown").arg(scene->withoutPlace());
    }
    machine->setText(text);
}

void LimitsRoom::changeEvent(QEvent* event) {
    Room::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        showLegend();
    }
}

void LimitsRoom::showChosen() {
    const auto point = plot->chosenPoint();
    chosen->setText(
        !scene  ? QString()
        : point ? visualizers::rooflinePointText(scene->points()[*point])
                : tr("Click a point to choose its operator · points far below the lines are slower than "
                     "they need be"));
    table->choose(point);
}

void LimitsRoom::measure() {
    if (measuring.running()) {
        return;
    }
    measureButton->setEnabled(false);
    hint->setText(tr("Measuring… Other work on this machine makes the figures worse than they are."));
    measuring.start(
        RunProcess::findProgram(settings),
        {QStringLiteral("machine"), QStringLiteral("--refresh"), QStringLiteral("--progress=none")});
}

void LimitsRoom::endMeasuring(const QString& problem) {
    measureButton->setEnabled(true);
    if (!problem.isEmpty()) {
        emit noticed(tr("this machine was not measured: %1").arg(problem));
    }
    showSession();
}

}  // namespace et::studio
