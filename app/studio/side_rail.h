#pragma once

#include <QWidget>

#include <map>
#include <string_view>

class QToolButton;

namespace et::studio {

class PanelArea;

/// Buttons at the left edge of the window for the panels of the left pane: the model, the files and the runs.
/// One panel is shown at a time; its button folds it.
class SideRail : public QWidget {
    Q_OBJECT

  public:
    /// `area` must outlive the rail.
    SideRail(PanelArea& area, QWidget* parent);

  private:
    void addButton(std::string_view panel);
    void showCurrent();

    PanelArea& panels;
    std::map<std::string_view, QToolButton*> buttons;  ///< by panel id
};

}  // namespace et::studio
