#pragma once

#include <QSortFilterProxyModel>

namespace et::visualizers {

/// Filters the rows of a comparison by text and, if asked, leaves out those without a verdict that calls for
/// attention. Methods stay, above their rows. Sorts by value.
class DecidedFilter : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit DecidedFilter(QObject* parent = nullptr);

    void setDecidedOnly(bool only);

  protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

  private:
    bool decidedOnly = false;
};

}  // namespace et::visualizers
