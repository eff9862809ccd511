#pragma once

#include "inspector/format/table.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace et::visualizers {

/// Rows of a query result in query order. Cells are formatted on demand.
class AnswerModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    /// The exact number of a cell, for sorting and charts; invalid for text.
    static constexpr int numberRole = Qt::UserRole;

    explicit AnswerModel(QObject* parent = nullptr);

    /// Null: no result.
    void setTable(std::shared_ptr<const inspector::format::Table> shown);
    [[nodiscard]] const inspector::format::Table* table() const { return rows.get(); }
    /// The number in a named column of a row; nothing if there is none.
    [[nodiscard]] std::optional<qint64> number(int row, const QString& column) const;
    [[nodiscard]] QString text(int row, const QString& column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    [[nodiscard]] std::optional<int> columnOf(const QString& name) const;

    std::shared_ptr<const inspector::format::Table> rows;
};

}  // namespace et::visualizers
