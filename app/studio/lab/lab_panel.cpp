#include "app/studio/lab/lab_panel.h"

#include "app/studio/card_page.h"
#include "app/studio/lab/lab_figures.h"
#include "app/studio/lab/lab_known_sites.h"
#include "app/studio/lab/lab_sites.h"
#include "visualizers/lab/candidate_rows.h"
#include "visualizers/lab/lab_text.h"
#include "visualizers/lab/pareto_widget.h"
#include "visualizers/lab/site_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QComboBox>
#include <QDataStream>
#include <QFile>
#include <QFileInfo>
#include <QProgressBar>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace et::studio {

using visualizers::LabCandidate;
using visualizers::LabChoice;
using visualizers::LabFigures;
using visualizers::LabScheme;
using visualizers::ParetoCost;

namespace {

constexpr int patienceMs = 350;

QDateTime writtenAt(const std::filesystem::path& file) {
    return QFileInfo(QFile::decodeName(file.c_str())).lastModified();
}

}  // namespace

LabPanel::LabPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      selection(context.selection),
      results(context.results),
      store(context.settings),
      openAlone(context.openAlone),
      openBeside(context.openBeside),
      askForFiles(context.askForFiles),
      jobs(context.settings),
      timing(this),
      tools(new QToolBar(this)),
      costBox(new QComboBox(this)),
      seconds(new QSpinBox(this)),
      progress(new QProgressBar(this)),
      pages(new QStackedWidget(this)),
      model(new visualizers::SiteModel(this)),
      sorted(new QSortFilterProxyModel(this)),
      table(new QTreeView(this)),
      figuresLabel(new LabFiguresLabel(this)),
      pareto(new visualizers::ParetoWidget(this)),
      programTable(new visualizers::ReportTable(this)) {
    createTools();
    pages->addWidget(createStart());
    pages->addWidget(createResult());
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(pages, 1);
    setFocusProxy(table);
    patience.setSingleShot(true);
    patience.setInterval(patienceMs);
    connect(&patience, &QTimer::timeout, this, &LabPanel::measureNext);
    connectJobs();
    connect(&selection, &visualizers::Selection::currentChanged, this, &LabPanel::followSelection);
    connect(&opened, &visualizers::OpenSession::settled, this, &LabPanel::showSession);
    showSession();
}

LabPanel::~LabPanel() {
    jobs.disconnect(this);
}

bool LabPanel::hasContent() const {
    return missingForLab(opened.session().get()).isEmpty();
}

QString LabPanel::figures() const {
    return figuresLabel->text();
}

bool LabPanel::idle() const {
    return jobs.running() == LabJobs::Kind::None && !jobs.measuring() && !patience.isActive() &&
           !timing.running();
}

/// A study is kept, and shown again, while its record is the same file; another model has no study.
void LabPanel::showSession() {
    const auto& session = opened.session();
    const std::filesystem::path record = hasContent() ? session->files.record : std::filesystem::path();
    if (record != request.record) {
        jobs.cancel();
        request = {.record = record};
        failure.clear();
        knownLine.clear();
        editing = false;
    }
    if (request.calibration.empty() && session) {
        request.calibration = session->files.bundle;
    }
    const bool same =
        current && !record.empty() && studied.record == record && writtenAt(record) == studiedAt;
    if (same) {
        request = studied;
    }
    results.setSiteErrors(same ? errors : nullptr);
    if (!same) {
        takeKept();
    }
    knownSites->setSession(hasContent() ? session : nullptr);
    showStart();
    showState();
    measureNext();
}

void LabPanel::setCalibration(const std::filesystem::path& file) {
    request.calibration = file;
    showStart();
    showState();
}

void LabPanel::setEvaluation(const std::filesystem::path& file) {
    request.evaluation = file;
    showStart();
    showState();
}

void LabPanel::study() {
    if (jobs.running() != LabJobs::Kind::None || request.calibration.empty() || !hasContent()) {
        return;
    }
    failure.clear();
    progress->setRange(0, 0);
    asked = request;
    jobs.study(request);
}

void LabPanel::search() {
    if (jobs.running() == LabJobs::Kind::None && current && request == studied) {
        failure.clear();
        progress->setRange(0, 0);
        jobs.search(request, seconds->value(), current);
    }
}

void LabPanel::cancel() {
    jobs.cancel();
}

void LabPanel::takeStudy(const std::shared_ptr<const visualizers::LabStudy>& study) {
    if (!hasContent() || asked.record != request.record) {
        return;
    }
    current = study;
    request = asked;
    studied = asked;
    studiedAt = writtenAt(request.record);
    editing = false;
    known.clear();
    unmeasurable.clear();
    shares.clear();
    handles = labHandles(*opened.session()->record, *current);
    errors = siteErrors(*current, handles);
    model->setStudy(current);
    table->sortByColumn(visualizers::SiteModel::Only, Qt::AscendingOrder);
    programTable->view().sortByColumn(visualizers::candidateBytesColumn, Qt::AscendingOrder);
    results.setSiteErrors(errors);
    timing.start(
        [session = opened.session(), of = current, at = handles] { return siteTimes(*session, *of, at); },
        [this](const std::vector<double>& found) {
            shares = found;
            predictAnew();
        });
    predictAnew();
    followSelection();
}

void LabPanel::takeCandidates(const std::vector<LabCandidate>& candidates) {
    visualizers::addCandidates(known, candidates);
    predictAnew();
}

void LabPanel::predictAnew() {
    prediction = std::make_unique<visualizers::LabPrediction>(*current, shares, known);
    showPrograms();
    showChoice();
}

/// Returns the measured figures of a choice, which may be incomplete.
LabFigures LabPanel::figuresOf(const LabChoice& choice) const {
    const auto candidate = visualizers::candidateOf(known, choice);
    return candidate ? known[*candidate].figures : LabFigures();
}

bool LabPanel::isMeasured(const LabChoice& choice) const {
    const LabFigures figures = figuresOf(choice);
    return (figures.noise && figures.bytes && figures.milliseconds) ||
           std::ranges::contains(unmeasurable, choice, &std::pair<LabChoice, QString>::first);
}

/// The current choice first, then the base choices of all predictions.
std::optional<LabChoice> LabPanel::nextToMeasure() const {
    for (const LabChoice& each : {model->choice(), visualizers::sameChoice(*current, LabScheme::Static8),
                                  visualizers::sameChoice(*current, LabScheme::Float)}) {
        if (!isMeasured(each)) {
            return each;
        }
    }
    return std::nullopt;
}

void LabPanel::measureNext() {
    const bool able = current && hasContent() && request == studied && !patience.isActive() &&
                      jobs.running() == LabJobs::Kind::None;
    if (!able) {
        return;
    }
    const auto next = nextToMeasure();
    if (!next) {
        return;
    }
    if (jobs.measuring()) {
        if (jobs.measured() != next) {
            jobs.giveUpMeasuring();  // calls this function again when it has ended
        }
        return;
    }
    jobs.measure(request, visualizers::schemeEntries(*current, *next), *next);
    showChoice();
}

void LabPanel::takeEdit() {
    news.clear();
    patience.start();
    showChoice();
}

void LabPanel::chooseAll(LabScheme scheme) {
    if (current) {
        model->setChoice(visualizers::sameChoice(*current, scheme));
        takeEdit();
    }
}

void LabPanel::chooseCandidate(std::size_t candidate) {
    if (candidate < known.size()) {
        model->setChoice(known[candidate].choice);
        takeEdit();
    }
}

void LabPanel::showChoice() {
    if (!current) {
        return;
    }
    const LabChoice& choice = model->choice();
    PredictionQuality outlook{.predicted = prediction->of(choice),
                              .measured = figuresOf(choice),
                              .measuring = jobs.measured() == choice || patience.isActive(),
                              .problem = {},
                              .news = news};
    const auto problem = std::ranges::find(unmeasurable, choice, &std::pair<LabChoice, QString>::first);
    if (problem != unmeasurable.end()) {
        outlook.problem = problem->second;
    }
    const auto total = static_cast<std::size_t>(std::ranges::count(choice, LabScheme::Static8));
    const QString title = QStringLiteral("%1 of %2 sites in int8 (w8a8-static) · %3")
                              .arg(total)
                              .arg(choice.size())
                              .arg(visualizers::labChoiceText(*current, choice));
    figuresLabel->show(title, outlook, figuresOf(visualizers::sameChoice(*current, LabScheme::Static8)),
                       figuresOf(visualizers::sameChoice(*current, LabScheme::Float)));
    showPlot();
}

void LabPanel::showPrograms() {
    programTable->setRows(visualizers::candidateRows(*current, known));
}

void LabPanel::showPlot() {
    if (!current) {
        pareto->setScene(nullptr);
        return;
    }
    const LabChoice& choice = model->choice();
    const auto candidate = visualizers::candidateOf(known, choice);
    const auto cost = costBox->currentIndex() == 0 ? ParetoCost::Bytes : ParetoCost::Time;
    auto plain = std::make_shared<const visualizers::ParetoScene>(*current, known, cost);
    const bool placed = candidate && plain->pointOf(*candidate);
    if (!placed) {
        LabFigures figures = prediction->of(choice);
        const LabFigures measured = figuresOf(choice);
        figures.noise = measured.noise ? measured.noise : figures.noise;
        figures.bytes = measured.bytes ? measured.bytes : figures.bytes;
        plain = std::make_shared<const visualizers::ParetoScene>(
            *current, known, cost, LabCandidate{.choice = choice, .figures = figures});
    }
    pareto->setScene(plain);
    pareto->choose(placed ? candidate : std::nullopt);
    programTable->choose(candidate);
}

void LabPanel::showState() {
    const bool free = jobs.running() == LabJobs::Kind::None;
    const bool shown = current && hasContent() && request.record == studied.record && !editing;
    studyAction->setEnabled(free && hasContent() && !request.calibration.empty());
    searchAction->setEnabled(free && shown);
    cancelAction->setEnabled(!free);
    seconds->setEnabled(shown);
    costBox->setEnabled(shown);
    progressPlace->setVisible(!free);
    for (QAction* const each : choiceActions) {
        each->setEnabled(free && shown);
    }
    compareAction->setEnabled(free && shown && (opened.session()->program || floatProgram()));
    pages->setCurrentIndex(shown ? 1 : 0);
    if (shown) {
        showChoice();
    }
    showStart();
}

QByteArray LabPanel::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << across->saveState() << down->saveState() << qint32(costBox->currentIndex())
           << qint32(seconds->value()) << toKeep();
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
        down->restoreState(heights);
        costBox->setCurrentIndex(cost == 1 ? 1 : 0);
        seconds->setValue(time);
    }
    // States saved by older versions have no study at the end.
    SavedLab read;
    stream >> read;
    if (!read.record.isEmpty()) {
        kept = read;
        takeKept();
        showState();
    }
}

}  // namespace et::studio
