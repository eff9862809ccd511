#pragma once

#include <QSortFilterProxyModel>

namespace et::visualizers {

/// Filters the rows of a comparison by text and, optionally, by verdict, hiding rows without a notable one.
/// Methods stay above their rows. Sorts by value.
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
