#pragma once

#include <QSortFilterProxyModel>

namespace et::visualizers {

/// Sorts operators of a gap by their numbers, those without one last, and filters them by text. sort(-1)
/// restores execution order.
class GapFilter : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit GapFilter(QObject* parent = nullptr);

    /// Whether to keep only diverging operators.
    void setDivergingOnly(bool only);

  protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    bool divergingOnly = false;
};

}  // namespace et::visualizers
