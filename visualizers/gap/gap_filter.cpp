#include "visualizers/gap/gap_filter.h"

#include "visualizers/gap/gap_model.h"

#include <cmath>

namespace et::visualizers {

GapFilter::GapFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(GapModel::SortRole);
    setFilterRole(GapModel::SearchRole);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
}

void GapFilter::setDivergingOnly(bool only) {
    divergingOnly = only;
    invalidateFilter();
}

bool GapFilter::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
    const QModelIndex row = sourceModel()->index(sourceRow, 0, sourceParent);
    return (!divergingOnly || row.data(GapModel::DivergesRole).toBool()) &&
           QSortFilterProxyModel::filterAcceptsRow(sourceRow, sourceParent);
}

bool GapFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(GapModel::SortRole);
    const QVariant b = right.data(GapModel::SortRole);
    if (a.typeId() != QMetaType::Double || b.typeId() != QMetaType::Double) {
        return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    }
    if (std::isnan(a.toDouble()) || std::isnan(b.toDouble())) {
        // NaN is last in either direction.
        const bool wanted = sortOrder() == Qt::AscendingOrder;
        return std::isnan(a.toDouble()) == std::isnan(b.toDouble()) ? false
                                                                    : std::isnan(b.toDouble()) == wanted;
    }
    return a.toDouble() < b.toDouble();
}

}  // namespace et::visualizers
