#include "app/studio/run/run_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/form_rows.h"
#include "app/studio/panel_command.h"
#include "app/studio/run/run_form.h"
#include "app/studio/run/run_preview.h"
#include "app/studio/run/run_result.h"
#include "app/studio/run/targets_dialog.h"
#include "app/studio/shell_text.h"
#include "app/studio/start_command.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;

constexpr int progressWidth = 160;
/// Column widths in characters.
constexpr std::array<int, RunList::columnTotal> widths{5, 12, 20, 11, 11, 11, 11, 11, 80};

fs::path toPath(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

bool isThere(const fs::path& path) {
    std::error_code unknown;
    return fs::exists(path, unknown);
}

}  // namespace

RunPanel::RunPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      store(context.settings),
      open(context.open),
      list(new RunList(this)),
      tools(new QToolBar(this)),
      progress(new QProgressBar(this)),
      summary(visualizers::plainLabel("runSummary", this, {.sides = 8, .wraps = false, .shrinks = true})),
      choices(new RunForm(store, this)),
      rows(new QTreeView(this)),
      shown(new RunResult(this)),
      preview(new RunPreview(this)),
      pages(new QStackedWidget(this)),
      down(new visualizers::Splitter(Qt::Vertical, this)) {
    createTools();
    createTable();
    down->addParts({{rows, 0}, {shown, 2}});
    down->setChildrenCollapsible(false);
    constexpr int letters = 58;
    pages->addWidget(preview);
    pages->addWidget(down);
    auto* const across = new visualizers::Splitter(this);
    across->addParts({{scrolledForm(*choices, letters, this), 0}, {pages, 1}});
    across->setChildrenCollapsible(false);
    visualizers::fillColumn(*this, {visualizers::rowOf({tools, summary}), across});
    setFocusProxy(rows);
    connect(&opened, &visualizers::OpenSession::changed, this, &RunPanel::showSession);
    connect(choices, &RunForm::changed, this, &RunPanel::showCommand);
    connect(choices, &RunForm::copyRequested, this, &RunPanel::copyCommand);
    connect(choices, &RunForm::targetsWanted, this, &RunPanel::editTargets);
    connect(preview, &RunPreview::startWanted, this, &RunPanel::start);
    connect(preview, &RunPreview::openWanted, this, context.promptForFiles);
    connect(shown, &RunResult::operatorChosen, this,
            [&selection = context.selection](const QString& method, int instruction) {
                selection.setOperator(
                    {.method = method.toStdString(), .instruction = core::InstructionId(instruction)});
            });
    connect(&process, &RunProcess::ended, this, &RunPanel::take);
    connect(&process, &RunProcess::printed, this, &RunPanel::addLines);
    connect(&process, &RunProcess::progressed, this, &RunPanel::showProgress);
    showSession();
}

void RunPanel::createTools() {
    startAction = addStart(*this, *tools, QStringLiteral("&Start Run"), &RunPanel::start);
    openAction =
        addCommand(*this, QStringLiteral("&Open Trace"), QKeySequence(Qt::Key_O), &RunPanel::openTrace);
    saveAction = addCommand(*this, QStringLiteral("Save &Files…"),
                            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), &RunPanel::saveFiles);
    saveAction->setToolTip(QStringLiteral(
        "Copy trace, debug buffer, outputs and run.json to a folder; otherwise they are deleted when the "
        "window closes"));
    QAction* const copy = addCommand(*this, QStringLiteral("Copy Co&mmand Line"),
                                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &RunPanel::copyCommand);
    copy->setToolTip(QStringLiteral("Copy this run as a shell command"));
    cancelAction = addStop(*this, *tools, QStringLiteral("&Cancel Run"), &RunPanel::cancel);
    addMore(*tools, {openAction, saveAction, copy});
    progress->setFixedWidth(progressWidth);
    progressArea = tools->addWidget(progress);
}

void RunPanel::createTable() {
    rows->setObjectName(QStringLiteral("runs"));
    rows->setModel(list);
    rows->setRootIsDecorated(false);
    visualizers::dressRows(*rows);
    visualizers::setColumnWidths(*rows, widths);
    connect(rows->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RunPanel::showRun);
    connect(rows, &QTreeView::activated, this, &RunPanel::openTrace);
}

bool RunPanel::hasContent() const {
    return opened.session() && opened.session()->program;
}

RunFiles RunPanel::filesOf(int number) const {
    const fs::path base = toPath(folder.path());
    const std::string name = "run_" + std::to_string(number);
    return {
        .folder = base / name, .trace = base / (name + ".etdp"), .debugBuffer = base / (name + "_debug.bin")};
}

void RunPanel::showSession() {
    preview->setSession(opened.session());
    choices->setSession(opened.session().get());
    showCommand();
    showState();
}

// Shows placeholders instead of the temporary paths used by the window.
void RunPanel::showCommand() {
    const RunRequest request = choices->request();
    preview->setRequest(request);
    const RunFiles plain{.folder = "outputs", .trace = "trace.etdp", .debugBuffer = "debug.bin"};
    choices->setCommand(
        request.settings.program.empty()
            ? QString()
            : shellText(QStringList{QStringLiteral("et-inspect")} + argumentsOf(request, plain)));
}

void RunPanel::copyCommand() {
    QApplication::clipboard()->setText(choices->command());
}

void RunPanel::start() {
    if (process.running() || !hasContent()) {
        return;
    }
    RunRecord run{.number = static_cast<int>(list->size()) + 1,
                  .request = choices->request(),
                  .files = {},
                  .command = choices->command(),
                  .end = {},
                  .figures = {}};
    run.files = filesOf(run.number);
    const QStringList argv = argumentsOf(run.request, run.files);
    list->add(std::move(run));
    progress->setRange(0, 0);
    process.start(RunProcess::findProgram(store), argv);
    rows->setCurrentIndex(list->index(0, 0));
    shown->watch();
    showState();
}

void RunPanel::showProgress(const RunProgress& now) {
    studio::showProgress(*progress, now);
    const QString longest = QStringLiteral("%1 %2 / %2  ").arg(now.phase).arg(now.total);
    progress->setFixedWidth(std::max(progressWidth, progress->fontMetrics().horizontalAdvance(longest)));
    RunRecord& run = list->newest();
    if (now.gauge) {
        run.gauge.add(*now.gauge);
    }
    if (now.gauge && currentRun() == &run) {
        shown->showGauge(run.gauge);
    }
}

void RunPanel::addLines(const std::vector<RunLine>& lines) {
    RunRecord& run = list->newest();
    std::vector<LoggedLine> added;
    for (const RunLine& line : lines) {
        added.push_back(run.log.add(line));
    }
    if (currentRun() == &run) {
        shown->addLines(added);
    }
}

void RunPanel::cancel() {
    process.cancel();
}

void RunPanel::take(const RunEnd& end) {
    RunRecord& run = list->newest();
    run.running = false;
    run.end = end;
    run.figures = readFigures(end.output);
    run.memoryErrors = readMemoryErrors(end.output);
    if (!end.message.isEmpty()) {
        addLines({{.kind = RunLine::Kind::Error, .text = end.message}});
    }
    list->update();
    if (end.kind != RunEnd::Kind::Finished) {
        emit noticed(end.kind == RunEnd::Kind::Cancelled ? QString() : end.message);
    } else if (end.exitCode != 0) {
        emit noticed(QString::fromUtf8(end.log.sliced(end.log.lastIndexOf('\n') + 1)));
    }
    rows->setCurrentIndex(list->index(0, 0));
    showRun();
    const bool endedWell = end.kind == RunEnd::Kind::Finished && end.exitCode == 0;
    shown->endWatch(endedWell);
    if (endedWell) {
        openTrace();
    }
}

const RunRecord* RunPanel::currentRun() const {
    return list->run(rows->currentIndex());
}

void RunPanel::openTrace() {
    const RunRecord* const run = currentRun();
    if (run == nullptr || !isThere(run->files.trace)) {
        return;
    }
    std::vector<fs::path> paths{run->files.trace};
    if (isThere(run->files.debugBuffer)) {
        paths.push_back(run->files.debugBuffer);
    }
    open(paths);
}

void RunPanel::saveFiles() {
    const RunRecord* const run = currentRun();
    if (run == nullptr) {
        return;
    }
    const auto copyTo = [this, files = run->files](const fs::path& target) {
        std::error_code refused;
        for (const fs::path& each : {files.folder, files.trace, files.debugBuffer}) {
            if (isThere(each) && !refused) {
                fs::copy(each, target / each.filename(), fs::copy_options::recursive, refused);
            }
        }
        if (refused) {
            emit noticed(
                QStringLiteral("cannot save all files in %1: %2")
                    .arg(QFile::decodeName(target.c_str()), QString::fromStdString(refused.message())));
        }
    };
    chooseFolder(this, store, {.title = QStringLiteral("Save Files of the Run")}, copyTo);
}

void RunPanel::editTargets() {
    if (targets == nullptr) {
        targets = new TargetsDialog(store, this);
        connect(targets, &TargetsDialog::changed, choices, &RunForm::reloadTargets);
    }
    targets->ask();
}

const RunRecord* RunPanel::runBefore(const RunRecord& run) const {
    for (int row = 0; row < list->rowCount(); ++row) {
        const RunRecord* const other = list->run(list->index(row, 0));
        const tasks::RunSettings& before = other->request.settings;
        const tasks::RunSettings& settings = run.request.settings;
        if (other->number < run.number && before.program == settings.program &&
            before.model.method == settings.model.method && isThere(other->files.folder)) {
            return other;
        }
    }
    return nullptr;
}

void RunPanel::showRun() {
    const RunRecord* const run = currentRun();
    shown->setRun(run, run == nullptr ? nullptr : runBefore(*run));
    showState();
}

void RunPanel::showState() {
    const bool idle = !process.running();
    const RunRecord* const run = currentRun();
    startAction->setEnabled(idle && hasContent());
    cancelAction->setVisible(!idle);
    openAction->setEnabled(run != nullptr && !run->running && isThere(run->files.trace));
    saveAction->setEnabled(run != nullptr && !run->running);
    progressArea->setVisible(!idle);
    pages->setCurrentWidget(list->size() == 0 ? static_cast<QWidget*>(preview) : down);
    if (!hasContent()) {
        summary->setText(QStringLiteral("Open a program (.pte) or bundled program (.bpte) to run it."));
    } else if (list->size() == 0) {
        summary->setText(QStringLiteral("Runs are listed here."));
    } else {
        summary->setText(run == nullptr ? QString()
                                        : QStringLiteral("run %1: %2").arg(run->number).arg(stateText(*run)));
    }
}

QByteArray RunPanel::saveState() const {
    return visualizers::packed(Panel::saveState(), choices->saveState());
}

void RunPanel::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QByteArray, QByteArray>(state)) {
        Panel::restoreState(std::get<0>(*read));
        choices->restoreState(std::get<1>(*read));
    }
}

}  // namespace et::studio
