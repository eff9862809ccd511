#include "app/studio/compare/compare_panel.h"

#include "app/studio/compare/compare_offers.h"
#include "app/studio/drop.h"
#include "app/studio/file_dialog.h"
#include "app/studio/key_figures.h"
#include "app/studio/panel_command.h"
#include "app/studio/start_command.h"
#include "app/tasks/base/program_file.h"
#include "backends/builtin.h"
#include "inspector/session/placement.h"
#include "inspector/session/same_model.h"
#include "visualizers/compare/comparison_table.h"
#include "visualizers/compare/program_diff_view.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>

#include <utility>

namespace et::studio {

namespace {

visualizers::LinksByMethod linksOf(const program::Program& program) {
    visualizers::LinksByMethod links;
    for (const program::Method& method : program.methods) {
        links.emplace(method.name, inspector::stepLinks(method));
    }
    return links;
}

core::Result<ProgramComparison> diffOf(const inspector::Session& a, const std::filesystem::path& b) {
    ET_ASSIGN(const tasks::ProgramFile other, tasks::ProgramFile::open(b));
    std::vector<std::shared_ptr<const program::TensorData>> data;
    if (!a.files.tensorData.empty()) {
        ET_ASSIGN(auto file, program::TensorData::open(a.files.tensorData));
        data.push_back(std::move(file));
    }
    const auto& nameOfA = a.files.program.empty() ? a.files.bundle : a.files.program;
    ET_ASSIGN(auto diff,
              inspector::diffPrograms({.program = *a.program, .name = nameOfA.string(), .tensorData = data},
                                      {.program = *other.program, .name = b.string(), .tensorData = data},
                                      {.backends = backends::describable()}));
    return ProgramComparison{.diff = std::make_shared<const inspector::ProgramDiff>(std::move(diff)),
                             .problem = {},
                             .links = {linksOf(*a.program), linksOf(*other.program)}};
}

const QString baselineKey = QStringLiteral("compare/baselines");  // path of the store; empty: the default
                                                                  // store
const QString thresholdKey = QStringLiteral("compare/threshold");
constexpr double usualPercent = 2;
constexpr double maxPercent = 100;

/// Names of the files of one side, excluding its additional traces. Traces with the same name are
/// distinguished by their folders.
QString namesOfSide(inspector::SessionFiles files, const inspector::SessionFiles& both) {
    files.others.clear();
    const QString name = visualizers::toQString(files.trace.filename().string());
    return fileNames(files).replace(0, name.size(), traceName(both, files.trace));
}

/// Returns a session with an additional trace as its main trace.
std::shared_ptr<const inspector::Session> sessionOf(const inspector::OtherTrace& other) {
    auto session = std::make_shared<inspector::Session>();
    session->files.trace = other.files.trace;
    session->trace = other.trace;
    session->blocks = other.blocks;
    return session;
}

/// Compares the open program (A) with that of a file (B), like `et-inspect diff`. External weights are those
/// of the session. Not for the GUI thread.
ProgramComparison comparePrograms(const inspector::Session& a, const std::filesystem::path& b) {
    auto made = diffOf(a, b);
    if (!made) {
        return {.diff = nullptr,
                .problem = visualizers::toQString(std::move(made).error().in(b.string()).toString())};
    }
    return *std::move(made);
}

}  // namespace

ComparePanel::ComparePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      store(context.settings),
      comparing(this),
      naming(this),
      reading(this),
      diffing(this),
      pages(new QStackedWidget(this)),
      offers(new CompareOffers(this)),
      table(new visualizers::ComparisonTable(context.selection, this)),
      programs(new visualizers::ProgramDiffView(context.selection, this)),
      files(visualizers::plainLabel("compareFiles", this, {.margin = 6})),
      threshold(new QDoubleSpinBox(this)) {
    setAcceptDrops(true);
    createTools();
    pages->addWidget(offers);
    connectOffers(context.enter);
    pages->addWidget(table);
    pages->addWidget(programs);
    visualizers::fillColumn(*this, {files, pages});
    setFocusProxy(&table->table());
    connect(&opened, &visualizers::OpenSession::changed, this, &ComparePanel::showSession);
    connect(&loader, &SessionLoader::finished, this, &ComparePanel::takeSecond);
    showState({});
}

void ComparePanel::connectOffers(const std::function<void(std::string_view)>& enter) {
    connect(offers, &CompareOffers::openWanted, this, &ComparePanel::chooseSecond);
    connect(offers, &CompareOffers::baselineWanted, this, &ComparePanel::chooseBaseline);
    connect(offers, &CompareOffers::baselineChosen, this, &ComparePanel::openBaseline);
    connect(offers, &CompareOffers::filesChosen, this, &ComparePanel::openSecond);
    connect(offers, &CompareOffers::runWanted, this, [enter] { enter("run"); });
}

void ComparePanel::createTools() {
    QAction* const openAction =
        addCommand(*this, QStringLiteral("&Open Second Trace or Program…"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), &ComparePanel::chooseSecond);
    QAction* const baselineAction =
        addCommand(*this, QStringLiteral("Compare with &Baseline…"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), &ComparePanel::chooseBaseline);
    swapAction =
        addCommand(*this, QStringLiteral("&Swap A and B"), QKeySequence(Qt::Key_X), &ComparePanel::swap);
    closeAction = addCommand(*this, QStringLiteral("&Close Second Trace"), {}, &ComparePanel::closeSecond);
    // Makes it work from the menu and the palette, whatever has the focus.
    openAction->setShortcutContext(Qt::WindowShortcut);
    table->insertTools({swapAction, closeAction});
    table->insertTool(moreButton({openAction, baselineAction}, this));
    threshold->setObjectName(QStringLiteral("threshold"));
    threshold->setRange(0, maxPercent);
    threshold->setDecimals(1);
    threshold->setPrefix(QStringLiteral("Threshold "));
    threshold->setSuffix(QStringLiteral(" %"));
    threshold->setValue(store.value(thresholdKey, usualPercent).toDouble());
    threshold->setToolTip(QStringLiteral("Smaller differences between medians count as equal"));
    table->insertTool(threshold);
    connect(threshold, &QDoubleSpinBox::editingFinished, this, [this] {
        store.setValue(thresholdKey, threshold->value());
        compare();
    });
    addActions(table->actions());
}

bool ComparePanel::hasContent() const {
    return comparesTraces() || !otherProgram.empty();
}

bool ComparePanel::comparesTraces() const {
    return !second.empty() && opened.blocks() != nullptr;
}

bool ComparePanel::takeProgram(const std::filesystem::path& file) {
    if (!opened.session() || !opened.session()->program) {
        return false;
    }
    otherProgram = file;
    programOf = opened.session();
    second = {};
    compare();
    diffPrograms();
    return true;
}

void ComparePanel::diffPrograms() {
    diffing.start(
        [session = opened.session(), file = otherProgram] { return comparePrograms(*session, file); },
        [this](const ProgramComparison& made) { showPrograms(made); });
    showState({});
}

void ComparePanel::showPrograms(const ProgramComparison& made) {
    emit noticed(made.problem);
    if (made.diff == nullptr) {
        otherProgram.clear();
    } else {
        programs->show(*made.diff, made.links);
    }
    showState({});
}

void ComparePanel::chooseSecond() {
    chooseFilesToOpen(
        this, store,
        {.title = QStringLiteral("Open a Trace or Program to Compare With"),
         .filters = QStringLiteral("Traces, records and programs (*.etdp *.etdump *.etrecord *.pte "
                                   "*.bpte);;All files (*)")},
        [this](const std::vector<std::filesystem::path>& paths) { openSecond(paths); });
}

std::filesystem::path ComparePanel::baselineFile() const {
    return QFile::encodeName(store.value(baselineKey).toString()).toStdString();
}

void ComparePanel::chooseBaseline() {
    naming.start([file = baselineFile()] { return baselineNames(file); },
                 [this](const core::Result<std::vector<std::string>>& names) {
                     if (names) {
                         promptForBaseline(*names);
                     } else {
                         emit noticed(visualizers::toQString(names.error().toString()));
                     }
                 });
}

void ComparePanel::promptForBaseline(const std::vector<std::string>& names) {
    auto* const dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QStringLiteral("Compare with a baseline"));
    dialog->setLabelText(QStringLiteral("Compare the open trace with this baseline"));
    QStringList items;
    for (const std::string& each : names) {
        items.append(QString::fromStdString(each));
    }
    dialog->setComboBoxItems(items);
    connect(dialog, &QInputDialog::textValueSelected, this, &ComparePanel::openBaseline);
    dialog->open();
}

void ComparePanel::openBaseline(const QString& name) {
    reading.start([file = baselineFile(), wanted = name.toStdString()] { return loadBaseline(file, wanted); },
                  [this](const core::Result<std::shared_ptr<const inspector::Measurement>>& read) {
                      if (!read) {
                          emit noticed(visualizers::toQString(read.error().toString()));
                          return;
                      }
                      emit noticed({});
                      second = {.session = nullptr, .baseline = *read};
                      compare();
                  });
}

void ComparePanel::openSecond(const std::vector<std::filesystem::path>& paths) {
    if (!paths.empty()) {
        loader.open(paths, opened.blocks() ? opened.blocks()->options() : inspector::JoinOptions{});
    }
}

void ComparePanel::takeSecond(const LoadOutcome& outcome) {
    const auto paths =
        outcome.session ? pathsOf(outcome.session->files) : std::vector<std::filesystem::path>();
    if (outcome.session && outcome.session->program && paths.size() == 1 && takeProgram(paths.front())) {
        return;
    }
    if (!outcome.session || !outcome.session->blocks) {
        emit noticed(outcome.problems.empty()
                         ? QStringLiteral("the second file must be a trace (.etdp) or a program (.pte)")
                         : QString::fromStdString(outcome.problems.front()));
        return;
    }
    emit noticed({});
    second = {.session = outcome.session, .baseline = nullptr};
    compare();
}

void ComparePanel::closeSecond() {
    second = {};
    otherProgram.clear();
    compare();
}

void ComparePanel::swap() {
    swapped = !swapped;
    compare();
}

/// An additional trace becomes the other side of the comparison.
void ComparePanel::showSession() {
    const auto& session = opened.session();
    offers->setSession(session, baselineFile());
    const inspector::OtherTrace* const newest =
        session && !session->others.empty() ? &session->others.back() : nullptr;
    const etdump::Trace* const now = newest ? newest->trace.get() : nullptr;
    if (now != std::exchange(beside, now)) {
        second = {.session = newest ? sessionOf(*newest) : nullptr, .baseline = nullptr};
    }
    if (otherProgram.empty()) {
        compare();
        return;
    }
    const auto before = std::exchange(programOf, session);
    if (!session || !session->program || !inspector::haveSameModel(before->files, session->files)) {
        otherProgram.clear();
    } else if (before->program != session->program) {
        diffPrograms();  // the file was reloaded
    }
    compare();
}

void ComparePanel::compare() {
    comparing.forget();
    table->setComparison(nullptr, inspector::TimeScale::Milliseconds);
    if (!comparesTraces()) {
        showState({});
        return;
    }
    inspector::ComparisonOptions options;
    options.test.threshold = threshold->value() / 100;
    const ComparisonSide open{.session = opened.session(), .baseline = nullptr};
    comparing.start([a = swapped ? second : open, b = swapped ? open : second,
                     options] { return compareSides(a, b, options); },
                    [this](const ComparisonOutcome& outcome) { showOutcome(outcome); });
    showState({});
}

void ComparePanel::showOutcome(const ComparisonOutcome& outcome) {
    const inspector::TimeScale unit =
        opened.blocks() ? opened.blocks()->options().target : inspector::TimeScale::Milliseconds;
    table->setComparison(outcome.comparison,
                         unit == inspector::TimeScale::Cycles ? inspector::TimeScale::Milliseconds : unit,
                         swapped ? visualizers::OpenSide::B : visualizers::OpenSide::A);
    showState(outcome.problem);
}

void ComparePanel::showState(const QString& problem) {
    const bool compared = table->model().comparison() != nullptr;
    const bool isOpen = opened.blocks() != nullptr || (opened.session() && opened.session()->program);
    const bool works = comparing.running() || diffing.running();
    offers->showCards(isOpen && !works);
    const bool showsPrograms = !comparesTraces() && !otherProgram.empty() && !diffing.running();
    pages->setCurrentWidget(compared        ? static_cast<QWidget*>(table)
                            : showsPrograms ? static_cast<QWidget*>(programs)
                                            : offers);
    // The table below the cards has the same shortcuts.
    for (QAction* const each : table->actions()) {
        each->setEnabled(compared);
    }
    swapAction->setEnabled(comparesTraces());
    closeAction->setEnabled(hasContent());
    if (!problem.isEmpty()) {
        offers->setHeadline(QStringLiteral("Cannot compare these traces: %1").arg(problem));
    } else if (works) {
        offers->setHeadline(QStringLiteral("Comparing…"));
    } else if (!isOpen) {
        offers->setHeadline(
            QStringLiteral("Open a trace or a program first. It is A, the base of the comparison."));
    } else {
        offers->setHeadline(QStringLiteral(
            "Nothing to compare with yet. Drop a second trace or program here, or choose one of these: it "
            "is shown as B, and the table lists slower and faster operators, or the differences between the "
            "programs."));
    }
    showNames();
}

void ComparePanel::showNames() {
    files->setVisible(hasContent());
    files->setToolTip({});
    if (comparesTraces()) {
        inspector::SessionFiles both = opened.session()->files;
        if (second.session) {
            both.others = {{.trace = second.session->files.trace}};
        }
        const QString open = namesOfSide(opened.session()->files, both);
        const QString other =
            second.baseline ? QStringLiteral("baseline %1").arg(visualizers::toQString(second.baseline->name))
                            : namesOfSide(second.session->files, both);
        files->setText(QStringLiteral("A  %1     B  %2     Differences between launches are not included.")
                           .arg(swapped ? other : open, swapped ? open : other));
        files->setToolTip(
            QStringLiteral("A trace covers one launch. et-inspect compare A.pte B.pte launches both programs "
                           "repeatedly and includes this variation."));
    } else if (hasContent()) {
        const auto& a = programOf->files.program.empty() ? programOf->files.bundle : programOf->files.program;
        files->setText(QStringLiteral("A  %1     B  %2")
                           .arg(visualizers::toQString(a.filename().string()),
                                visualizers::toQString(otherProgram.filename().string())));
    }
}

void ComparePanel::dragEnterEvent(QDragEnterEvent* event) {
    if (opened.session() && !localPaths(*event->mimeData()).empty()) {
        event->acceptProposedAction();
    }
}

void ComparePanel::dropEvent(QDropEvent* event) {
    openSecond(localPaths(*event->mimeData()));
    event->acceptProposedAction();
}

}  // namespace et::studio
