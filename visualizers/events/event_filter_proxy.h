#pragma once

#include "inspector/format/text_filter.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"
#include "visualizers/selection.h"

#include <QSortFilterProxyModel>
#include <QString>

#include <optional>
#include <vector>

namespace et::visualizers {

/// Events with a sample that overlaps a range of the trace's clock.
class EventsInRange {
  public:
    EventsInRange(const inspector::EventBlocks& blocks, TickRange range);

    [[nodiscard]] bool contains(EventRef event) const {
        return event.block < touched.size() && touched[event.block][event.event];
    }

  private:
    std::vector<std::vector<bool>> touched;  ///< by block and event
};

/// Filters events by text and kind, and sorts by value (EventModel::SortRole) instead of cell text. Rows
/// without a value come last in either direction; sort(-1) restores file order. Blocks stay while one of
/// their events does, always in file order. The source is an EventModel.
class EventFilterProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit EventFilterProxy(QObject* parent = nullptr);

    /// Keeps events with `text` in the name, an op type or a module, case-insensitive; empty keeps all.
    void setTextFilter(const QString& text);

    /// Keeps events for which the expression matches one of these, like `et-inspect --filter`; empty keeps
    /// all. Errors: those of TextFilter::make; the filter is then unchanged.
    core::Result<> setRegexFilter(const QString& expression);

    /// Also keeps OPERATOR_CALL rows, which repeat their neighbours.
    void setOperatorCalls(bool shown);

    /// Also keeps events of methods that run nothing (EventModel::IdleRole).
    void setIdleMethods(bool shown);

    /// Keeps events that overlap a time range of the model's current blocks; nothing keeps all.
    void setRange(std::optional<EventsInRange> range);

    /// Number of events (without blocks) that pass.
    [[nodiscard]] int eventCount() const;
    /// Events hidden regardless of text and range: OPERATOR_CALL, and those of idle methods.
    struct Hidden {
        int operatorCalls = 0;
        int idle = 0;
    };
    [[nodiscard]] Hidden hidden() const;

  protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    [[nodiscard]] bool matches(const QString& searched) const;

    QString wanted;  ///< text to find if there is no expression
    std::optional<inspector::format::TextFilter> expression;
    std::optional<EventsInRange> inRange;
    bool operatorCalls = false;
    bool idleMethods = false;
};

}  // namespace et::visualizers
