#pragma once

#include "inspector/join/event_blocks.h"

#include <QMenu>

#include <vector>

class QActionGroup;
class QSettings;

namespace et::studio {

/// Menu for the unit of times in the table of events (by default a suitable unit for each time) and for the
/// unit of the trace's clock. Cycles cannot be converted to time, so choosing or leaving cycles for one
/// changes the other as well.
class TimeUnitMenu : public QMenu {
    Q_OBJECT

  public:
    explicit TimeUnitMenu(QWidget* parent = nullptr);

    [[nodiscard]] inspector::TimeScale source() const;
    /// Unit of joined times; milliseconds if none is chosen.
    [[nodiscard]] inspector::TimeScale target() const;
    /// True if each time is shown in a suitable unit.
    [[nodiscard]] bool adaptsUnits() const;
    /// Units of delegates with a clock of their own; kept in the settings.
    [[nodiscard]] const std::vector<inspector::DelegateTimeScale>& delegates() const { return scales; }
    /// Reads the units of delegates from the settings, and stores there what the user enters.
    void useSettings(QSettings& settings);

  signals:
    void changed();

  private:
    void addScales(QActionGroup* group);
    void showTarget();
    void promptForDelegates();
    void setDelegates(const QString& text);
    void choose(QActionGroup* changedGroup, QActionGroup* other, int otherDefault);

    QActionGroup* targets;
    QActionGroup* sources;
    QSettings* store = nullptr;
    std::vector<inspector::DelegateTimeScale> scales;
};

}  // namespace et::studio
