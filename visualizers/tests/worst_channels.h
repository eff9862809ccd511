#pragma once

#include "visualizers/tests/tensor_values.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// How far a channel of two tensors is apart: the elements that share an index in one dimension.
struct ChannelGap {
    std::int64_t channel = 0;
    double largest = 0;                 ///< absolute difference; infinite where a number stands against none
    double shift = 0;                   ///< mean difference with its sign, of the finite ones
    std::optional<double> snr{};        ///< in dB; nothing: no signal; infinite: equal
    std::vector<std::int64_t> worst{};  ///< index of the element that is furthest apart
};

/// The dimension of channels: the second of images ([N, C, H, W]) and what has more, else the last.
[[nodiscard]] std::size_t channelDimension(const std::vector<std::int64_t>& sizes);

/// Of tensors of the same sizes, the channel that is furthest apart first; none where a channel is one
/// element or all of them.
[[nodiscard]] std::vector<ChannelGap> worstChannels(const TensorValues& expected, const TensorValues& actual);

/// These, as a table.
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
