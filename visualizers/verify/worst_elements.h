#pragma once

#include "visualizers/verify/tensor_values.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::visualizers {

/// An element of two tensors of equal sizes.
struct ElementPair {
    std::vector<std::int64_t> index;
    double expected = 0;
    double actual = 0;
    double difference = 0;  ///< actual - expected
};

/// Unequal elements, largest difference first, at most `max`. A finite number paired with a non-finite one
/// has the largest difference.
[[nodiscard]] std::vector<ElementPair> worstElements(const TensorValues& expected, const TensorValues& actual,
                                                     std::size_t max);

/// Worst elements as a table.
class WorstElementsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Index, Expected, Actual, Difference };
    static constexpr int columnTotal = Difference + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setElements(std::vector<ElementPair> shown, bool integral);
    /// Headers of the two sides.
    void setNames(const QString& expected, const QString& actual);
    [[nodiscard]] const std::vector<ElementPair>& elements() const { return pairs; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    std::vector<ElementPair> pairs;
    QString names[2] = {QStringLiteral("expected"), QStringLiteral("actual")};
    bool whole = false;
};

}  // namespace et::visualizers
