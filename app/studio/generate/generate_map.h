#pragma once

#include "app/studio/background.h"
#include "inspector/events/position_times.h"

#include <QWidget>

#include <cstddef>
#include <memory>

class QComboBox;

namespace et::visualizers {
class OpenSession;
class PositionMap;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

/// The time of each module at each position of a generated text, from the open trace, with a choice of the
/// rows. A cell selects its events in all panels.
class GenerateMap : public QWidget {
    Q_OBJECT

  public:
    /// `session` and `shared` must outlive this object.
    GenerateMap(const visualizers::OpenSession& session, visualizers::Selection& shared, QWidget* parent);

    /// Summarizes the open trace by module and execution, on another thread.
    void sumUp();
    /// True while a trace is being summarized.
    [[nodiscard]] bool busy() const { return summing.running(); }
    [[nodiscard]] visualizers::PositionMap& cells() { return *heat; }
    [[nodiscard]] const visualizers::PositionMap& cells() const { return *heat; }
    /// The chosen kind of rows, to save it.
    [[nodiscard]] int level() const;
    /// Invalid values are limited to the choices.
    void setLevel(int index);

  signals:
    /// The map shows another trace, or other rows.
    void summedUp();

  private:
    using Times = std::shared_ptr<const inspector::events::PositionTimes>;

    void chooseCell(std::size_t row, std::size_t call);

    const visualizers::OpenSession& opened;
    visualizers::Selection& selection;
    Background<Times> summing;
    QComboBox* depth;
    visualizers::PositionMap* heat;
};

}  // namespace et::studio
