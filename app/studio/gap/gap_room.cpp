#include "app/studio/gap/gap_room.h"

#include "app/studio/fix_request.h"
#include "app/studio/gap/gap_details.h"
#include "app/studio/gap/gap_options.h"
#include "app/studio/room_command.h"
#include "inspector/session/same_model.h"
#include "visualizers/gap/gap_description.h"
#include "visualizers/gap/gap_plot.h"
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
#include <QTreeView>
#include <QVBoxLayout>

namespace et::studio {

namespace {

constexpr int gapProgressWidth = 140;
constexpr int hintMargin = 24;
constexpr int ageMargin = 8;

}  // namespace

GapRoom::GapRoom(const RoomContext& context, QWidget* parent)
    : Room(parent),
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
    addWayTo("lab", tr("&What Would Int8 Cost? (Lab)"), *this, context);
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
    connect(&opened, &visualizers::OpenSession::changed, this, &GapRoom::showSession);
    connect(&results, &visualizers::Results::shownGapChanged, this, &GapRoom::showState);
    connect(rows, &visualizers::GapView::viewMoved, this, &Room::viewChanged);
    connect(rows, &visualizers::GapView::currentRowChanged, this, &GapRoom::showRow);
    connect(&job, &GapJob::calculated, this, &GapRoom::take);
    connect(&job, &GapJob::failed, this, &GapRoom::showFailure);
    connect(&job, &GapJob::cancelled, this, &GapRoom::showState);
    connect(&job, &GapJob::progressed, this, [this](const RunProgress& now) {
        progress->setRange(0, static_cast<int>(now.total));
        progress->setValue(static_cast<int>(now.done));
    });
    showSession();
}

void GapRoom::createTools() {
    calculateAction =
        addCommand(*this, tr("Calculate the &Gap"), QKeySequence(Qt::Key_F9), &GapRoom::calculate);
    cancelAction = addCommand(*this, tr("&Cancel Calculation"), QKeySequence(Qt::CTRL | Qt::Key_Period),
                              &GapRoom::cancel);
    reduceAction = addCommand(*this, tr("&Reduce…"), {}, &GapRoom::reduce);
    reduceAction->setToolTip(
        tr("Find the smallest part of the program that diverges as the first divergence"));
    tools->addActions({calculateAction, cancelAction, reduceAction});
    tools->addSeparator();
    choices = new GapOptionsTools(*tools);
    progress->setMaximumWidth(gapProgressWidth);
    progress->setFormat(tr("%v / %m inputs"));
    summary->setObjectName(QStringLiteral("gapSummary"));
    summary->setTextFormat(Qt::PlainText);
    summary->setContentsMargins(8, 0, 8, 0);
    summary->setWordWrap(true);
    progressPlace = tools->addWidget(progress);
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

QWidget* GapRoom::createHintPage() {
    auto* const page = new QWidget(pages);
    hint->setObjectName(QStringLiteral("gapHint"));
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setTextFormat(Qt::PlainText);
    hint->setMargin(hintMargin);
    hint->setTextInteractionFlags(Qt::TextSelectableByMouse);
    begin = new QPushButton(tr("Calculate the Gap"), page);
    connect(begin, &QPushButton::clicked, this, &GapRoom::calculate);
    auto* const layout = new QVBoxLayout(page);
    layout->addStretch();
    layout->addWidget(hint);
    layout->addWidget(begin, 0, Qt::AlignCenter);
    layout->addStretch();
    return page;
}

bool GapRoom::hasContent() const {
    return missingForGap(opened.session().get()).isEmpty();
}

void GapRoom::find() {
    rows->focusFilter();
}

void GapRoom::calculate() {
    if (job.running() || !hasContent()) {
        return;
    }
    failure.clear();
    of = opened.session();
    const GapRequest request = choices->request(*of);
    files = GapFiles(request);
    job.start(request);
    progress->setRange(0, 0);
    showState();
}

void GapRoom::cancel() {
    job.cancel();
}

void GapRoom::reduce() {
    if (auto request = fixRequest(FixKind::Reduce, opened.session().get())) {
        request->fails = QStringLiteral("gap");
        request->method = visualizers::toQString(results.wholeGap()->method);
        fix(*request);
    }
}

void GapRoom::showSession() {
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
void GapRoom::showAge() {
    const bool same =
        opened.session() && known == GapFiles(GapOptionsTools::filesOf(*opened.session(), known.ofProgram()));
    results.setGapStale(!same);
}

void GapRoom::take(const std::shared_ptr<const inspector::GapReport>& report) {
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

void GapRoom::showFailure(const QString& problem, const QString& log) {
    failure = log.isEmpty() || log == problem ? problem : problem + QStringLiteral("\n\n") + log;
    emit noticed(tr("cannot calculate the gap: %1").arg(problem));
    showState();
}

// The details borrow from the report, which is kept alive while they show it.
void GapRoom::showRow() {
    const auto place = rows->currentRow();
    const auto report = results.gap();
    const bool inside = report && place && *place < report->rows.size();
    operatorDetails->setRow(inside ? &report->rows[*place] : nullptr);
    shown = report;
}

void GapRoom::showState() {
    const bool idle = !job.running();
    const QString missing = missingForGap(opened.session().get());
    calculateAction->setEnabled(idle && missing.isEmpty());
    cancelAction->setEnabled(!idle);
    const auto& whole = results.wholeGap();
    reduceAction->setEnabled(whole && whole->firstDivergence && !results.gapIsStale() &&
                             fixRequest(FixKind::Reduce, opened.session().get()));
    progressPlace->setVisible(!idle);
    begin->setVisible(idle && missing.isEmpty());
    pages->setCurrentIndex(results.gap() ? 1 : 0);
    age->setVisible(results.gapIsStale());
    age->setText(idle ? tr("This gap is of older files. F9 recalculates it.")
                      : tr("This gap is of older files, until the new one is calculated."));
    showHint(missing);
    summary->setText(results.wholeGap() ? visualizers::summaryText(*results.wholeGap()) : QString());
    summary->setVisible(results.wholeGap() != nullptr);
}

void GapRoom::showHint(const QString& missing) {
    if (!missing.isEmpty()) {
        hint->setText(missing);
    } else if (job.running()) {
        hint->setText(tr("Calculating… (Ctrl+. cancels)"));
    } else if (!failure.isEmpty()) {
        hint->setText(failure);
    } else {
        hint->setText(tr("F9 runs the program and its graph, and compares what each operator computes."));
    }
}

QByteArray GapRoom::viewState() const {
    return rows->viewState();
}

void GapRoom::restoreView(const QByteArray& state) {
    rows->restoreView(state);
}

QByteArray GapRoom::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << splitter->saveState() << rows->saveState() << operatorDetails->saveState()
           << choices->saveState();
    return state;
}

void GapRoom::restoreState(const QByteArray& state) {
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
