#include "visualizers/lab/pareto_widget.h"

#include "visualizers/lab/lab_text.h"

#include <QKeyEvent>

#include <utility>

namespace et::visualizers {

using inspector::plot::ParetoCost;
using inspector::plot::ParetoPlot;
using inspector::plot::ParetoPoint;

ParetoPlot paretoPlot(const LabStudy& study, const std::vector<LabCandidate>& candidates, ParetoCost cost,
                      const std::optional<LabCandidate>& predicted) {
    constexpr double nanoseconds = 1e6;  // of a millisecond
    std::vector<ParetoPoint> points;
    const auto add = [&](const LabCandidate& of, std::optional<std::size_t> candidate) {
        const LabFigures& figures = of.figures;
        const auto value = cost == ParetoCost::Bytes ? figures.bytes : figures.milliseconds;
        if (value && figures.noise && *figures.noise < labNonFiniteNoise) {
            const QString text =
                (candidate ? QString() : QStringLiteral("predicted: ")) +
                labCandidateText(study, of).replace(QStringLiteral("   ·   "), QStringLiteral("\n"));
            points.push_back({.candidate = candidate,
                              .cost = *value * (cost == ParetoCost::Bytes ? 1 : nanoseconds),
                              .noise = *figures.noise,
                              .tip = text.toStdString()});
        }
    };
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        add(candidates[i], i);
    }
    if (predicted) {
        add(*predicted, std::nullopt);
    }
    return {std::move(points), cost};
}

ParetoWidget::ParetoWidget(QWidget* parent)
    : PlotWidget(QStringLiteral("Program"), QStringLiteral("0.0005 %"), parent) {
    setObjectName(QStringLiteral("paretoPlot"));
    setAccessibleName(QStringLiteral("Programs by error and cost"));
}

void ParetoWidget::setPlot(std::shared_ptr<const ParetoPlot> next) {
    const bool same = shown && next && shown->cost() == next->cost();
    shown = std::move(next);
    chosen.reset();
    hovered.reset();
    renew();
    if (!same) {
        fitAll();
    }
}

void ParetoWidget::choose(std::optional<std::size_t> candidate) {
    chosen.reset();
    if (shown && candidate) {
        chosen = shown->pointOf(*candidate);
    } else if (shown && !shown->points().empty() && !shown->points().back().candidate) {
        chosen = shown->points().size() - 1;
    }
    speakValue(*this);
    update();
}

inspector::plot::Scene ParetoWidget::sceneIn(const inspector::plot::Frame& frame) const {
    inspector::plot::Scene scene;
    if (shown) {
        shown->addTo(scene, frame);
    }
    return scene;
}

void ParetoWidget::chooseItem(std::optional<std::size_t> item) {
    if (item && shown->points()[*item].candidate) {
        emit candidateChosen(*shown->points()[*item].candidate);
    }
}

void ParetoWidget::hoverItem(std::optional<std::size_t> item) {
    if (item != hovered) {
        hovered = item;
        update();
    }
}

bool ParetoWidget::open(std::optional<std::size_t> point) {
    if (!point || !shown->points()[*point].candidate) {
        return false;
    }
    emit candidateOpened(*shown->points()[*point].candidate);
    return true;
}

void ParetoWidget::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter || !open(chosen)) {
        PlotWidget::keyPressEvent(event);
    }
}

}  // namespace et::visualizers
