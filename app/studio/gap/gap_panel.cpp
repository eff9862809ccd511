#include "app/studio/gap/gap_panel.h"

#include "app/studio/gap/gap_details.h"
#include "app/studio/gap/gap_options.h"
#include "app/studio/job_request.h"
#include "app/studio/panel_command.h"
#include "app/studio/start_command.h"
#include "app/tasks/gap/gap_files.h"
#include "inspector/session/same_model.h"
#include "visualizers/gap/gap_description.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_table.h"
#include "visualizers/gap/gap_view.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeView>

namespace et::studio {

namespace {

constexpr int gapProgressWidth = 140;
constexpr int hintMargin = 24;
constexpr int ageMargin = 8;

}  // namespace

GapFiles::GapFiles(const tasks::GapSettings& request) : program(!request.program.empty()) {
    for (const std::filesystem::path& path : tasks::inputsOf(request)) {
        const QFileInfo file(QFile::decodeName(path.c_str()));
        all.push_back({path, file.lastModified(), file.size()});
    }
}

GapPanel::GapPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      results(context.results),
      fix(context.fix),
      job(context.settings),
      tools(new QToolBar(this)),
      progress(new QProgressBar(this)),
      summary(visualizers::plainLabel("gapSummary", this, {.sides = 8})),
      age(visualizers::plainLabel("gapAge", this, {.margin = ageMargin})),
      pages(new QStackedWidget(this)),
      hint(visualizers::hintLabel("gapHint", this, {.margin = hintMargin, .selectable = true})),
      begin(new QPushButton(QStringLiteral("Compare with the Exported Graph (F9)"), this)),
      rows(new visualizers::GapView(context.selection, context.results, this)),
      operatorDetails(new GapDetails(job, this)),
      splitter(new visualizers::Splitter(Qt::Vertical, this)) {
    createTools();
    addWayTo("lab", QStringLiteral("Sho&w Effect of Int8"), *this, context);
    splitter->addParts({{rows, 1}, {operatorDetails, 1}});
    splitter->setSizes({45, 55});  // in percent: the tensors need more height than the plot
    splitter->setChildrenCollapsible(false);
    pages->addWidget(visualizers::hintPage(*hint, *begin, this));
    pages->addWidget(splitter);
    visualizers::fillColumn(*this, {tools, summary, age, pages});
    setFocusProxy(&rows->table());
    connect(begin, &QPushButton::clicked, this, &GapPanel::calculate);
    connect(&opened, &visualizers::OpenSession::changed, this, &GapPanel::showSession);
    connect(&results, &visualizers::Results::shownGapChanged, this, &GapPanel::showState);
    connect(rows, &visualizers::GapView::viewMoved, this, &Panel::viewChanged);
    connect(rows, &visualizers::GapView::currentRowChanged, this, &GapPanel::showRow);
    connect(&job, &GapJob::calculated, this, &GapPanel::take);
    connect(&job, &GapJob::failed, this, &GapPanel::showFailure);
    connect(&job, &GapJob::cancelled, this, &GapPanel::showState);
    connect(&job, &GapJob::progressed, this, &GapPanel::showProgress);
    showSession();
}

void GapPanel::createTools() {
    calculateAction =
        addStart(*this, *tools, QStringLiteral("Compare with the Exported &Graph"), &GapPanel::calculate);
    cancelAction = addStop(*this, *tools, QStringLiteral("&Cancel Calculation"), &GapPanel::cancel);
    reduceAction = addCommand(*this, QStringLiteral("&Reduce…"), {}, &GapPanel::reduce);
    reduceAction->setToolTip(
        QStringLiteral("Find the smallest part of the program that diverges as the first divergence"));
    tools->addSeparator();
    choices = new GapOptionsTools(*tools);
    progress->setMaximumWidth(gapProgressWidth);
    addMore(*tools, {reduceAction});
    progressArea = tools->addWidget(progress);
    QFont bold = age->font();
    bold.setBold(true);
    age->setFont(bold);
    addActions(rows->actions());
    addActions(rows->plot().actions());
}

bool GapPanel::hasContent() const {
    return missingForGap(opened.session().get()).isEmpty();
}

void GapPanel::find() {
    rows->focusFilter();
}

void GapPanel::calculate() {
    if (job.running() || !hasContent()) {
        return;
    }
    failure.clear();
    of = opened.session();
    const tasks::GapSettings request = choices->request(*of);
    files = GapFiles(request);
    job.start(request);
    progress->setRange(0, 0);
    showState();
}

/// After the inputs, the tensors are saved and the report is read.
void GapPanel::showProgress(const RunProgress& now) {
    const bool calculates = now.phase == QStringLiteral("gap");
    const bool saves = now.phase == QStringLiteral("save");
    progress->setRange(0, calculates || saves ? static_cast<int>(now.total) : 0);
    progress->setValue(static_cast<int>(now.done));
    progress->setFormat(saves ? QStringLiteral("saving %v / %m") : QStringLiteral("%v / %m inputs"));
}

void GapPanel::cancel() {
    job.cancel();
}

void GapPanel::reduce() {
    if (auto request = fixRequest(JobKind::Reduce, opened.session().get())) {
        request->options = {{QStringLiteral("--fails"), QStringLiteral("gap")}};
        request->method = visualizers::toQString(results.wholeGap()->method);
        fix(*request);
    }
}

void GapPanel::showSession() {
    choices->setSession(opened.session().get());
    const bool same = of && opened.session() && inspector::haveSameModel(of->files, opened.session()->files);
    if (!same) {
        job.cancel();
        failure.clear();
        of = nullptr;
    }
    showAge();
    showState();
}

// After a reload: shows whether the displayed gap is up to date.
void GapPanel::showAge() {
    const bool same =
        opened.session() && known == GapFiles(GapOptionsTools::filesOf(*opened.session(), known.ofProgram()));
    results.setGapStale(!same);
}

void GapPanel::take(const std::shared_ptr<const inspector::GapReport>& report) {
    if (of) {
        known = files;
        results.setGap(report);
        showAge();
        QStringList warnings;
        for (const std::string& each : report->warnings) {
            warnings.append(visualizers::toQString(each));
        }
        summary->setToolTip(warnings.join(QLatin1Char('\n')));
    }
    showState();
}

void GapPanel::showFailure(const QString& problem, const QString& log) {
    failure = log.isEmpty() || log == problem ? problem : problem + QStringLiteral("\n\n") + log;
    emit noticed(QStringLiteral("cannot compare with the exported graph: %1").arg(problem));
    showState();
}

// The details borrow from the report, which is kept alive while they show it.
void GapPanel::showRow() {
    const auto place = rows->currentRow();
    const auto report = results.gap();
    const bool inside = report && place && *place < report->rows.size();
    operatorDetails->setRow(inside ? &report->rows[*place] : nullptr);
    shown = report;
}

void GapPanel::showState() {
    const bool idle = !job.running();
    const QString missing = missingForGap(opened.session().get());
    calculateAction->setEnabled(idle && missing.isEmpty());
    cancelAction->setVisible(!idle);
    const auto& whole = results.wholeGap();
    reduceAction->setEnabled(whole && whole->firstDivergence && !results.gapIsStale() &&
                             fixRequest(JobKind::Reduce, opened.session().get()));
    progressArea->setVisible(!idle);
    begin->setVisible(idle && missing.isEmpty());
    pages->setCurrentIndex(results.gap() ? 1 : 0);
    age->setVisible(results.gapIsStale());
    age->setText(idle ? QStringLiteral("These errors were calculated from older files. F9 recalculates them.")
                      : QStringLiteral(
                            "These errors were calculated from older files; new ones are being calculated."));
    showHint(missing);
    summary->setText(results.wholeGap() ? visualizers::summaryText(*results.wholeGap()) : QString());
    summary->setVisible(results.wholeGap() != nullptr);
}

void GapPanel::showHint(const QString& missing) {
    if (!missing.isEmpty()) {
        hint->setText(missing);
    } else if (job.running()) {
        hint->setText(QStringLiteral("Calculating… (Ctrl+. cancels)"));
    } else if (!failure.isEmpty()) {
        hint->setText(failure);
    } else {
        hint->setText(QStringLiteral(
            "Runs the program and its exported graph, and compares the results of each operator."));
    }
}

QByteArray GapPanel::viewState() const {
    return rows->viewState();
}

void GapPanel::restoreView(const QByteArray& state) {
    rows->restoreView(state);
}

QByteArray GapPanel::saveState() const {
    return visualizers::packed(splitter->saveState(), rows->saveState(), operatorDetails->saveState(),
                               choices->saveState());
}

void GapPanel::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QByteArray, QByteArray, QByteArray, QByteArray>(state)) {
        const auto& [sizes, view, details, chosenOptions] = *read;
        splitter->restoreState(sizes);
        rows->restoreState(view);
        operatorDetails->restoreState(details);
        choices->restoreState(chosenOptions);
    }
}

}  // namespace et::studio
