#pragma once

#include "inspector/join/event_blocks.h"

#include <QMenu>

class QActionGroup;

namespace et::studio {

/// The menu that chooses the unit of the table and the unit of the trace's clock. Cycles mix only with
/// cycles, so choosing them (or leaving them) in one moves the other along.
class TimeUnitMenu : public QMenu {
    Q_OBJECT

  public:
    explicit TimeUnitMenu(QWidget* parent = nullptr);

    [[nodiscard]] inspector::TimeScale source() const;
    [[nodiscard]] inspector::TimeScale target() const;

  signals:
    void changed();

  private:
    [[nodiscard]] QActionGroup* addScales(const QString& heading);
    void showTarget();
    void choose(QActionGroup* changedGroup, QActionGroup* other, inspector::TimeScale otherDefault);

    QActionGroup* targets;
    QActionGroup* sources;
};

}  // namespace et::studio
