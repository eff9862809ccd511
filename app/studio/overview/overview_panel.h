#pragma once

#include "app/studio/background.h"
#include "app/studio/panel.h"
#include "visualizers/overview/overview.h"

#include <cstddef>

namespace et::visualizers {
class DashboardView;
}

namespace et::studio {

/// Panel with an overview of the session: files, whether they match, key figures, and the most important
/// findings.
class OverviewPanel : public Panel {
    Q_OBJECT

  public:
    OverviewPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QString plainText() const;
    [[nodiscard]] bool busy() const { return describing.running(); }
    [[nodiscard]] const visualizers::Overview& shown() const { return overview; }

  private:
    void connectView();
    void showSession();
    void describe(visualizers::FindingCount count);
    void showOverview(const visualizers::Overview& made);
    void select(std::size_t finding);
    void act(std::size_t finding);
    void follow(const QString& link);
    void copy() const;

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    std::function<void(std::string_view)> enter;
    std::function<void()> promptForFiles;
    Background<visualizers::Overview> describing;
    visualizers::Overview overview;
    visualizers::DashboardView* view;
};

}  // namespace et::studio
