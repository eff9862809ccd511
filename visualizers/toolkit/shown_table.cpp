#include "visualizers/toolkit/shown_table.h"

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QHeaderView>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <vector>

namespace et::visualizers {

namespace {

/// Null if the view has no header (a list).
const QHeaderView* headerOf(const QAbstractItemView& view) {
    if (const auto* const tree = qobject_cast<const QTreeView*>(&view)) {
        return tree->header();
    }
    const auto* const table = qobject_cast<const QTableView*>(&view);
    return table == nullptr ? nullptr : table->horizontalHeader();
}

std::vector<int> columnsOnScreen(const QAbstractItemView& view) {
    const QHeaderView* const header = headerOf(view);
    std::vector<int> columns;
    for (int column = 0; column < view.model()->columnCount(view.rootIndex()); ++column) {
        if (header == nullptr || !header->isSectionHidden(column)) {
            columns.push_back(column);
        }
    }
    if (header != nullptr) {
        std::ranges::sort(columns, {}, [header](int column) { return header->visualIndex(column); });
    }
    return columns;
}

std::string exactOr(const QVariant& exact, const QVariant& shown) {
    return (exact.isValid() ? exact : shown).toString().toStdString();
}

void addRows(const QAbstractItemView& view, const std::vector<int>& columns, const QModelIndex& above,
             inspector::format::Table& into) {
    const QAbstractItemModel& model = *view.model();
    for (int row = 0; row < model.rowCount(above); ++row) {
        std::vector<inspector::format::Cell>& cells = into.rows.emplace_back();
        for (const int column : columns) {
            const QModelIndex index = model.index(row, column, above);
            cells.emplace_back(exactOr(index.data(exactTextRole), index.data()));
        }
        addRows(view, columns, model.index(row, 0, above), into);
    }
}

}  // namespace

inspector::format::Table shownTable(const QAbstractItemView& view) {
    inspector::format::Table table;
    table.indexed = false;
    if (view.model() == nullptr) {
        return table;
    }
    const std::vector<int> columns = columnsOnScreen(view);
    for (const int column : columns) {
        const std::string title = exactOr(view.model()->headerData(column, Qt::Horizontal, exactTextRole),
                                          view.model()->headerData(column, Qt::Horizontal));
        table.columns.push_back({.id = title, .header = title});
    }
    addRows(view, columns, view.rootIndex(), table);
    return table;
}

}  // namespace et::visualizers
