#pragma once

#include "app/studio/perspectives.h"

#include <QWidget>

#include <vector>

class QAction;
class QMenu;

namespace et::studio {

class RoomArea;

/// The perspectives as buttons, and their commands: going to one, folding what stands around its centre, and
/// showing one room alone.
class PerspectiveBar : public QWidget {
    Q_OBJECT

  public:
    /// `area` outlives the bar.
    PerspectiveBar(RoomArea& area, QWidget* parent);

    void addTo(QMenu& menu);
    /// What says where a person is, behind the buttons.
    void addTrail(QWidget& trail);

  private:
    void addPerspectives();
    void addArrangements();
    QAction* addFold(const QString& text, const QKeySequence& key,
                     std::vector<PanePlan> (*sidesOf)(const Perspective&));
    void showCurrent();

    RoomArea& rooms;
    std::vector<QAction*> switches;  ///< of perspectives(), in their order
    std::vector<QAction*> arranging;
    QAction* aloneAction = nullptr;
};

}  // namespace et::studio
