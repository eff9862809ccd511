#pragma once

#include "app/studio/panel.h"

#include <QTimer>

class QLabel;
class QStackedLayout;

namespace et::visualizers {
class StretchPane;
}

namespace et::studio {

/// Panel of the selected time range: its length, lanes and runs, and its time by operator, module and
/// delegate. Comes to the front of its pane when a range is selected.
class RangePanel : public Panel {
    Q_OBJECT

  public:
    RangePanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;

  private:
    void follow();
    void showSums();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    QTimer rest;  ///< sums are computed when the range has stopped changing
    QLabel* hint;
    QLabel* measurement;
    visualizers::StretchPane* sums;
    QStackedLayout* pages;
};

}  // namespace et::studio
