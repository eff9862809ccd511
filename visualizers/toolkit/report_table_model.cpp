#include "visualizers/toolkit/report_table_model.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/cell_text.h"
#include "visualizers/toolkit/shown_table.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace et::visualizers {

namespace {

constexpr std::string_view shareColumn = "share";

/// The number in a cell; nothing for text, lists and empty cells.
std::optional<double> numberOf(const inspector::format::Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return static_cast<double>(*whole);
    }
    if (const auto* count = std::get_if<std::uint64_t>(&cell)) {
        return static_cast<double>(*count);
    }
    const auto* number = std::get_if<double>(&cell);
    return number == nullptr ? std::nullopt : std::optional(*number);
}

QVariant alignmentOf(const inspector::format::Column& column) {
    return QVariant::fromValue((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

void ReportTableModel::setRows(ReportRows shown) {
    beginResetModel();
    content = std::move(shown);
    const std::size_t count = content.table.rows.size();
    top.clear();
    children.assign(count, {});
    places.assign(count, 0);
    for (std::size_t row = 0; row < count; ++row) {
        const auto above = row < content.parents.size() ? content.parents[row] : std::nullopt;
        std::vector<std::size_t>& siblings = above && *above < row ? children[*above] : top;
        places[row] = siblings.size();
        siblings.push_back(row);
    }
    endResetModel();
}

const std::vector<std::size_t>& ReportTableModel::below(TreeNode node) const {
    return node == treeRoot ? top : children[node - 1];
}

QModelIndex ReportTableModel::indexOf(std::size_t row) const {
    return row < places.size() ? indexOfNode(row + 1) : QModelIndex();
}

int ReportTableModel::columnOf(std::string_view id) const {
    const auto found = std::ranges::find(content.table.columns, id, &inspector::format::Column::id);
    return found == content.table.columns.end() ? -1
                                                : static_cast<int>(found - content.table.columns.begin());
}

TreeNode ReportTableModel::nodeBelow(TreeNode node, std::size_t place) const {
    return below(node)[place] + 1;
}

TreeNode ReportTableModel::nodeAbove(TreeNode node) const {
    const std::size_t row = node - 1;
    const auto above = row < content.parents.size() ? content.parents[row] : std::nullopt;
    return above && *above < row ? *above + 1 : treeRoot;
}

const inspector::format::Cell& ReportTableModel::cell(TreeNode node, int column) const {
    return content.table.rows[node - 1][static_cast<std::size_t>(column)];
}

NumberStyle ReportTableModel::styleOf(int column) const {
    const auto at = static_cast<std::size_t>(column);
    return at < content.styles.size() ? content.styles[at] : NumberStyle::Plain;
}

QString ReportTableModel::text(TreeNode node, int column, NumberStyle style) const {
    const inspector::format::Cell& shown = cell(node, column);
    const auto number = numberOf(shown);
    if (number && style == NumberStyle::Bytes && *number >= 0) {
        return QString::fromStdString(inspector::format::readableBytes(static_cast<std::uint64_t>(*number)));
    }
    if (number && style == NumberStyle::Bytes) {
        return u'−' +
               QString::fromStdString(inspector::format::readableBytes(static_cast<std::uint64_t>(-*number)));
    }
    if (number && style == NumberStyle::Percent) {
        return QStringLiteral("%1 %").arg(*number, 0, 'f', 1);
    }
    return screenText(shown, content.table.columns[static_cast<std::size_t>(column)], true);
}

QVariant ReportTableModel::cellData(TreeNode node, int column, int role) const {
    const inspector::format::Column& of = content.table.columns[static_cast<std::size_t>(column)];
    switch (role) {
        case Qt::DisplayRole:
            return text(node, column, styleOf(column));
        case Qt::ToolTipRole:  // full text, exact bytes
            return screenText(cell(node, column), of);
        case Qt::TextAlignmentRole:
            return alignmentOf(of);
        case exactTextRole:
            return toQString(cellText(cell(node, column), of));
        case SortRole:
            return sortKey(cell(node, column), of);
        case RowRole:
            return QVariant::fromValue(static_cast<qulonglong>(node - 1));
        case ShareRole:
            return of.id == shareColumn && node - 1 < content.table.heat.size()
                       ? QVariant(content.table.heat[node - 1])
                       : QVariant();
        default:
            return {};
    }
}

QVariant ReportTableModel::titleData(int section, int role) const {
    const inspector::format::Column& of = content.table.columns[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return capitalized(toQString(
                of.measure == inspector::format::Measure::None ? of.header : headerWithoutUnit(of)));
        case exactTextRole:
            return toQString(of.header);
        case Qt::TextAlignmentRole:
            return alignmentOf(of);
        case Qt::InitialSortOrderRole:
            return of.numeric ? Qt::DescendingOrder : Qt::AscendingOrder;
        default:
            return {};
    }
}

}  // namespace et::visualizers
