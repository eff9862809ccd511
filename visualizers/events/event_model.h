#pragma once

#include "inspector/events/event_columns.h"
#include "inspector/events/event_limits.h"
#include "inspector/events/event_rows.h"
#include "inspector/join/event_blocks.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/tree_model.h"

#include <QIcon>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// Events of a session as rows: below their blocks, or in one list. Rows are in file order, columns are those
/// of the report (`et-inspect --columns`). Numbers are formatted as in the report, names and titles for
/// display; ReportRole has the report's own.
class EventModel : public TwoLevelModel {
    Q_OBJECT

  public:
    /// The first columns in their initial order on screen; the tree is in Name. Columns up to Backend are
    /// shown at first. The other columns of the command line's table follow, hidden, in its order: see
    /// columnOf().
    enum Column : int {
        Name,
        Share,
        P50,
        Average,
        Minimum,
        Maximum,
        OpTypes,
        Module,
        P10,
        P90,
        Outliers,
        Backend,
        SelfShare,
        Block,
        Source,
    };
    [[nodiscard]] static int columnTotal();
    /// Requires a column's identifier on the command line: columnOf("self").
    [[nodiscard]] static Column columnOf(std::string_view id);
    /// The command line's identifier, the title and the meaning of the column.
    [[nodiscard]] static const inspector::events::EventColumn& infoOf(Column column);
    [[nodiscard]] static bool isInitiallyShown(Column column) { return column <= Backend; }

    enum Role : int {
        SortRole = Qt::UserRole,  ///< double, qlonglong, bool or QString; invalid if the event has no value
        ShareRole,                ///< double from 0 to 1 in share columns: fraction of the block's time
        SearchRole,               ///< QStringList: texts that the filter searches (name, op types, modules)
        OperatorCallRole,         ///< bool: an OPERATOR_CALL, which only wraps the adjacent operator
        IsBlockRole,              ///< bool: a block, not an event
        ReportRole,               ///< QString: the report's cell or column header
        IdleRole,  ///< bool: belongs to a method that runs nothing, such as one that returns a constant
    };

    enum class Layout {
        Grouped,  ///< blocks with their events
        Flat,     ///< events of all blocks in one list
    };

    using TwoLevelModel::TwoLevelModel;

    /// Null empties the model.
    void setBlocks(std::shared_ptr<const inspector::EventBlocks> blocks);
    /// Work and minimum times of the session's events, for the columns that show them; null: unknown. Cleared
    /// by setBlocks().
    void setLimits(std::shared_ptr<const inspector::events::EventLimits> known);
    /// Texts of notes on events; `mark` is shown next to the names. Cleared by setBlocks().
    void setNotes(std::map<EventRef, QString> texts, const QIcon& mark);
    void setLayout(Layout layout);
    /// Shows each time in a suitable unit, and headers without a unit.
    void setAdaptUnits(bool adapt);
    [[nodiscard]] Layout layout() const { return arrangement; }

    /// Numbers of events in all blocks.
    struct Counts {
        int all = 0;
        int idle = 0;           ///< in methods that run nothing (IdleRole)
        int operatorCalls = 0;  ///< OPERATOR_CALLs of other methods
    };
    [[nodiscard]] const Counts& counts() const { return totals; }
    /// The event of a row; nothing for a block.
    [[nodiscard]] std::optional<EventRef> eventAt(const QModelIndex& index) const;
    /// The row of an event of this session, first column.
    [[nodiscard]] QModelIndex indexOf(EventRef event) const;

    /// The report's cell and column; `event` must belong to the session.
    [[nodiscard]] inspector::format::Cell cell(EventRef event, Column column) const;
    [[nodiscard]] inspector::format::Column reportColumn(Column column) const;

  private:
    [[nodiscard]] int columns() const override { return columnTotal(); }
    [[nodiscard]] std::size_t topRows() const override;
    [[nodiscard]] std::size_t rowsBelowTop(std::size_t top) const override;
    [[nodiscard]] QVariant cellData(TreeNode node, int column, int role) const override;
    [[nodiscard]] QVariant titleData(int column, int role) const override;
    [[nodiscard]] const inspector::events::EventRow& rowOf(EventRef event) const;
    [[nodiscard]] std::optional<EventRef> eventOf(TreeNode node) const;
    [[nodiscard]] QVariant blockData(std::size_t block, int column, int role) const;
    [[nodiscard]] QVariant eventData(EventRef event, Column column, int role) const;
    [[nodiscard]] QString screenCell(EventRef event, Column column) const;
    [[nodiscard]] QString noteTo(EventRef event) const;

    std::shared_ptr<const inspector::EventBlocks> joined;
    inspector::events::EventRows events;
    std::shared_ptr<const inspector::events::EventLimits> limits;
    std::optional<inspector::events::ColumnContext> context;  ///< refers to the three above
    std::vector<std::size_t> firstRow;                        ///< by block: index into `events.rows`
    Counts totals;
    std::vector<bool> idle;  ///< by block: IdleRole
    std::map<EventRef, QString> noted;
    QIcon noteMark;
    Layout arrangement = Layout::Grouped;
    bool adapts = false;
};

}  // namespace et::visualizers
