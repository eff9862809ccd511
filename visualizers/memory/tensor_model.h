#pragma once

#include "visualizers/memory/memory_plan.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace et::visualizers {

/// Tensors of a memory plan as rows. Sorts and filters internally for speed, because there may be tens of
/// thousands.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Value, Kind, Bytes, Type, Operator, Alive, Offset, Module, Source };
    static constexpr int columnTotal = Source + 1;

    explicit TensorModel(QObject* parent = nullptr);

    /// Null empties the model. `tensors` are positions in MemoryTimeline::tensors.
    void setTensors(std::shared_ptr<const MemoryPlan> of, std::vector<std::size_t> tensors);
    /// Keeps only tensors whose operator, kind, type, name or value contains the text.
    void setFilter(const QString& text);
    /// True if a tensor matches the filter text.
    [[nodiscard]] static bool matches(const inspector::PlannedTensor& tensor, const QString& text);

    [[nodiscard]] std::size_t tensorAt(int row) const { return rows[static_cast<std::size_t>(row)]; }
    /// -1 for a hidden tensor.
    [[nodiscard]] int rowOf(std::size_t tensor) const;
    [[nodiscard]] std::uint64_t bytesShown() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  private:
    [[nodiscard]] QString text(const inspector::PlannedTensor& tensor, Column column) const;
    void arrange();

    std::shared_ptr<const MemoryPlan> plan;
    std::vector<std::size_t> all;   ///< all tensors set
    std::vector<std::size_t> rows;  ///< visible tensors in screen order
    QString filter;
    int sortColumn = Bytes;
    Qt::SortOrder sortOrder = Qt::DescendingOrder;
};

}  // namespace et::visualizers
