#pragma once

#include "inspector/events/event_columns.h"
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
    /// Columns in their initial order on screen. The first one has the tree.
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
        Total,
        SelfTime,
        Count,
        Source,
        Delegated,
        Block,
        Method,
        Instruction,
        Chain,
        DelegateId,
        DebugHandles,
        HandleSource,
        Outputs,
        StartTime,
        Samples,
        StackTraces,
        ModuleHierarchy,
        Metadata,
        MetadataHex,
        MetadataDecoded,
        Cycles,
        Instructions,
        CacheMisses,
        BranchMisses,
        PageFaults,
        ContextSwitches,
        Migrations,
    };
    static constexpr int columnTotal = Migrations + 1;

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

    struct ColumnTraits {
        Column column;
        std::string_view id;  ///< identifier of the report's column
        bool shown;           ///< initially visible
        const char* title;    ///< display title, untranslated
    };
    [[nodiscard]] static const ColumnTraits& traits(Column column);

    using TwoLevelModel::TwoLevelModel;

    /// Null empties the model.
    void setBlocks(std::shared_ptr<const inspector::EventBlocks> blocks);
    /// Texts of notes on events; `mark` is shown next to the names. Cleared by setBlocks().
    void setNotes(std::map<EventRef, QString> texts, const QIcon& mark);
    void setLayout(Layout layout);
    /// Shows each time in a suitable unit, and headers without a unit.
    void setAdaptUnits(bool adapt);
    [[nodiscard]] Layout layout() const { return arrangement; }

    /// Number of events in all blocks.
    [[nodiscard]] int eventCount() const { return static_cast<int>(events.rows.size()); }
    /// Number of these in methods that run nothing (IdleRole); operatorCallCount() counts OPERATOR_CALLs of
    /// the others.
    [[nodiscard]] int idleCount() const { return idleEvents; }
    [[nodiscard]] int operatorCallCount() const { return operatorCalls; }
    /// The event of a row; nothing for a block.
    [[nodiscard]] std::optional<EventRef> eventAt(const QModelIndex& index) const;
    /// The row of an event of this session, first column.
    [[nodiscard]] QModelIndex indexOf(EventRef event) const;

    /// The report's cell and column; `event` must belong to the session.
    [[nodiscard]] inspector::report::Cell cell(EventRef event, Column column) const;
    [[nodiscard]] inspector::report::Column reportColumn(Column column) const;

  private:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] std::size_t topRows() const override;
    [[nodiscard]] std::size_t rowsBelowTop(std::size_t top) const override;
    [[nodiscard]] QVariant cellData(TreeNode node, int column, int role) const override;
    [[nodiscard]] QVariant titleData(int column, int role) const override;
    [[nodiscard]] const inspector::report::EventRow& rowOf(EventRef event) const;
    [[nodiscard]] std::optional<EventRef> eventOf(TreeNode node) const;
    [[nodiscard]] QVariant blockData(std::size_t block, int column, int role) const;
    [[nodiscard]] QVariant eventData(EventRef event, Column column, int role) const;
    [[nodiscard]] QString blockTitle(std::size_t block) const;
    [[nodiscard]] QString screenCell(EventRef event, Column column) const;
    [[nodiscard]] QString exactCell(EventRef event, Column column) const;
    [[nodiscard]] QString titleOf(Column column) const;
    [[nodiscard]] QString noteTo(EventRef event) const;
    void countHidden();

    std::shared_ptr<const inspector::EventBlocks> joined;
    inspector::report::EventRows events;
    std::optional<inspector::report::ColumnContext> context;  ///< refers to the two above
    std::vector<std::size_t> firstRow;                        ///< by block: index into `events.rows`
    int idleEvents = 0;
    int operatorCalls = 0;
    std::vector<bool> idle;  ///< by block: IdleRole
    std::map<EventRef, QString> noted;
    QIcon noteMark;
    Layout arrangement = Layout::Grouped;
    bool adapts = false;
};

}  // namespace et::visualizers
