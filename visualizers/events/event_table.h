#pragma once

#include "visualizers/events/event_model.h"
#include "visualizers/toolkit/glowing_tree.h"

#include <bitset>
#include <optional>
#include <vector>

namespace et::visualizers {

class EventFilterProxy;

/// The rows of the events table: blocks as headings over their events, and columns that a person chooses.
class EventTable : public GlowingTree {
    Q_OBJECT

  public:
    /// Shows `events` as far as they pass `filtered`; both must outlive the table.
    EventTable(EventModel& events, EventFilterProxy& filtered, QWidget* parent);

    /// Columns become as wide as what is in them, the first time that there is something.
    void fitOnce();
    void setGrouped(bool grouped);
    /// Makes an event the current row, if it is shown.
    void choose(std::optional<EventRef> event);
    /// Lets the row of an event glow; nothing: none.
    void glow(const std::optional<EventRef>& event);

    /// Of the chosen rows, as on screen.
    [[nodiscard]] std::vector<EventRef> chosenEvents() const;
    [[nodiscard]] std::vector<EventModel::Column> visibleColumns() const;

    /// Columns, for the next start.
    [[nodiscard]] QByteArray saveColumns() const;
    void restoreColumns(const QByteArray& state);

  signals:
    /// Nothing: no row, or a block.
    void eventChosen(std::optional<et::visualizers::EventRef> event);
    /// Other rows are marked: chosenEvents().
    void marksChanged();
    /// Rows came or went.
    void rowsChanged();

  private:
    void dressBlocks();
    void fitColumns();
    void showColumn(int column, bool shown);
    void resetColumns();
    void showColumnMenu(const QPoint& position);

    EventModel& source;
    EventFilterProxy& proxy;
    bool widthsKnown = false;                     ///< fitted to a first session, or restored
    std::bitset<EventModel::columnTotal> fitted;  ///< columns that have been shown as wide as what is in them
};

}  // namespace et::visualizers
