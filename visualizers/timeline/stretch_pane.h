#pragma once

#include "visualizers/timeline/timeline.h"

#include <QWidget>

#include <cstdint>

namespace et::visualizers {

class TimeSumTable;

/// What a stretch of time went to: by name, by module and by delegate beside one another.
class StretchPane : public QWidget {
    Q_OBJECT

  public:
    explicit StretchPane(QWidget* parent);

    /// Ticks from the timeline's origin.
    void show(const Timeline& timeline, std::uint64_t from, std::uint64_t to);

  signals:
    /// A name, or a part of names, that is to be looked for.
    void nameChosen(const QString& name);

  private:
    TimeSumTable* names;
    TimeSumTable* modules;
    TimeSumTable* delegates;
};

}  // namespace et::visualizers
