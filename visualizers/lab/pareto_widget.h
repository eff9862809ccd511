#pragma once

#include "inspector/plot/pareto_plot.h"
#include "visualizers/lab/lab_study.h"
#include "visualizers/toolkit/plot_widget.h"

#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The candidates that have this cost. `predicted`: expected figures of the chosen schemes.
[[nodiscard]] inspector::plot::ParetoPlot paretoPlot(const LabStudy& study,
                                                     const std::vector<LabCandidate>& candidates,
                                                     inspector::plot::ParetoCost cost,
                                                     const std::optional<LabCandidate>& predicted = {});

/// Programs by error and cost. A click or the arrow keys select the program of a point; a double click or
/// Return opens it.
class ParetoWidget : public PlotWidget {
    Q_OBJECT

  public:
    explicit ParetoWidget(QWidget* parent = nullptr);

    /// Null shows nothing. The visible part is kept if the cost is the same.
    void setPlot(std::shared_ptr<const inspector::plot::ParetoPlot> next);
    [[nodiscard]] const inspector::plot::ParetoPlot* content() const { return shown.get(); }
    /// Selects a candidate without a signal; nothing: the predicted one, if there is one.
    void choose(std::optional<std::size_t> candidate);
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const override { return chosen; }

  signals:
    /// Selected by the user.
    void candidateChosen(std::size_t candidate);
    void candidateOpened(std::size_t candidate);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] inspector::plot::Scene sceneIn(const inspector::plot::Frame& frame) const override;
    [[nodiscard]] std::optional<std::size_t> hoveredItem() const override { return hovered; }
    void chooseItem(std::optional<std::size_t> item) override;
    void hoverItem(std::optional<std::size_t> item) override;
    bool doubleClick(const QPointF& at) override { return open(itemAt(at)); }
    /// False if the point is not a program.
    bool open(std::optional<std::size_t> point);

    std::shared_ptr<const inspector::plot::ParetoPlot> shown;
    std::optional<std::size_t> chosen;   ///< a point of the plot
    std::optional<std::size_t> hovered;  ///< likewise
};

}  // namespace et::visualizers
