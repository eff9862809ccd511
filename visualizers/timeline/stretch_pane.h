#pragma once

#include "visualizers/timeline/timeline.h"

#include <QWidget>

#include <cstdint>

namespace et::visualizers {

class TimeSumTable;

/// Time in a range by operator, module and delegate, in tabs.
class StretchPane : public QWidget {
    Q_OBJECT

  public:
    explicit StretchPane(QWidget* parent);

    /// Ticks from the timeline's origin.
    void show(const Timeline& timeline, std::uint64_t from, std::uint64_t to);

  signals:
    /// The longest event of a chosen row.
    void eventChosen(et::visualizers::EventRef event);

  private:
    TimeSumTable* names;
    TimeSumTable* modules;
    TimeSumTable* delegates;
};

}  // namespace et::visualizers
