#include "app/studio/lab/lab_result_view.h"

#include "app/studio/lab/lab_experiment.h"
#include "app/studio/lab/lab_figures.h"
#include "app/studio/lab/lab_site_table.h"
#include "app/studio/start_command.h"
#include "visualizers/lab/candidate_rows.h"
#include "visualizers/lab/lab_text.h"
#include "visualizers/lab/pareto_widget.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTreeView>

#include <algorithm>
#include <memory>

namespace et::studio {

using visualizers::LabCandidate;
using visualizers::LabChoice;
using visualizers::LabFigures;
using visualizers::LabScheme;

LabResultView::LabResultView(const LabExperiment& of, const LabSiteTable& chosen, QWidget* parent)
    : Splitter(Qt::Vertical, parent),
      experiment(of),
      sites(chosen),
      label(new LabFiguresLabel),
      pareto(new visualizers::ParetoWidget),
      table(new visualizers::ReportTable),
      buttons(new QWidget) {
    auto* const above = new QWidget(this);
    visualizers::fillColumn(*above, {label, pareto});
    table->view().setAccessibleName(QStringLiteral("Programs"));
    table->setHint(QStringLiteral("No programs yet."));
    auto* const below = new QWidget(this);
    auto* const row = new QHBoxLayout(buttons);
    row->setContentsMargins(4, 2, 4, 2);
    row->addStretch(1);
    visualizers::fillColumn(*below, {buttons, table}, table);
    addParts({{above, 3}, {below, 1}});
    setChildrenCollapsible(false);
}

void LabResultView::showPrograms() {
    table->setRows(visualizers::candidateRows(*experiment.study(), experiment.candidates()));
}

void LabResultView::showChoice(bool measuring, const QString& news) {
    const visualizers::LabStudy& study = *experiment.study();
    const LabChoice& choice = sites.choice();
    const auto total = static_cast<std::size_t>(std::ranges::count(choice, LabScheme::Static8));
    const QString title = QStringLiteral("%1 of %2 sites in int8 (w8a8-static) · %3")
                              .arg(total)
                              .arg(choice.size())
                              .arg(visualizers::labChoiceText(study, choice));
    label->show(title,
                {.predicted = experiment.predict(choice),
                 .measured = experiment.figuresOf(choice),
                 .measuring = measuring,
                 .problem = experiment.problemOf(choice),
                 .news = news},
                experiment.figuresOf(visualizers::sameChoice(study, LabScheme::Static8)),
                experiment.figuresOf(visualizers::sameChoice(study, LabScheme::Float)));
    showPlot();
}

void LabResultView::setCost(inspector::plot::ParetoCost axis) {
    cost = axis;
    if (experiment.hasStudy()) {
        showPlot();
    }
}

void LabResultView::addButtons(const QList<QAction*>& actions) {
    auto* const row = static_cast<QHBoxLayout*>(buttons->layout());
    for (QAction* const each : actions) {
        row->insertWidget(row->count() - 1, buttonFor(*each, buttons));
    }
}

void LabResultView::setCompact(bool compact) {
    label->setCompact(compact);
}

void LabResultView::showPlot() {
    const visualizers::LabStudy& study = *experiment.study();
    const LabChoice& choice = sites.choice();
    const auto candidate = visualizers::candidateOf(experiment.candidates(), choice);
    auto plain = std::make_shared<const inspector::plot::ParetoPlot>(
        visualizers::paretoPlot(study, experiment.candidates(), cost));
    const bool placed = candidate && plain->pointOf(*candidate);
    if (!placed) {
        LabFigures figures = experiment.predict(choice);
        const LabFigures measured = experiment.figuresOf(choice);
        figures.noise = measured.noise ? measured.noise : figures.noise;
        figures.bytes = measured.bytes ? measured.bytes : figures.bytes;
        plain = std::make_shared<const inspector::plot::ParetoPlot>(visualizers::paretoPlot(
            study, experiment.candidates(), cost, LabCandidate{.choice = choice, .figures = figures}));
    }
    pareto->setPlot(plain);
    pareto->choose(placed ? candidate : std::nullopt);
    table->choose(candidate);
}

}  // namespace et::studio
