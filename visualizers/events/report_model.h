#pragma once

#include "inspector/format/table.h"

#include <QAbstractTableModel>

namespace et::visualizers {

/// A table of the report as rows: cells print as `et-inspect` prints them.
class ReportModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Role : int {
        SortRole = Qt::UserRole,  ///< double or QString; invalid where the cell has no value
        ShareRole,                ///< double, 0 to 1: Table::heat of the row, in the column "share"
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(inspector::report::Table shown);
    [[nodiscard]] const inspector::report::Table& table() const { return content; }
    /// The column of this id; -1 where the table has none.
    [[nodiscard]] int columnOf(std::string_view id) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    inspector::report::Table content;
};

}  // namespace et::visualizers
