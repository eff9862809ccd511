#include "visualizers/events/event_model.h"

#include "inspector/events/event_fields.h"
#include "inspector/format/python_text.h"
#include "inspector/format/time_scale.h"
#include "runtime/core/event_names.h"
#include "visualizers/toolkit/cell_text.h"
#include "visualizers/toolkit/text.h"

#include <QFont>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

using inspector::report::Cell;
using inspector::report::EventColumnRule;
using inspector::report::EventRow;
using ColumnTraits = EventModel::ColumnTraits;

using core::event_name::operatorCall;
constexpr qsizetype longestText = 400;  // of a cell on screen; copying gives all

/// In the order of EventModel::Column.
constexpr std::array<ColumnTraits, EventModel::columnTotal> eventColumns{{
    {EventModel::Name, "event_name", true},
    {EventModel::Share, "share", true},
    {EventModel::P50, "p50", true},
    {EventModel::Average, "avg", true},
    {EventModel::Minimum, "min", true},
    {EventModel::Maximum, "max", true},
    {EventModel::OpTypes, "op_types", true},
    {EventModel::Module, "module", true},
    {EventModel::P10, "p10", true},
    {EventModel::P90, "p90", true},
    {EventModel::Outliers, "outliers", true},
    {EventModel::Backend, "delegate_backend_name", true},
    {EventModel::SelfShare, "self_share", false},
    {EventModel::Total, "total", false},
    {EventModel::SelfTime, "self", false},
    {EventModel::Count, "count", false},
    {EventModel::Source, "source", false},
    {EventModel::Delegated, "is_delegated_op", false},
    {EventModel::Block, "event_block_name", false},
    {EventModel::Method, "method", false},
    {EventModel::Instruction, "instruction_id", false},
    {EventModel::Chain, "chain", false},
    {EventModel::DelegateId, "delegate_debug_identifier", false},
    {EventModel::DebugHandles, "debug_handles", false},
    {EventModel::HandleSource, "handle_source", false},
    {EventModel::Outputs, "num_outputs", false},
    {EventModel::StartTime, "start_time", false},
    {EventModel::Samples, "raw", false},
    {EventModel::StackTraces, "stack_traces", false},
    {EventModel::ModuleHierarchy, "module_hierarchy", false},
    {EventModel::Metadata, "delegate_metadata", false},
    {EventModel::MetadataHex, "delegate_metadata_hex", false},
    {EventModel::MetadataDecoded, "delegate_metadata_decoded", false},
}};

const EventColumnRule& rule(EventModel::Column column) {
    static const auto rules = [] {
        std::array<const EventColumnRule*, EventModel::columnTotal> found{};
        std::ranges::transform(eventColumns, found.begin(), [](const ColumnTraits& info) {
            return inspector::report::findEventColumn(info.id);
        });
        return found;
    }();
    return *rules[static_cast<std::size_t>(column)];
}

QString shortened(const QString& text) {
    return text.size() <= longestText ? text : text.first(longestText) + u'…';
}

QVariant shareOf(const Cell& percent, EventModel::Column column) {
    const bool isShare = column == EventModel::Share || column == EventModel::SelfShare;
    const double* const value = std::get_if<double>(&percent);
    return isShare && value ? QVariant(*value / 100) : QVariant();
}

QStringList searchTexts(const EventRow& row) {
    QStringList texts{toQString(row.event->name)};
    for (const std::string_view op : inspector::opTypes(*row.block, *row.event, inspector::OpTypes::All)) {
        texts.append(toQString(op));
    }
    for (const etrecord::Node* const node : inspector::report::nodesOf(*row.block, *row.event)) {
        for (const etrecord::ModuleFrame& frame : node->moduleStack) {
            texts << toQString(frame.path) << toQString(frame.fqn) << toQString(frame.type);
        }
    }
    return texts;
}

QVariant rowFont(const EventRow& row, EventModel::Column column) {
    QFont font;
    font.setItalic(true);
    return row.hasParts && column == EventModel::Name ? QVariant(font) : QVariant();
}

QString nameToolTip(const EventRow& row) {
    const QString name = toQString(row.event->name);
    return row.hasParts ? EventModel::tr("%1: includes the time of other events").arg(name) : name;
}

}  // namespace

const ColumnTraits& EventModel::traits(Column column) {
    return eventColumns[static_cast<std::size_t>(column)];
}

void EventModel::setBlocks(std::shared_ptr<const inspector::EventBlocks> blocks) {
    beginResetModel();
    context.reset();
    firstRow.clear();
    joined = std::move(blocks);
    events = joined ? inspector::report::eventRows(*joined) : inspector::report::EventRows{};
    if (joined) {
        context.emplace(inspector::report::columnContext(*joined, events));
        std::size_t first = 0;
        for (const inspector::Block& block : joined->blocks()) {
            firstRow.push_back(first);
            first += block.events.size();
        }
    }
    endResetModel();
}

void EventModel::setLayout(Layout layout) {
    if (layout != arrangement) {
        beginResetModel();
        arrangement = layout;
        endResetModel();
    }
}

void EventModel::setAdaptUnits(bool adapt) {
    if (adapt != adapts) {
        beginResetModel();
        adapts = adapt;
        endResetModel();
    }
}

const EventRow& EventModel::rowOf(EventRef event) const {
    return events.rows[firstRow[event.block] + event.event];
}

std::optional<EventRef> EventModel::eventOf(TreeNode node) const {
    if (arrangement == Layout::Flat) {
        const std::size_t block = events.rows[topOf(node)].blockAt;
        return EventRef{block, topOf(node) - firstRow[block]};
    }
    return isTop(node) ? std::nullopt : std::optional(EventRef{topOf(node), lowOf(node)});
}

std::optional<EventRef> EventModel::eventAt(const QModelIndex& index) const {
    return index.isValid() ? eventOf(nodeOf(index)) : std::nullopt;
}

QModelIndex EventModel::indexOf(EventRef event) const {
    return indexOfNode(arrangement == Layout::Flat ? topNode(firstRow[event.block] + event.event)
                                                   : lowNode(event.block, event.event));
}

Cell EventModel::cell(EventRef event, Column column) const {
    return rule(column).value(*context, rowOf(event));
}

inspector::report::Column EventModel::reportColumn(Column column) const {
    const auto target = joined ? joined->options().target : inspector::JoinOptions{}.target;
    return inspector::report::toColumn(rule(column), target);
}

std::size_t EventModel::topRows() const {
    if (!joined) {
        return 0;
    }
    return arrangement == Layout::Flat ? events.rows.size() : joined->blocks().size();
}

std::size_t EventModel::rowsBelowTop(std::size_t top) const {
    return arrangement == Layout::Flat ? 0 : joined->blocks()[top].events.size();
}

QVariant EventModel::cellData(TreeNode node, int column, int role) const {
    const std::optional<EventRef> event = eventOf(node);
    return event ? eventData(*event, static_cast<Column>(column), role)
                 : blockData(topOf(node), column, role);
}

QVariant EventModel::blockData(std::size_t block, int column, int role) const {
    if (role == IsBlockRole) {
        return true;
    }
    if (column != Name) {
        return {};
    }
    if (role == Qt::FontRole) {
        QFont font;
        font.setBold(true);
        return font;
    }
    return role == Qt::DisplayRole ? QVariant(blockTitle(block)) : QVariant();
}

QString EventModel::blockTitle(std::size_t at) const {
    const inspector::Block& block = joined->blocks()[at];
    const inspector::report::BlockTime& time = events.blocks[at];
    QStringList parts{toQString(block.name)};
    if (!block.method.empty()) {
        parts.append(toQString(block.method));
    }
    parts.append(counted(block.runs.size(), tr("1 run"), tr("%1 runs")));
    if (time.total > 0) {
        parts.append(
            tr("%1 per run")
                .arg(timeText(time.total / static_cast<double>(time.runs), joined->options().target)));
    }
    return parts.join(QStringLiteral("  ·  "));
}

QVariant EventModel::eventData(EventRef event, Column column, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return shortened(screenText(cell(event, column), reportColumn(column), adapts));
        case Qt::ToolTipRole:
            return column == Name ? nameToolTip(rowOf(event))
                                  : shortened(screenText(cell(event, column), reportColumn(column), adapts));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter |
                                       (rule(column).numeric ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::FontRole:
            return rowFont(rowOf(event), column);
        case SortRole:
            return sortKey(cell(event, column), reportColumn(column));
        case ShareRole:
            return shareOf(cell(event, column), column);
        case SearchRole:
            return searchTexts(rowOf(event));
        case OperatorCallRole:
            return rowOf(event).event->name.contains(operatorCall);
        case IsBlockRole:
            return false;
        default:
            return {};
    }
}

QVariant EventModel::titleData(int section, int role) const {
    const auto column = static_cast<Column>(section);
    switch (role) {
        case Qt::DisplayRole:
            return toQString(adapts ? headerWithoutUnit(reportColumn(column)) : reportColumn(column).header);
        case Qt::ToolTipRole:
            return toQString(rule(column).column.help);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter |
                                       (rule(column).numeric ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::InitialSortOrderRole:
            return rule(column).numeric ? Qt::DescendingOrder : Qt::AscendingOrder;
        default:
            return {};
    }
}

}  // namespace et::visualizers
