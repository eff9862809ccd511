#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "visualizers/timeline/lane.h"

#include <memory>
#include <vector>

class QLabel;

namespace et::inspector {
class EventBlocks;
}
namespace et::visualizers {
class ReportTable;
}

namespace et::studio {

/// Panel of the open trace's executions in order, each with its time. Selecting one selects its time range in
/// all panels.
class RunsPanel : public Panel {
    Q_OBJECT

  public:
    RunsPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] bool busy() const { return looking.running(); }

  private:
    using Runs = std::vector<visualizers::Span>;  ///< ticks of the trace's clock
    void showSession();
    void showRuns(const Runs& found);
    void choose(std::size_t row);
    void showRange();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    Background<Runs> looking;
    std::shared_ptr<const inspector::EventBlocks> shown;
    QLabel* head;
    visualizers::ReportTable* table;
    Runs runs;
};

}  // namespace et::studio
