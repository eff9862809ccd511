#include "app/studio/lab/lab_panel.h"

#include "app/studio/extract_command.h"
#include "app/studio/lab/lab_budget.h"
#include "app/studio/lab/lab_figures.h"
#include "app/studio/lab/lab_plot_export.h"
#include "app/studio/lab/lab_program_builder.h"
#include "app/studio/lab/lab_result_view.h"
#include "app/studio/lab/lab_site_table.h"
#include "app/studio/lab/lab_sites.h"
#include "app/studio/lab/lab_start.h"
#include "app/studio/panel_command.h"
#include "app/studio/start_command.h"
#include "visualizers/lab/candidate_rows.h"
#include "visualizers/lab/pareto_widget.h"
#include "visualizers/lab/site_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QComboBox>
#include <QDataStream>
#include <QFile>
#include <QProgressBar>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeView>

#include <span>

namespace et::studio {

using inspector::plot::ParetoCost;
using visualizers::LabCandidate;
using visualizers::LabChoice;
using visualizers::LabFigures;
using visualizers::LabScheme;

namespace {

constexpr int patienceMs = 350;
constexpr int labProgressWidth = 160;
constexpr int mostSeconds = 86400;
constexpr int usualSeconds = 60;

std::filesystem::path pathOfName(const QString& name) {
    return QFile::encodeName(name).toStdString();
}

/// The state to save; empty if the study does not belong to the open session.
SavedLab savedLab(const LabExperiment& experiment, const LabChoice& choice,
                  const inspector::Session* session) {
    if (!experiment.hasStudy() || !missingForLab(session).isEmpty() ||
        experiment.request().record != session->files.record) {
        return {};  // a session file only applies to its own model
    }
    const auto nameOf = [](const std::filesystem::path& path) { return QFile::decodeName(path.c_str()); };
    const visualizers::LabStudy& study = *experiment.study();
    const LabRequest& request = experiment.request();
    const bool fromBundle = session->files.bundle == request.calibration;
    return {.record = labFingerprint(request.record),
            .study = study.json,
            .candidates = visualizers::labCandidatesJson(study, experiment.candidates()),
            .schemes = visualizers::schemeEntries(study, choice),
            .calibration = fromBundle ? QString() : nameOf(request.calibration),
            .evaluation = nameOf(request.evaluation)};
}

}  // namespace

LabPanel::LabPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      selection(context.selection),
      results(context.results),
      jobs(context.settings),
      timing(this),
      tools(new QToolBar(this)),
      costBox(visualizers::choiceBox("labCost", QStringLiteral("Horizontal axis of the plot"), this)),
      seconds(new QSpinBox(this)),
      budget(new LabBudget(this)),
      progress(new QProgressBar(this)),
      pages(new QStackedWidget(this)),
      table(new LabSiteTable(experiment, context.selection, this)),
      result(new LabResultView(experiment, *table, this)),
      start(new LabStart(context.settings, this)),
      builder(new LabProgramBuilder(jobs, experiment, *table, context, this)),
      plotExport(new LabPlotExport(result->plot(), context.settings, this)) {
    createTools();
    createResult();
    pages->addWidget(start);
    pages->addWidget(across);
    visualizers::fillColumn(*this, {tools, pages});
    setFocusProxy(table);
    patience.setSingleShot(true);
    patience.setInterval(patienceMs);
    connect(&patience, &QTimer::timeout, this, &LabPanel::measureNext);
    connect(start, &LabStart::filesWanted, this, context.promptForFiles);
    connect(start, &LabStart::studyWanted, this, &LabPanel::study);
    connect(start, &LabStart::requestEdited, this, &LabPanel::showState);
    connect(&start->knownSites(), &LabKnownSites::siteChosen, this,
            [this](const QString& method, std::span<const core::DebugHandle> own) {
                selection.setHandles(method.toStdString(), {own.begin(), own.end()});
            });
    connectJobs();
    connect(&selection, &visualizers::Selection::currentChanged, this, [this] {
        if (hasContent()) {
            table->followSelection();
        }
    });
    connect(&opened, &visualizers::OpenSession::settled, this, &LabPanel::showSession);
    showSession();
}

LabPanel::~LabPanel() {
    jobs.disconnect();
}

void LabPanel::createTools() {
    costBox->addItem(QStringLiteral("Error over bytes"));
    costBox->addItem(QStringLiteral("Error over time"));
    seconds->setObjectName(QStringLiteral("labSeconds"));
    seconds->setRange(1, mostSeconds);
    seconds->setValue(usualSeconds);
    seconds->setSuffix(QStringLiteral(" s"));
    seconds->setToolTip(QStringLiteral("Duration of a search for better programs"));
    seconds->setAccessibleName(QStringLiteral("Search time in seconds"));
    costBox->setAccessibleName(QStringLiteral("Cost"));
    createCommands();
    tools->addAction(searchAction);
    tools->addWidget(budget);
    tools->addWidget(seconds);
    cancelAction = addStop(*this, *tools, QStringLiteral("&Cancel"), [this] { jobs.cancel(); });
    tools->addSeparator();
    tools->addWidget(costBox);
    progress->setMaximumWidth(labProgressWidth);
    progressArea = tools->addWidget(progress);
    connect(costBox, &QComboBox::currentIndexChanged, this,
            [this](int index) { result->setCost(index == 0 ? ParetoCost::Bytes : ParetoCost::Time); });
}

void LabPanel::createCommands() {
    studyAction = addStart(*this, *tools, QStringLiteral("Measure &Sensitivity"), &LabPanel::study);
    studyAction->setToolTip(
        QStringLiteral("Quantize each site alone, and compare the outputs with the float model"));
    searchAction = addCommand(*this, QStringLiteral("Search &Programs"), QKeySequence(Qt::SHIFT | Qt::Key_F9),
                              &LabPanel::search);
    searchAction->setToolTip(
        QStringLiteral("Search for the sites to keep in float that give the least error"));
    openAction = addCommand(*this, QStringLiteral("&Open This Program"),
                            QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { builder->open(); });
    openAction->setToolTip(QStringLiteral(
        "Open the program with the selected schemes and its ETRecord, in place of the current one"));
    compareAction = addCommand(*this, QStringLiteral("Co&mpare with the Open Program"), {},
                               [this] { builder->compare(); });
    saveAction =
        addCommand(*this, QStringLiteral("Sa&ve This Program…"), {}, [this] { builder->promptAndSave(); });
    saveAction->setToolTip(QStringLiteral(
        "Write the program with the selected schemes, its ETRecord, and a Python script that builds it"));
    const auto chooseAll = [this](LabScheme scheme) {
        return [this, scheme] {
            table->sites().setChoice(visualizers::sameChoice(*experiment.study(), scheme));
            takeEdit();
        };
    };
    choiceActions = {openAction,
                     saveAction,
                     addCommand(*this, QStringLiteral("All in &int8"), {}, chooseAll(LabScheme::Static8)),
                     addCommand(*this, QStringLiteral("All in &Float"), {}, chooseAll(LabScheme::Float)),
                     addCommand(*this, QStringLiteral("Copy Comman&d of This Program"), {},
                                [this] { builder->copyCommand(); }),
                     addCommand(*this, QStringLiteral("Save the P&lot as SVG or PNG…"),
                                QKeySequence(Qt::CTRL | Qt::Key_E), [this] { plotExport->promptAndSave(); }),
                     addCommand(*this, QStringLiteral("Copy the Plot"), {}, [this] { plotExport->copy(); }),
                     addCommand(*this, QStringLiteral("Choose Other Inp&uts"), {}, &LabPanel::editInputs)};
}

void LabPanel::createResult() {
    across = new visualizers::Splitter(Qt::Horizontal, this);
    across->addParts({{table, 2}, {result, 3}});
    across->setChildrenCollapsible(false);
    connect(&table->sites(), &visualizers::SiteModel::choiceEdited, this, &LabPanel::takeEdit);
    visualizers::ParetoWidget& pareto = result->plot();
    QList<QAction*> offered{openAction, compareAction};
    offered += QList<QAction*>(choiceActions.begin() + 1, choiceActions.end());
    offerOnRightClick(pareto, offered);
    result->programs().view().addActions(offered);
    result->addButtons({saveAction, compareAction, openAction});
    addActions(pareto.actions());
    connect(&pareto, &visualizers::ParetoWidget::candidateChosen, this, &LabPanel::chooseCandidate);
    connect(&pareto, &visualizers::ParetoWidget::candidateOpened, this, [this](std::size_t candidate) {
        chooseCandidate(candidate);
        builder->open();
    });
    connect(&result->programs(), &visualizers::ReportTable::rowChosen, this, &LabPanel::chooseCandidate);
    connect(plotExport, &LabPlotExport::noticed, this, &Panel::noticed);
}

void LabPanel::connectJobs() {
    connect(&jobs, &LabJobs::studied, this, &LabPanel::takeStudy);
    connect(&jobs, &LabJobs::found, this, &LabPanel::takeCandidates);
    connect(&jobs, &LabJobs::searched, this, &LabPanel::takeSearched);
    connect(builder, &LabProgramBuilder::started, this, [this] { progress->setRange(0, 0); });
    connect(builder, &LabProgramBuilder::saved, this, [this](const std::filesystem::path& program) {
        news = QStringLiteral(
                   "Saved to %1, with its ETRecord (.etrecord) and a Python script that builds it (.py)")
                   .arg(QFile::decodeName(program.c_str()));
        showChoice();
    });
    connect(&jobs, &LabJobs::measuredOne, this, [this](const LabChoice& choice, const LabFigures& figures) {
        if (choice.size() == experiment.study()->sites.size()) {
            takeCandidates({{.choice = choice, .figures = figures}});
        }
    });
    connect(&jobs, &LabJobs::notMeasured, this, [this](const LabChoice& choice, const QString& problem) {
        experiment.setProblem(choice, problem);
    });
    connect(&jobs, &LabJobs::failed, this, [this](const QString& problem) {
        failure = problem;
        if (!problem.isEmpty()) {
            emit noticed(problem);
        }
    });
    connect(&jobs, &LabJobs::progressed, this,
            [this](const RunProgress& now) { showProgress(*progress, now); });
    connect(&jobs, &LabJobs::stateChanged, this, [this] {
        showState();
        measureNext();
    });
}

bool LabPanel::hasContent() const {
    return missingForLab(opened.session().get()).isEmpty();
}

bool LabPanel::idle() const {
    return jobs.running() == LabJobs::Kind::None && !jobs.measuring() && !patience.isActive() &&
           !timing.running();
}

/// A study is kept, and shown again, while its record is the same file; another model has no study.
void LabPanel::showSession() {
    const auto& session = opened.session();
    const std::filesystem::path record = hasContent() ? session->files.record : std::filesystem::path();
    if (record != start->request().record) {
        jobs.cancel();
        start->setRecord(record);
        failure.clear();
        editing = false;
    }
    if (session) {
        start->offerCalibration(session->files.bundle);
    }
    const bool same = experiment.isOf(record);
    if (same) {
        start->setRequest(experiment.request());
    }
    results.setSiteErrors(same ? experiment.errors() : nullptr);
    if (!same) {
        takeKept();
    }
    start->knownSites().setSession(hasContent() ? session : nullptr);
    showState();
    measureNext();
}

void LabPanel::study() {
    const LabRequest& request = start->request();
    if (jobs.running() != LabJobs::Kind::None || request.calibration.empty() || !hasContent()) {
        return;
    }
    failure.clear();
    progress->setRange(0, 0);
    asked = request;
    jobs.study(request);
}

void LabPanel::search() {
    const LabRequest& request = start->request();
    if (jobs.running() != LabJobs::Kind::None || !experiment.hasStudy() || request != experiment.request()) {
        return;
    }
    const auto limit = budget->leading();
    if (!limit) {
        emit noticed(visualizers::toQString(limit.error().toString()));
        return;
    }
    emit noticed({});
    failure.clear();
    news.clear();
    progress->setRange(0, 0);
    jobs.search(request, seconds->value(), *limit, experiment.study());
}

void LabPanel::editInputs() {
    editing = !editing;
    if (!editing) {
        start->setRequest(experiment.request());
    }
    showState();
}

void LabPanel::takeStudy(const std::shared_ptr<const visualizers::LabStudy>& study) {
    if (!hasContent() || asked.record != start->request().record) {
        return;
    }
    start->setRequest(asked);
    experiment = LabExperiment(study, asked, *opened.session()->record);
    editing = false;
    table->showStudy();
    result->programs().view().sortByColumn(visualizers::candidateBytesColumn, Qt::AscendingOrder);
    results.setSiteErrors(experiment.errors());
    timing.start([session = opened.session(), of = study,
                  at = experiment.handles()] { return siteTimes(*session, *of, at); },
                 [this](const std::vector<double>& found) {
                     experiment.setTimes(found);
                     showMeasured();
                 });
    showMeasured();
    table->followSelection();
}

void LabPanel::takeCandidates(const std::vector<LabCandidate>& candidates) {
    experiment.add(candidates);
    showMeasured();
}

/// Chooses the best program within the budget.
void LabPanel::takeSearched() {
    if (const auto best = budget->best(experiment.candidates())) {
        chooseCandidate(*best);
        news = QStringLiteral("This is the best program found within the budget.");
    } else if (budget->leading().value_or(tasks::OptimizeBudget()).kind !=
               tasks::OptimizeBudget::Kind::None) {
        news = QStringLiteral("No program within the budget was found.");
    }
    showChoice();
}

void LabPanel::measureNext() {
    const bool able = experiment.hasStudy() && hasContent() && start->request() == experiment.request() &&
                      !patience.isActive() && jobs.running() == LabJobs::Kind::None;
    if (!able) {
        return;
    }
    const auto next = experiment.nextToMeasure(table->choice());
    if (!next) {
        return;
    }
    if (jobs.measuring()) {
        if (jobs.measured() != next) {
            jobs.cancelMeasurements();  // calls this function again when it has ended
        }
        return;
    }
    jobs.measure(experiment.request(), visualizers::schemeEntries(*experiment.study(), *next), *next);
    showChoice();
}

void LabPanel::takeEdit() {
    news.clear();
    patience.start();
    showChoice();
}

void LabPanel::chooseCandidate(std::size_t candidate) {
    if (candidate < experiment.candidates().size()) {
        table->sites().setChoice(experiment.candidates()[candidate].choice);
        takeEdit();
    }
}

void LabPanel::showMeasured() {
    result->showPrograms();
    showChoice();
}

void LabPanel::showChoice() {
    if (experiment.hasStudy()) {
        result->showChoice(jobs.measured() == table->choice() || patience.isActive(), news);
    }
}

void LabPanel::showState() {
    const LabRequest& request = start->request();
    const bool free = jobs.running() == LabJobs::Kind::None;
    const bool shown =
        experiment.hasStudy() && hasContent() && request.record == experiment.request().record && !editing;
    studyAction->setEnabled(free && hasContent() && !request.calibration.empty());
    searchAction->setEnabled(free && shown);
    cancelAction->setVisible(!free);
    budget->setEnabled(shown);
    seconds->setEnabled(shown);
    costBox->setEnabled(shown);
    progressArea->setVisible(!free);
    for (QAction* const each : choiceActions) {
        each->setEnabled(free && shown);
    }
    compareAction->setEnabled(free && shown && builder->canCompare());
    pages->setCurrentIndex(shown ? 1 : 0);
    if (shown) {
        showChoice();
    }
    const auto& session = opened.session();
    start->showState({.missing = missingForLab(session.get()),
                      .failure = failure,
                      .bundle = session ? session->files.bundle : std::filesystem::path(),
                      .running = jobs.running()});
}

void LabPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    constexpr int linesOfAll = 28;  // minimum height for all figures above the plot
    result->setCompact(height() < linesOfAll * fontMetrics().height());
}

void LabPanel::takeKept() {
    const auto& session = opened.session();
    const bool has = hasContent() && !kept.record.isEmpty() &&
                     !(experiment.hasStudy() && experiment.request().record == session->files.record) &&
                     labFingerprint(session->files.record) == kept.record;
    const auto study = has ? visualizers::readLabStudy(kept.study) : visualizers::readLabStudy({});
    if (!study) {
        return;
    }
    asked = {.record = session->files.record,
             .calibration = kept.calibration.isEmpty() ? session->files.bundle : pathOfName(kept.calibration),
             .evaluation = pathOfName(kept.evaluation)};
    start->setRequest(asked);
    takeStudy(std::make_shared<const visualizers::LabStudy>(*study));
    table->sites().setChoice(visualizers::choiceOfEntries(*experiment.study(), kept.schemes));
    if (const auto candidates = visualizers::readLabCandidates(kept.candidates, *experiment.study())) {
        takeCandidates(*candidates);
    }
    kept = {};
}

QByteArray LabPanel::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << across->saveState() << result->saveState() << qint32(costBox->currentIndex())
           << qint32(seconds->value()) << savedLab(experiment, table->choice(), opened.session().get())
           << budget->texts();
    return state;
}

void LabPanel::restoreState(const QByteArray& state) {
    QByteArray widths;
    QByteArray heights;
    qint32 cost = 0;
    qint32 time = 0;
    QDataStream stream(state);
    stream >> widths >> heights >> cost >> time;
    if (stream.status() == QDataStream::Ok) {
        across->restoreState(widths);
        result->restoreState(heights);
        costBox->setCurrentIndex(cost == 1 ? 1 : 0);
        seconds->setValue(time);
    }
    // States saved by older versions have no study at the end.
    SavedLab read;
    QStringList limits;
    stream >> read >> limits;
    budget->setTexts(limits);
    if (!read.record.isEmpty()) {
        kept = read;
        takeKept();
        showState();
    }
}

}  // namespace et::studio
