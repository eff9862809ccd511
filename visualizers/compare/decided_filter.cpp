#include "visualizers/compare/decided_filter.h"

#include "visualizers/compare/comparison_model.h"

namespace et::visualizers {

DecidedFilter::DecidedFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(ComparisonModel::SortRole);
    setFilterKeyColumn(-1);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
}

void DecidedFilter::setDecidedOnly(bool only) {
    decidedOnly = only;
    invalidateRowsFilter();
}

bool DecidedFilter::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
    if (!sourceParent.isValid()) {
        return true;
    }
    const QModelIndex row = sourceModel()->index(sourceRow, 0, sourceParent);
    return (!decidedOnly || row.data(ComparisonModel::DecidedRole).toBool()) &&
           QSortFilterProxyModel::filterAcceptsRow(sourceRow, sourceParent);
}

}  // namespace et::visualizers
