#include "visualizers/events/event_model.h"

#include "inspector/events/event_columns.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/python_text.h"
#include "inspector/format/time_scale.h"
#include "inspector/names/operator_names.h"
#include "runtime/core/event_names.h"
#include "visualizers/toolkit/cell_text.h"
#include "visualizers/toolkit/shown_table.h"
#include "visualizers/toolkit/text.h"

#include <QFont>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::visualizers {

using core::event_name::operatorCall;
using inspector::events::EventColumnRule;
using inspector::events::EventRow;
using inspector::format::Cell;

namespace {

/// In the order of EventModel::Column.
constexpr std::array leading = std::to_array<std::string_view>(
    {"event_name", "share", "p50", "avg", "min", "max", "op_types", "module", "p10", "p90", "outliers",
     "delegate_backend_name", "self_share", "event_block_name", "source"});
static_assert(leading.size() == EventModel::Source + 1);

/// All columns in the order of EventModel::Column.
std::span<const EventColumnRule* const> eventColumns() {
    static const std::vector<const EventColumnRule*> columns = [] {
        std::vector<const EventColumnRule*> all;
        for (const std::string_view id : leading) {
            all.push_back(inspector::events::findEventColumn(id));
        }
        for (const EventColumnRule& rule : inspector::events::eventColumnRules()) {
            if (!std::ranges::contains(leading, rule.column.id)) {
                all.push_back(&rule);
            }
        }
        return all;
    }();
    return columns;
}

const EventColumnRule& eventColumnRule(EventModel::Column column) {
    return *eventColumns()[static_cast<std::size_t>(column)];
}

constexpr qsizetype longestText = 400;  // maximum cell text on screen; copies are complete

QString shortened(const QString& text) {
    return text.size() <= longestText ? text : text.first(longestText) + u'…';
}

QVariant shareOf(const Cell& percent, EventModel::Column column) {
    const bool isShare = column == EventModel::Share || column == EventModel::SelfShare;
    const double* const value = std::get_if<double>(&percent);
    return isShare && value ? QVariant(*value / 100) : QVariant();
}

QStringList searchTexts(const EventRow& row) {
    QStringList texts{toQString(row.event->name),
                      toQString(inspector::events::readableOperator(*row.block, *row.event))};
    for (const std::string_view op : inspector::opTypes(*row.block, *row.event, inspector::OpTypes::All)) {
        texts.append(toQString(op));
    }
    for (const etrecord::Node* const node : inspector::events::nodesOf(*row.block, *row.event)) {
        for (const etrecord::ModuleFrame& frame : node->moduleStack) {
            texts << toQString(frame.path) << toQString(frame.fqn) << toQString(frame.type);
        }
    }
    return texts;
}

QVariant rowFont(const EventRow& row, EventModel::Column column) {
    if (!row.hasParts || column != EventModel::Name) {
        return {};
    }
    QFont font;
    font.setItalic(true);
    return font;
}

QString nameToolTip(const EventRow& row) {
    QString name = toQString(row.event->name);
    if (const QString said = toQString(inspector::events::readableName(*row.block, *row.event));
        said != name) {
        name = said + u'\n' + name;
    }
    return row.hasParts ? QStringLiteral("%1: includes the time of other events").arg(name) : name;
}

bool isIdle(const inspector::Block& block) {
    return std::ranges::contains(block.events, core::event_name::methodExecute, &inspector::Event::name) &&
           std::ranges::all_of(block.events, [](const inspector::Event& event) {
               return !event.delegated && inspector::names::detail::isFrameworkEvent(event.name);
           });
}

/// Flags the blocks of methods that run nothing: executions, and loading if a record identifies its method.
/// None if no method runs anything.
std::vector<bool> idleBlocks(std::span<const inspector::Block> blocks) {
    std::vector<bool> idle;
    std::ranges::transform(blocks, std::back_inserter(idle), isIdle);
    const auto runs = [&](const inspector::Block& block) {
        return !idle[static_cast<std::size_t>(&block - blocks.data())] &&
               std::ranges::contains(block.events, core::event_name::methodExecute, &inspector::Event::name);
    };
    if (!std::ranges::any_of(blocks, runs)) {
        return std::vector<bool>(blocks.size(), false);
    }
    const std::vector<bool> executions = idle;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        for (std::size_t j = 0; j < blocks.size() && !blocks[i].method.empty(); ++j) {
            const bool loads = !runs(blocks[i]) && blocks[j].method == blocks[i].method;
            idle[i] = idle[i] || (executions[j] && loads);
        }
    }
    return idle;
}

QString blockTitle(const inspector::Block& block, const inspector::events::BlockTime& time,
                   inspector::TimeScale scale) {
    QStringList parts{toQString(inspector::events::readableBlock(block))};
    if (!block.method.empty()) {
        parts.append(toQString(block.method));
    }
    parts.append(counted(block.runs.size(), QStringLiteral("1 run"), QStringLiteral("%1 runs")));
    const auto whole =
        std::ranges::find(block.events, core::event_name::methodExecute, &inspector::Event::name);
    if (whole != block.events.end() && !whole->samples.empty()) {
        // As in the status bar.
        parts.append(QStringLiteral("%1 (p50)").arg(timeText(whole->statistics.p50, scale)));
    } else if (time.typical > 0) {
        // Typical time, as for shares: a stall of one run does not affect the others.
        parts.append(
            QStringLiteral("%1 per run").arg(timeText(time.typical / static_cast<double>(time.runs), scale)));
    }
    return parts.join(QStringLiteral("  ·  "));
}

EventModel::Counts countsOf(const inspector::events::EventRows& events, const std::vector<bool>& idle) {
    EventModel::Counts counts{.all = static_cast<int>(events.rows.size())};
    for (const EventRow& row : events.rows) {
        if (idle[row.blockAt]) {
            ++counts.idle;
        } else if (row.event->name.contains(operatorCall)) {
            ++counts.operatorCalls;
        }
    }
    return counts;
}

}  // namespace

int EventModel::columnTotal() {
    return static_cast<int>(eventColumns().size());
}

EventModel::Column EventModel::columnOf(std::string_view id) {
    const auto found =
        std::ranges::find(eventColumns(), id, [](const auto* rule) { return rule->column.id; });
    return static_cast<Column>(found - eventColumns().begin());
}

const inspector::events::EventColumn& EventModel::infoOf(Column column) {
    return eventColumnRule(column).column;
}

void EventModel::setBlocks(std::shared_ptr<const inspector::EventBlocks> blocks) {
    beginResetModel();
    context.reset();
    limits.reset();
    firstRow.clear();
    idle.clear();
    noted.clear();
    joined = std::move(blocks);
    events = joined ? inspector::events::eventRows(*joined) : inspector::events::EventRows{};
    if (joined) {
        context.emplace(inspector::events::columnContext(events));
        std::size_t first = 0;
        for (const inspector::Block& block : joined->blocks()) {
            firstRow.push_back(first);
            first += block.events.size();
        }
        idle = idleBlocks(joined->blocks());
    }
    totals = countsOf(events, idle);
    endResetModel();
}

void EventModel::setLimits(std::shared_ptr<const inspector::events::EventLimits> known) {
    if (!joined) {
        return;
    }
    limits = std::move(known);
    context.emplace(inspector::events::columnContext(events, limits.get()));
    const auto changed = [this](const QModelIndex& parent) {
        if (const int rows = rowCount(parent); rows > 0) {
            emit dataChanged(index(0, 0, parent), index(rows - 1, columnTotal() - 1, parent));
        }
    };
    changed({});
    for (int row = 0; arrangement == Layout::Grouped && row < rowCount(); ++row) {
        changed(index(row, 0));
    }
}

void EventModel::setNotes(std::map<EventRef, QString> texts, const QIcon& mark) {
    std::map<EventRef, QString> changed = std::exchange(noted, std::move(texts));
    noteMark = mark;
    changed.insert(noted.begin(), noted.end());
    for (const auto& [event, text] : changed) {
        const QModelIndex index = indexOf(event);
        emit dataChanged(index, index);
    }
}

QString EventModel::noteTo(EventRef event) const {
    const auto found = noted.find(event);
    return found == noted.end() ? QString() : found->second;
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
    return eventColumnRule(column).value(*context, rowOf(event));
}

inspector::format::Column EventModel::reportColumn(Column column) const {
    const auto target = joined ? joined->options().target : inspector::JoinOptions{}.target;
    return inspector::events::toColumn(eventColumnRule(column), target);
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
    if (role == IdleRole) {
        return static_cast<bool>(idle[block]);
    }
    if (column != Name) {
        return {};
    }
    if (role == Qt::FontRole) {
        QFont font;
        font.setBold(true);
        return font;
    }
    return role == Qt::DisplayRole
               ? QVariant(blockTitle(joined->blocks()[block], events.blocks[block], joined->options().target))
               : QVariant();
}

/// Returns display names; everything else as in the report.
QString EventModel::screenCell(EventRef event, Column column) const {
    const EventRow& row = rowOf(event);
    switch (column) {
        case Name:
            return toQString(inspector::events::readableName(*row.block, *row.event));
        case Block:
            return toQString(inspector::events::readableBlock(*row.block));
        case OpTypes: {
            QStringList types;
            for (const std::string_view type :
                 inspector::opTypes(*row.block, *row.event, inspector::OpTypes::All)) {
                types.append(toQString(type));
            }
            types.removeDuplicates();
            return types.join(QStringLiteral(", "));
        }
        default:
            return screenText(cell(event, column), reportColumn(column), adapts);
    }
}

QVariant EventModel::eventData(EventRef event, Column column, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return shortened(screenCell(event, column));
        case ReportRole:
            return shortened(screenText(cell(event, column), reportColumn(column), adapts));
        case exactTextRole:
            // Names as on screen, and numbers with all digits in the unit of the title.
            return column == Name || column == Block || column == OpTypes
                       ? screenCell(event, column)
                       : toQString(inspector::format::cellText(cell(event, column), reportColumn(column)));
        case IdleRole:
            return static_cast<bool>(idle[event.block]);
        case Qt::ToolTipRole:
            return column == Name
                       ? QStringList{nameToolTip(rowOf(event)), noteTo(event)}.join(u'\n').trimmed()
                       : shortened(screenCell(event, column));
        case Qt::DecorationRole:
            return column == Name && noted.contains(event) ? QVariant(noteMark) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter |
                                       (eventColumnRule(column).numeric ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::FontRole:
            return rowFont(rowOf(event), column);
        case SortRole:
            return column == Name ? QVariant(screenCell(event, column))
                                  : sortKey(cell(event, column), reportColumn(column));
        case ShareRole:
            return shareOf(cell(event, column), column);
        case SearchRole:
            return searchTexts(rowOf(event)) << noteTo(event);
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
        case Qt::DisplayRole: {
            const QString title = toQString(infoOf(column).title);
            const QString printed = toQString(reportColumn(column).header);
            const qsizetype unit = printed.lastIndexOf(QStringLiteral(" ("));
            return adapts || unit < 0 ? title : title + printed.sliced(unit);
        }
        case ReportRole:
            return toQString(adapts ? headerWithoutUnit(reportColumn(column)) : reportColumn(column).header);
        case exactTextRole:
            return toQString(reportColumn(column).header);
        case Qt::ToolTipRole:
            return toQString(infoOf(column).help);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter |
                                       (eventColumnRule(column).numeric ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::InitialSortOrderRole:
            return eventColumnRule(column).numeric ? Qt::DescendingOrder : Qt::AscendingOrder;
        default:
            return {};
    }
}

}  // namespace et::visualizers
