#include "visualizers/verify/worst_channels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace et::visualizers {

namespace {

/// Accumulated values over the elements of a channel.
struct ChannelSums {
    double largest = -1;
    std::size_t place = 0;  ///< position of the largest
    double difference = 0;
    double noise = 0;
    double signal = 0;
    std::size_t finite = 0;
};

void addTo(ChannelSums& sums, double expected, double actual, std::size_t place) {
    const bool same = expected == actual || (std::isnan(expected) && std::isnan(actual));
    const double difference = same ? 0 : actual - expected;
    const bool finite = std::isfinite(difference);
    const double apart = finite ? std::abs(difference) : std::numeric_limits<double>::infinity();
    if (apart > sums.largest) {
        sums.largest = apart;
        sums.place = place;
    }
    if (finite && std::isfinite(expected)) {
        sums.difference += difference;
        sums.noise += difference * difference;
        sums.signal += expected * expected;
        ++sums.finite;
    }
}

ChannelGap gapOf(std::size_t channel, const ChannelSums& sums, const std::vector<std::int64_t>& sizes) {
    ChannelGap out{.channel = static_cast<std::int64_t>(channel), .largest = sums.largest};
    out.worst = elementIndex(sums.place, sizes);
    if (sums.finite > 0) {
        out.shift = sums.difference / static_cast<double>(sums.finite);
    }
    if (sums.signal > 0) {
        out.snr = sums.noise > 0 ? 10 * std::log10(sums.signal / sums.noise)
                                 : std::numeric_limits<double>::infinity();
    }
    return out;
}

}  // namespace

std::size_t channelDimension(const std::vector<std::int64_t>& sizes) {
    constexpr std::size_t image = 4;
    return sizes.size() >= image ? 1 : std::max<std::size_t>(sizes.size(), 1) - 1;
}

std::vector<ChannelGap> worstChannels(const TensorValues& expected, const TensorValues& actual) {
    const std::size_t dim = channelDimension(expected.sizes);
    const std::size_t elements = expected.numbers.size();
    if (expected.sizes.empty() || expected.sizes != actual.sizes || elements == 0 ||
        elements != actual.numbers.size()) {
        return {};
    }
    const auto channels = static_cast<std::size_t>(expected.sizes[dim]);
    if (channels == elements || channels == 1) {
        return {};
    }
    std::size_t inner = 1;
    for (std::size_t behind = dim + 1; behind < expected.sizes.size(); ++behind) {
        inner *= static_cast<std::size_t>(expected.sizes[behind]);
    }
    std::vector<ChannelSums> sums(channels);
    for (std::size_t i = 0; i < elements; ++i) {
        addTo(sums[i / inner % channels], expected.numbers[i], actual.numbers[i], i);
    }
    std::vector<ChannelGap> out;
    for (std::size_t channel = 0; channel < channels; ++channel) {
        out.push_back(gapOf(channel, sums[channel], expected.sizes));
    }
    std::ranges::stable_sort(out, std::greater{}, &ChannelGap::largest);
    return out;
}

void WorstChannelsModel::setChannels(std::vector<ChannelGap> shown) {
    beginResetModel();
    gaps = std::move(shown);
    endResetModel();
}

int WorstChannelsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(gaps.size());
}

int WorstChannelsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant WorstChannelsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const ChannelGap& gap = gaps[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case Channel:
            return QString::number(gap.channel);
        case Largest:
            return QString::number(gap.largest, 'g', 4);
        case Shift:
            return QString::number(gap.shift, 'g', 4);
        default:
            return gap.snr ? QVariant(QString::number(*gap.snr, 'g', 4)) : QVariant();
    }
}

QVariant WorstChannelsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case Channel:
            return QStringLiteral("Channel");
        case Largest:
            return QStringLiteral("Max abs");
        case Shift:
            return QStringLiteral("Shift");
        default:
            return QStringLiteral("SNR (dB)");
    }
}

}  // namespace et::visualizers
