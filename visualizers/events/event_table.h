#pragma once

#include "visualizers/events/event_model.h"
#include "visualizers/toolkit/hover_tree.h"

#include <optional>
#include <vector>

namespace et::visualizers {

class EventFilterProxy;

/// Rows of the events table: blocks as headings above their events, with selectable columns.
class EventTable : public HoverTree {
    Q_OBJECT

  public:
    /// Shows the `events` that pass `filtered`; both must outlive the table.
    EventTable(EventModel& events, EventFilterProxy& filtered, QWidget* parent);

    /// Fits columns to their content, once, when there is content.
    void fitOnce();
    void setGrouped(bool grouped);
    /// Makes an event the current row if it is visible.
    void choose(std::optional<EventRef> event);
    /// Highlights the row of an event; nothing: none.
    void glow(const std::optional<EventRef>& event);

    /// Selected events in screen order.
    [[nodiscard]] std::vector<EventRef> chosenEvents() const;
    [[nodiscard]] std::vector<EventModel::Column> visibleColumns() const;

    /// Column state to restore at the next start.
    [[nodiscard]] QByteArray saveColumns() const;
    void restoreColumns(const QByteArray& state);

  signals:
    /// Nothing: no row or a block.
    void eventChosen(std::optional<et::visualizers::EventRef> event);
    /// The selected rows changed: chosenEvents().
    void marksChanged();
    /// Rows were added or removed.
    void rowsChanged();

  private:
    void dressBlocks();
    void fitColumns();
    void showColumn(int column, bool shown);
    void resetColumns();
    void showColumnMenu(const QPoint& position);

    EventModel& source;
    EventFilterProxy& proxy;
    bool widthsKnown = false;  ///< fitted to a first session, or restored
    std::vector<bool> fitted;  ///< columns fitted to their content so far
};

}  // namespace et::visualizers
