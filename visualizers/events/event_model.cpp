#include "visualizers/events/event_model.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/python_text.h"
#include "inspector/format/time_scale.h"
#include "inspector/names/operator_names.h"
#include "runtime/core/event_names.h"
#include "visualizers/events/event_columns.h"
#include "visualizers/toolkit/cell_text.h"
#include "visualizers/toolkit/shown_table.h"
#include "visualizers/toolkit/text.h"

#include <QFont>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

namespace et::visualizers {
namespace {

using core::event_name::operatorCall;
using inspector::events::EventRow;
using inspector::format::Cell;
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
    countHidden();
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

void EventModel::countHidden() {
    idleEvents = 0;
    operatorCalls = 0;
    for (const EventRow& row : events.rows) {
        if (idle[row.blockAt]) {
            ++idleEvents;
        } else if (row.event->name.contains(operatorCall)) {
            ++operatorCalls;
        }
    }
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
    return role == Qt::DisplayRole ? QVariant(blockTitle(block)) : QVariant();
}

QString EventModel::blockTitle(std::size_t at) const {
    const inspector::Block& block = joined->blocks()[at];
    const inspector::events::BlockTime& time = events.blocks[at];
    QStringList parts{toQString(inspector::events::readableBlock(block))};
    if (!block.method.empty()) {
        parts.append(toQString(block.method));
    }
    parts.append(counted(block.runs.size(), QStringLiteral("1 run"), QStringLiteral("%1 runs")));
    if (time.typical > 0) {
        // Typical time, as for shares: a stall of one run does not affect the others.
        parts.append(
            QStringLiteral("%1 per run")
                .arg(timeText(time.typical / static_cast<double>(time.runs), joined->options().target)));
    }
    return parts.join(QStringLiteral("  ·  "));
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

/// Returns names as on screen, and numbers with all digits in the unit of the title.
QString EventModel::exactCell(EventRef event, Column column) const {
    const bool named = column == Name || column == Block || column == OpTypes;
    return named ? screenCell(event, column)
                 : toQString(inspector::format::cellText(cell(event, column), reportColumn(column)));
}

QString EventModel::titleOf(Column column) const {
    const QString title = toQString(infoOf(column).title);
    const QString printed = toQString(reportColumn(column).header);
    const qsizetype unit = printed.lastIndexOf(QStringLiteral(" ("));
    return adapts || unit < 0 ? title : title + printed.sliced(unit);
}

QVariant EventModel::eventData(EventRef event, Column column, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return shortened(screenCell(event, column));
        case ReportRole:
            return shortened(screenText(cell(event, column), reportColumn(column), adapts));
        case exactTextRole:
            return exactCell(event, column);
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
        case Qt::DisplayRole:
            return titleOf(column);
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
