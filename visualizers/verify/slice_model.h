#pragma once

#include "visualizers/verify/slice.h"
#include "visualizers/verify/tensor_values.h"

#include <QAbstractTableModel>

#include <memory>

namespace et::visualizers {

/// A slice of a tensor as a table of numbers, with the indices of the last two dimensions as headers.
class SliceModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Null empties the model.
    void setValues(std::shared_ptr<const TensorValues> tensor, const Slice& part);
    /// Marks by element of the slice's tensor; null: none.
    void setMarks(std::shared_ptr<const std::vector<bool>> marks);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    std::shared_ptr<const TensorValues> values;
    std::shared_ptr<const std::vector<bool>> marked;
    Slice slice;
};

}  // namespace et::visualizers
