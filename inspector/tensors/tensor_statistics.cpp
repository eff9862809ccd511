#include "inspector/tensors/tensor_statistics.h"

namespace et::inspector {

std::vector<SideStatistics> channelStatistics(std::span<const double> numbers,
                                              std::span<const std::int64_t> sizes, std::size_t dim) {
    std::size_t inner = 1;
    for (std::size_t i = dim + 1; i < sizes.size(); ++i) {
        inner *= static_cast<std::size_t>(sizes[i]);
    }
    const auto channels = static_cast<std::size_t>(sizes[dim]);
    const std::size_t step = inner * channels;
    std::vector<SideStatistics> all;
    std::vector<double> channel;
    for (std::size_t i = 0; i < channels && step != 0; ++i) {
        channel.clear();
        for (std::size_t first = i * inner; first < numbers.size(); first += step) {
            const auto part = numbers.subspan(first, inner);
            channel.insert(channel.end(), part.begin(), part.end());
        }
        all.push_back(computeStatistics(channel));
    }
    return all;
}

}  // namespace et::inspector
