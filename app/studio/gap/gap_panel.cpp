#include "app/studio/gap/gap_panel.h"

#include "app/studio/gap/gap_details.h"
#include "app/studio/gap/gap_options.h"
#include "app/studio/job_request.h"
#include "app/studio/panel_command.h"
#include "inspector/session/same_model.h"
#include "visualizers/gap/gap_description.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_table.h"
#include "visualizers/gap/gap_view.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

namespace et::studio {

namespace {

constexpr int gapProgressWidth = 140;
constexpr int hintMargin = 24;
constexpr int ageMargin = 8;

}  // namespace

GapPanel::GapPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      results(context.results),
      fix(context.fix),
      job(context.settings),
      tools(new QToolBar(this)),
      progress(new QProgressBar(this)),
      summary(new QLabel(this)),
      age(new QLabel(this)),
      pages(new QStackedWidget(this)),
      hint(new QLabel(this)),
      rows(new visualizers::GapView(context.selection, context.results, this)),
      operatorDetails(new GapDetails(job, this)),
      splitter(new visualizers::Splitter(Qt::Vertical, this)) {
    createTools();
    addWayTo("lab", QStringLiteral("Sho&w Effect of Int8 (Lab)"), *this, context);
    splitter->addWidget(rows);
    splitter->addWidget(operatorDetails);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({45, 55});  // in percent: the tensors need more height than the plot
    splitter->setChildrenCollapsible(false);
    pages->addWidget(createHintPage());
    pages->addWidget(splitter);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tools);
    layout->addWidget(summary);
    layout->addWidget(age);
    layout->addWidget(pages, 1);
    setFocusProxy(&rows->table());
    connect(&opened, &visualizers::OpenSession::changed, this, &GapPanel::showSession);
    connect(&results, &visualizers::Results::shownGapChanged, this, &GapPanel::showState);
    connect(rows, &visualizers::GapView::viewMoved, this, &Panel::viewChanged);
    connect(rows, &visualizers::GapView::currentRowChanged, this, &GapPanel::showRow);
    connect(&job, &GapJob::calculated, this, &GapPanel::take);
    connect(&job, &GapJob::failed, this, &GapPanel::showFailure);
    connect(&job, &GapJob::cancelled, this, &GapPanel::showState);
    connect(&job, &GapJob::progressed, this, [this](const RunProgress& now) {
        progress->setRange(0, static_cast<int>(now.total));
        progress->setValue(static_cast<int>(now.done));
    });
    showSession();
}

void GapPanel::createTools() {
    calculateAction = addCommand(*this, QStringLiteral("Calculate the &Gap"), QKeySequence(Qt::Key_F9),
                                 &GapPanel::calculate);
    cancelAction = addCommand(*this, QStringLiteral("&Cancel Calculation"),
                              QKeySequence(Qt::CTRL | Qt::Key_Period), &GapPanel::cancel);
    reduceAction = addCommand(*this, QStringLiteral("&Reduce…"), {}, &GapPanel::reduce);
    reduceAction->setToolTip(
        QStringLiteral("Find the smallest part of the program that diverges as the first divergence"));
    tools->addActions({calculateAction, cancelAction, reduceAction});
    tools->addSeparator();
    choices = new GapOptionsTools(*tools);
    progress->setMaximumWidth(gapProgressWidth);
    progress->setFormat(QStringLiteral("%v / %m inputs"));
    summary->setObjectName(QStringLiteral("gapSummary"));
    summary->setTextFormat(Qt::PlainText);
    summary->setContentsMargins(8, 0, 8, 0);
    summary->setWordWrap(true);
    progressArea = tools->addWidget(progress);
    age->setObjectName(QStringLiteral("gapAge"));
    age->setTextFormat(Qt::PlainText);
    age->setWordWrap(true);
    age->setMargin(ageMargin);
    QFont bold = age->font();
    bold.setBold(true);
    age->setFont(bold);
    addActions(rows->actions());
    addActions(rows->plot().actions());
}

QWidget* GapPanel::createHintPage() {
    auto* const page = new QWidget(pages);
    hint->setObjectName(QStringLiteral("gapHint"));
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::PlainText);
    hint->setMargin(hintMargin);
    hint->setTextInteractionFlags(Qt::TextSelectableByMouse);
    begin = new QPushButton(QStringLiteral("Calculate the Gap"), page);
    connect(begin, &QPushButton::clicked, this, &GapPanel::calculate);
    auto* const layout = new QVBoxLayout(page);
    layout->addStretch();
    layout->addWidget(hint);
    layout->addWidget(begin, 0, Qt::AlignCenter);
    layout->addStretch();
    return page;
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
    emit noticed(QStringLiteral("cannot calculate the gap: %1").arg(problem));
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
    cancelAction->setEnabled(!idle);
    const auto& whole = results.wholeGap();
    reduceAction->setEnabled(whole && whole->firstDivergence && !results.gapIsStale() &&
                             fixRequest(JobKind::Reduce, opened.session().get()));
    progressArea->setVisible(!idle);
    begin->setVisible(idle && missing.isEmpty());
    pages->setCurrentIndex(results.gap() ? 1 : 0);
    age->setVisible(results.gapIsStale());
    age->setText(
        idle ? QStringLiteral("This gap was calculated from older files. F9 recalculates it.")
             : QStringLiteral("This gap was calculated from older files; a new one is being calculated."));
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
        hint->setText(
            QStringLiteral("F9 runs the program and its graph, and compares the results of each operator."));
    }
}

QByteArray GapPanel::viewState() const {
    return rows->viewState();
}

void GapPanel::restoreView(const QByteArray& state) {
    rows->restoreView(state);
}

QByteArray GapPanel::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << splitter->saveState() << rows->saveState() << operatorDetails->saveState()
           << choices->saveState();
    return state;
}

void GapPanel::restoreState(const QByteArray& state) {
    QByteArray sizes;
    QByteArray view;
    QByteArray below;
    QByteArray chosenOptions;
    QDataStream stream(state);
    stream >> sizes >> view >> below >> chosenOptions;
    splitter->restoreState(sizes);
    rows->restoreState(view);
    operatorDetails->restoreState(below);
    choices->restoreState(chosenOptions);
}

}  // namespace et::studio
