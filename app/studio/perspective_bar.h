#pragma once

#include "app/studio/perspectives.h"

#include <QWidget>

#include <vector>

class QAction;
class QMenu;

namespace et::studio {

class PanelArea;

/// Buttons of the perspectives, with commands to switch perspectives, fold the panes around the centre, and
/// maximize a panel.
class PerspectiveBar : public QWidget {
    Q_OBJECT

  public:
    /// `area` must outlive the bar.
    PerspectiveBar(PanelArea& area, QWidget* parent);

    void addTo(QMenu& menu);
    /// Adds the breadcrumb after the buttons.
    void addTrail(QWidget& trail);

  private:
    void addPerspectives();
    void addArrangements();
    QAction* addFold(const QString& text, const QKeySequence& key,
                     std::vector<PanePlan> (*sidesOf)(const Perspective&));
    void showCurrent();

    PanelArea& panels;
    std::vector<QAction*> switches;  ///< in the order of perspectives()
    std::vector<QAction*> arranging;
    QAction* aloneAction = nullptr;
};

}  // namespace et::studio
