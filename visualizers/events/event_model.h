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

/// The events of a session as rows: below their blocks, or all in one list. Rows are in the order of the
/// file, columns are those of the report (`et-inspect --columns`). Numbers print as it prints them, names and
/// titles are for people; ReportRole has the report's own.
class EventModel : public TwoLevelModel {
    Q_OBJECT

  public:
    /// Columns in their first order on screen. The first is the tree's.
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
        SortRole =
            Qt::UserRole,  ///< double, qlonglong, bool or QString; invalid where the event has no value
        ShareRole,         ///< double, 0 to 1, in the share columns: part of the block's time
        SearchRole,        ///< QStringList: the texts that a filter looks at (name, op types, modules)
        OperatorCallRole,  ///< bool: an OPERATOR_CALL, which only wraps the operator beside it
        IsBlockRole,       ///< bool: a block, not an event
        ReportRole,        ///< QString: what the report has in this cell, or above it
        IdleRole,          ///< bool: of a method that runs nothing, as those that return a constant
    };

    enum class Layout {
        Grouped,  ///< blocks, and below each its events
        Flat,     ///< events of all blocks in one list
    };

    struct ColumnTraits {
        Column column;
        std::string_view id;  ///< of the report's column
        bool shown;           ///< on screen at first
        const char* title;    ///< for people, untranslated
    };
    [[nodiscard]] static const ColumnTraits& traits(Column column);

    using TwoLevelModel::TwoLevelModel;

    /// Null empties the model.
    void setBlocks(std::shared_ptr<const inspector::EventBlocks> blocks);
    /// What notes say of events; their names have the mark. Other blocks have none.
    void setNotes(std::map<EventRef, QString> texts, const QIcon& mark);
    void setLayout(Layout layout);
    /// Shows each time in the unit that fits it, and headers without one.
    void setAdaptUnits(bool adapt);
    [[nodiscard]] Layout layout() const { return arrangement; }

    /// Events in all blocks.
    [[nodiscard]] int eventCount() const { return static_cast<int>(events.rows.size()); }
    /// Of these, those of methods that run nothing (IdleRole), and the OPERATOR_CALLs of others.
    [[nodiscard]] int idleCount() const { return idleEvents; }
    [[nodiscard]] int operatorCallCount() const { return operatorCalls; }
    /// The event of a row; nothing for a block.
    [[nodiscard]] std::optional<EventRef> eventAt(const QModelIndex& index) const;
    /// The row of an event of this session, in the first column.
    [[nodiscard]] QModelIndex indexOf(EventRef event) const;

    /// What the report has in this cell and above it; `event` must be one of the session.
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
    std::vector<std::size_t> firstRow;                        ///< of each block, in `events.rows`
    int idleEvents = 0;
    int operatorCalls = 0;
    std::vector<bool> idle;  ///< by block: IdleRole
    std::map<EventRef, QString> noted;
    QIcon noteMark;
    Layout arrangement = Layout::Grouped;
    bool adapts = false;
};

}  // namespace et::visualizers
