#pragma once

#include "inspector/join/event_blocks.h"

#include <QMenu>

class QActionGroup;

namespace et::studio {

/// The menu that chooses the unit of the table of events, by default the one that fits each time, and the
/// unit of the trace's clock. Cycles mix only with cycles, so choosing them (or leaving them) in one moves
/// the other along.
class TimeUnitMenu : public QMenu {
    Q_OBJECT

  public:
    explicit TimeUnitMenu(QWidget* parent = nullptr);

    [[nodiscard]] inspector::TimeScale source() const;
    /// Of joined times; milliseconds where none is chosen.
    [[nodiscard]] inspector::TimeScale target() const;
    /// Whether each time has the unit that fits it.
    [[nodiscard]] bool adaptsUnits() const;

  signals:
    void changed();

  private:
    void addScales(QActionGroup* group);
    void showTarget();
    void choose(QActionGroup* changedGroup, QActionGroup* other, int otherDefault);

    QActionGroup* targets;
    QActionGroup* sources;
};

}  // namespace et::studio
