#include "app/studio/debug/debug_panel.h"

#include "app/studio/debug/debug_actions.h"
#include "app/studio/debug/debug_console.h"
#include "app/studio/debug/debug_lists.h"
#include "app/studio/debug/debug_value_pane.h"
#include "app/studio/debug/kept_triggers.h"
#include "app/studio/input_fields.h"
#include "app/studio/option_fields.h"
#include "app/studio/start_command.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/debug/debug_settings.h"
#include "inspector/session/package_program.h"
#include "inspector/session/same_model.h"
#include "visualizers/debug/time_slider.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/widgets.h"

#include <QFormLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolBar>

namespace et::studio {

using visualizers::TimeSlider;

namespace {

constexpr int debugMargin = 8;
constexpr int debugProgressWidth = 90;
constexpr int listShare = 2;  // of the width, against 3 for the value
constexpr int valueShare = 3;

}  // namespace

DebugPanel::DebugPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      shared(context.debugger),
      store(context.settings),
      debugged(new DebugSession(context.debugger, context.selection, this)),
      control(new DebugActions(*debugged, this)),
      tools(new QToolBar(this)),
      progress(new QProgressBar(this)),
      hint(visualizers::hintLabel("debugHint", this, {.margin = debugMargin, .selectable = true})),
      place(visualizers::plainLabel("debugPosition", this, {.sides = debugMargin, .selectable = true})),
      reason(visualizers::plainLabel("debugReason", this, {.sides = debugMargin, .selectable = true})),
      problem(visualizers::plainLabel("debugProblem", this, {.sides = debugMargin, .selectable = true})),
      time(new TimeSlider(this)),
      lists(new QTabWidget(this)),
      valueList(new DebugValueList(*debugged, this)),
      watchList(new DebugWatchList(*debugged, this)),
      triggerList(new DebugTriggerList(*debugged, this)),
      commands(new DebugConsole(*debugged, this)),
      valuePane(new DebugValuePane(*debugged, this)),
      pages(new QStackedWidget(this)) {
    createTools();
    QFont bold = place->font();
    bold.setBold(true);
    place->setFont(bold);
    problem->setForegroundRole(QPalette::Link);
    pages->addWidget(createStart());
    pages->addWidget(valuePane);
    QWidget* const body = createBody();
    visualizers::fillColumn(*this, {tools, place, reason, problem, time, body}, body);
    setFocusProxy(lists);
    connectSession();
    showSession();
}

DebugPanel::~DebugPanel() {
    debugged->disconnect(this);
}

void DebugPanel::createTools() {
    startAction = addStart(*this, *tools, QStringLiteral("Start &Debugging"), &DebugPanel::start);
    startAction->setToolTip(
        QStringLiteral("Run the method in a separate process, and stop before its first instruction"));
    tools->addSeparator();
    tools->addActions(control->controls());
    progress->setRange(0, 0);
    progress->setMaximumWidth(debugProgressWidth);
    progress->setTextVisible(false);
    progress->setAccessibleName(QStringLiteral("The program is running"));
    progressArea = tools->addWidget(progress);
}

QWidget* DebugPanel::createStart() {
    auto* const form = new QWidget(this);
    auto* const rows = new QFormLayout(form);
    rows->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    rows->setFormAlignment(Qt::AlignHCenter | Qt::AlignTop);
    optionFields = new OptionFields(*rows);
    inputs = new InputFields(*rows, *optionFields, store, QStringLiteral("debug"));
    inputs->addMethodRow();
    tasks::DebugSettings usual;
    tasks::OptionList options;
    tasks::addDebugOptions(options, usual);
    inputs->addInputRows(options);
    auto* const page = new QWidget(this);
    visualizers::fillColumn(*page, {hint, form, new QWidget(page)});
    return page;
}

QWidget* DebugPanel::createBody() {
    lists->setObjectName(QStringLiteral("debugLists"));
    lists->setDocumentMode(true);
    lists->addTab(valueList, QStringLiteral("Values"));
    lists->addTab(watchList, QStringLiteral("Watch"));
    lists->addTab(triggerList, QStringLiteral("Breakpoints"));
    lists->addTab(commands, QStringLiteral("Commands"));
    auto* const split = new visualizers::Splitter(this);
    split->addParts({{lists, listShare}, {pages, valueShare}});
    split->setChildrenCollapsible(false);
    return split;
}

void DebugPanel::connectSession() {
    connect(&opened, &visualizers::OpenSession::changed, this, &DebugPanel::showSession);
    connect(debugged, &DebugSession::stateChanged, this, &DebugPanel::showState);
    connect(debugged, &DebugSession::positionChanged, this, &DebugPanel::showPosition);
    connect(debugged, &DebugSession::executionsChanged, this, [this] {
        time->setExecutions(debugged->steps());
        time->setHits(debugged->hits());
    });
    connect(debugged, &DebugSession::failed, this, [this](const QString& text) {
        problem->setText(text);
        problem->setVisible(!text.isEmpty());
    });
    connect(&debugged->triggers(), &DebugTriggers::changed, this, [this] {
        if (const auto program = debuggedFile(); !program.empty()) {
            keepTriggers(store, program, debugged->triggers().all());
        }
        showState();
    });
    connect(time, &TimeSlider::wanted, debugged, &DebugSession::goTo);
    connect(valueList, &DebugValueList::chosen, valuePane, &DebugValuePane::setValue);
    connect(watchList, &DebugWatchList::chosen, valuePane, &DebugValuePane::setValue);
    connect(control, &DebugActions::runWanted, this, [this] {
        start();
        debugged->execute(QStringLiteral("continue"));
    });
}

bool DebugPanel::hasContent() const {
    return opened.session() && opened.session()->program;
}

void DebugPanel::find() {
    lists->setCurrentWidget(triggerList);
    triggerList->begin();
}

QString DebugPanel::menuTitle() const {
    return QStringLiteral("&Debug");
}

QList<QAction*> DebugPanel::menuActions() const {
    return control->menu(startAction);
}

QString DebugPanel::positionLine() const {
    return place->text();
}

bool DebugPanel::busy() const {
    return debugged->busy() || valuePane->loading();
}

std::filesystem::path DebugPanel::debuggedFile() const {
    return inspector::runnableFile(files);
}

QStringList DebugPanel::arguments() const {
    const inspector::Session& session = *opened.session();
    tasks::DebugSettings settings;
    settings.model = debuggedFile();
    inputs->store(settings.options);
    if (!session.files.tensorData.empty()) {
        settings.options.tensorData = {session.files.tensorData};
    }
    if (session.recordOfProgram() != nullptr) {
        settings.options.record = session.files.record;
    }
    tasks::OptionList list;
    tasks::addDebugOptions(list, settings);
    optionFields->store(list);
    return commandArguments("debug", tasks::argumentsOf(settings, &tasks::addDebugOptions),
                            {QStringLiteral("--format=json")});
}

void DebugPanel::start() {
    if (debugged->running() || !hasContent()) {
        return;
    }
    problem->clear();
    problem->hide();
    valuePane->setHasReference(opened.session()->recordOfProgram() != nullptr);
    debugged->start(RunProcess::findProgram(store), arguments());
    showState();
}

/// Another program ends the run; a reload keeps it.
void DebugPanel::showSession() {
    const bool same = opened.session() && inspector::haveSameModel(files, opened.session()->files);
    if (!same) {
        debugged->stop();
        debugged->clear();
        files = {};  // keeps the triggers of the previous program
        debugged->triggers().replace({});
        valuePane->setValue({});
        problem->hide();
    }
    files = opened.session() ? opened.session()->files : inspector::SessionFiles();
    if (!same) {
        debugged->triggers().replace(keptTriggers(store, debuggedFile()));
    }
    inputs->setSession(opened.session().get());
    shared.setAvailable(hasContent());
    showState();
    showPosition();
}

void DebugPanel::showState() {
    const bool runs = debugged->running();
    const bool wasUsed = runs || debugged->position().has_value();
    startAction->setEnabled(hasContent() && !runs);
    control->setStartable(hasContent());
    progressArea->setVisible(debugged->executing());
    pages->setCurrentIndex(runs ? 1 : 0);
    time->setVisible(wasUsed);
    hint->setText(hasContent()
                      ? QStringLiteral("Steps through the program, forwards and backwards, and stops where a "
                                       "value becomes wrong.")
                      : QStringLiteral("Open a program (.pte, .bpte) to step through it."));
    if (!runs && wasUsed) {
        reason->setText(QStringLiteral("The run has ended here. F9 starts again."));
    }
    place->setVisible(wasUsed);
    reason->setVisible(wasUsed && !reason->text().isEmpty());
}

void DebugPanel::showPosition() {
    const auto& position = debugged->position();
    place->setText(position ? visualizers::positionText(*position) : QString());
    reason->setText(position ? visualizers::reasonText(*position) : QString());
    time->setPosition(position
                          ? std::optional(TimeSlider::Position(position->point.execution, position->step))
                          : std::nullopt);
    if (position) {
        problem->hide();
    }
    valuePane->refresh();
    showState();
}

QByteArray DebugPanel::saveState() const {
    return visualizers::packed(Panel::saveState(), optionFields->values());
}

void DebugPanel::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QByteArray, QMap<QString, QString>>(state)) {
        Panel::restoreState(std::get<0>(*read));
        optionFields->setValues(std::get<1>(*read));
    }
}

}  // namespace et::studio
