#include "visualizers/gap/gap_table.h"

#include "visualizers/gap/gap_filter.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/toolkit/table_view.h"

#include <QHeaderView>

#include <algorithm>
#include <array>

namespace et::visualizers {

namespace {

constexpr int widestGapColumn = 40;  ///< maximum initial width in characters

/// Column gapColumnWidths in characters.
constexpr std::array<int, GapModel::columnTotal> gapColumnWidths{5, 22, 9,  16, 12, 12, 12,
                                                                 9, 13, 14, 14, 40, 30, 70};

/// From left to right: errors before details, which a narrow pane cuts off.
constexpr std::array<int, GapModel::columnTotal> gapColumnOrder{
    GapModel::Place,   GapModel::Operator, GapModel::Own,    GapModel::Verdict,     GapModel::Inherited,
    GapModel::Metric,  GapModel::Steps,    GapModel::Inputs, GapModel::MaxAbsolute, GapModel::Snr,
    GapModel::Handles, GapModel::Module,   GapModel::Source, GapModel::Nodes};

}  // namespace

GapTable::GapTable(QWidget* parent)
    : HoverTree(parent), source(new GapModel(this)), proxy(new GapFilter(this)) {
    proxy->setSourceModel(source);
    setObjectName(QStringLiteral("gapRows"));
    setModel(proxy);
    setRootIsDecorated(false);
    header()->setStretchLastSection(false);
    dressTable(*this);
    setColumnWidths(*this, gapColumnWidths);
    for (int place = 0; place < GapModel::columnTotal; ++place) {
        header()->moveSection(header()->visualIndex(gapColumnOrder[static_cast<std::size_t>(place)]), place);
    }
}

std::optional<std::size_t> GapTable::rowOf(const QModelIndex& index) const {
    const QModelIndex row = proxy->mapToSource(index);
    return row.isValid() ? std::optional(static_cast<std::size_t>(row.row())) : std::nullopt;
}

void GapTable::setCurrentRow(std::size_t row) {
    const QModelIndex index = proxy->mapFromSource(source->index(static_cast<int>(row), 0));
    if (index.isValid() && index.row() != currentIndex().row()) {
        setCurrentIndex(index);
        scrollTo(index);
    }
}

void GapTable::setGlowingRow(std::optional<std::size_t> row) {
    setGlowing(row ? proxy->mapFromSource(source->index(static_cast<int>(*row), 0)) : QModelIndex());
}

std::vector<bool> GapTable::keptRows() const {
    const bool all = proxy->rowCount() == source->rowCount();
    std::vector<bool> kept(all ? 0 : static_cast<std::size_t>(source->rowCount()), false);
    for (int row = 0; !all && row < proxy->rowCount(); ++row) {
        kept[static_cast<std::size_t>(proxy->mapToSource(proxy->index(row, 0)).row())] = true;
    }
    return kept;
}

void GapTable::showColumns() {
    for (int column = 0; column < GapModel::columnTotal; ++column) {
        setColumnHidden(column, !source->isFilled(static_cast<GapModel::Column>(column)));
    }
    widenColumns(*this, widestGapColumn);
}

QString GapTable::selectedText(inspector::format::Format format) const {
    std::vector<int> columns;
    inspector::format::Table table;
    table.indexed = false;
    for (int visual = 0; visual < GapModel::columnTotal; ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!isColumnHidden(column)) {
            columns.push_back(column);
            table.columns.push_back(source->reportColumn(static_cast<GapModel::Column>(column)));
        }
    }
    QModelIndexList selected = selectionModel()->selectedRows();
    std::ranges::sort(selected, {}, [](const QModelIndex& row) { return row.row(); });
    for (const QModelIndex& row : selected) {
        std::vector<inspector::format::Cell>& cells = table.rows.emplace_back();
        for (const int column : columns) {
            cells.push_back(source->cell(proxy->mapToSource(row.siblingAtColumn(column))));
        }
    }
    return QString::fromStdString(inspector::format::render(table, format));
}

}  // namespace et::visualizers
