#include "visualizers/events/report_model.h"

#include "visualizers/events/cell_text.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr std::string_view shareColumn = "share";

}  // namespace

void ReportModel::setTable(inspector::report::Table shown) {
    beginResetModel();
    content = std::move(shown);
    endResetModel();
}

int ReportModel::columnOf(std::string_view id) const {
    const auto found = std::ranges::find(content.columns, id, &inspector::report::Column::id);
    return found == content.columns.end() ? -1 : static_cast<int>(found - content.columns.begin());
}

int ReportModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(content.rows.size());
}

int ReportModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(content.columns.size());
}

QVariant ReportModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    const auto& column = content.columns[static_cast<std::size_t>(index.column())];
    const auto& cell = content.rows[row][static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return screenText(cell, column);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (column.numeric ? Qt::AlignRight : Qt::AlignLeft));
        case SortRole:
            return sortKey(cell, column);
        case ShareRole:
            return column.id == shareColumn && row < content.heat.size() ? QVariant(content.heat[row])
                                                                         : QVariant();
        default:
            return {};
    }
}

QVariant ReportModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const auto& column = content.columns[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
            return toQString(column.header);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (column.numeric ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::InitialSortOrderRole:
            return column.numeric ? Qt::DescendingOrder : Qt::AscendingOrder;
        default:
            return {};
    }
}

}  // namespace et::visualizers
