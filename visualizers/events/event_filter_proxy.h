#pragma once

#include "inspector/format/text_filter.h"
#include "runtime/core/result.h"
#include "visualizers/events/events_in_range.h"

#include <QSortFilterProxyModel>
#include <QString>

#include <optional>

namespace et::visualizers {

/// Filters events by text and kind, and sorts by value (EventModel::SortRole), not by what cells print. Rows
/// without a value come last in either direction; sort(-1) is the order of the file. Blocks stay as long as
/// one of their events does, always in the order of the file. The source is an EventModel.
class EventFilterProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit EventFilterProxy(QObject* parent = nullptr);

    /// Keeps events where `text` occurs in the name, an op type or a module, whatever the case; empty keeps
    /// all.
    void setTextFilter(const QString& text);

    /// Keeps events where the expression matches in one of these, as `et-inspect --filter` does; empty keeps
    /// all. Errors: as TextFilter::make; the filter stays as it was.
    core::Result<> setRegexFilter(const QString& expression);

    /// Keeps the OPERATOR_CALL rows too, which repeat what the rows beside them say.
    void setOperatorCalls(bool shown);

    /// Keeps events of methods that run nothing (EventModel::IdleRole).
    void setIdleMethods(bool shown);

    /// Keeps events that touch a range of time; nothing keeps all. Of the blocks that the model shows.
    void setRange(std::optional<EventsInRange> range);

    /// Events (not blocks) that pass.
    [[nodiscard]] int eventCount() const;
    /// Events that are hidden whatever the text and the range: OPERATOR_CALL, and those of idle methods.
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

    QString wanted;  ///< looked for where there is no expression
    std::optional<inspector::report::TextFilter> expression;
    std::optional<EventsInRange> inRange;
    bool operatorCalls = false;
    bool idleMethods = false;
};

}  // namespace et::visualizers
