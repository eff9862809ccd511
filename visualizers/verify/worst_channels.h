#pragma once

#include "visualizers/verify/tensor_values.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Difference of a channel of two tensors: the elements that share an index in one dimension.
struct ChannelGap {
    std::int64_t channel = 0;
    double largest = 0;           ///< absolute difference; infinite if only one of the numbers is finite
    double shift = 0;             ///< signed mean of the finite differences
    std::optional<double> snr{};  ///< in dB; nothing: no signal; infinite: equal
    std::vector<std::int64_t> worst{};  ///< index of the element with the largest difference
};

/// The channel dimension: the second for image tensors ([N, C, H, W]) and higher ranks, otherwise the last.
[[nodiscard]] std::size_t channelDimension(const std::vector<std::int64_t>& sizes);

/// Channels of tensors of equal sizes, largest difference first; empty if a channel is a single element or
/// the whole tensor.
[[nodiscard]] std::vector<ChannelGap> worstChannels(const TensorValues& expected, const TensorValues& actual);

/// Worst channels as a table.
class WorstChannelsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Channel, Largest, Shift, Snr };
    static constexpr int columnTotal = Snr + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setChannels(std::vector<ChannelGap> shown);
    [[nodiscard]] const std::vector<ChannelGap>& channels() const { return gaps; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    std::vector<ChannelGap> gaps;
};

}  // namespace et::visualizers
