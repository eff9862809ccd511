#pragma once

#include <QWidget>

#include <map>
#include <string_view>

class QToolButton;

namespace et::studio {

class RoomArea;

/// What stands at the left of the window, as a column of buttons at its edge: the model, the files and the
/// runs. One of them is shown at a time; the button of the one that is shown folds it.
class SideRail : public QWidget {
    Q_OBJECT

  public:
    /// `area` outlives the rail.
    SideRail(RoomArea& area, QWidget* parent);

  private:
    void addButton(std::string_view room);
    void showCurrent();

    RoomArea& rooms;
    std::map<std::string_view, QToolButton*> buttons;  ///< by the id of the room
};

}  // namespace et::studio
