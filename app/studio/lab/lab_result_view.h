#pragma once

#include "inspector/plot/pareto_plot.h"
#include "visualizers/toolkit/splitter.h"

#include <QAction>
#include <QList>

namespace et::visualizers {
class ParetoWidget;
class ReportTable;
}  // namespace et::visualizers

namespace et::studio {

class LabExperiment;
class LabFiguresLabel;
class LabSiteTable;

/// The figures of the chosen sites, the plot of all measured programs, and below them the table of these
/// programs.
class LabResultView : public visualizers::Splitter {
    Q_OBJECT

  public:
    /// `of` and `chosen` must outlive this object.
    LabResultView(const LabExperiment& of, const LabSiteTable& chosen, QWidget* parent);

    /// Call after programs were measured.
    void showPrograms();
    /// Shows figures and plot for the chosen sites. `measuring`: their program is being measured; `news`:
    /// further remark, or empty.
    void showChoice(bool measuring, const QString& news);
    /// Adds buttons for commands on the chosen program, above the table.
    void addButtons(const QList<QAction*>& actions);
    /// Chooses the horizontal axis of the plot.
    void setCost(inspector::plot::ParetoCost axis);
    /// Reduces the figures to one line, to make space for the plot.
    void setCompact(bool compact);

    [[nodiscard]] LabFiguresLabel& figures() { return *label; }
    [[nodiscard]] visualizers::ParetoWidget& plot() { return *pareto; }
    [[nodiscard]] visualizers::ReportTable& programs() { return *table; }

  private:
    void showPlot();

    const LabExperiment& experiment;
    const LabSiteTable& sites;
    inspector::plot::ParetoCost cost = inspector::plot::ParetoCost::Bytes;
    LabFiguresLabel* label;
    visualizers::ParetoWidget* pareto;
    visualizers::ReportTable* table;
    QWidget* buttons;
};

}  // namespace et::studio
