#include "visualizers/verify/largest_elements.h"

#include <algorithm>
#include <cmath>

namespace et::visualizers {

bool isRowOfScores(const TensorValues& tensor) {
    constexpr std::int64_t fewest = 3;
    constexpr std::int64_t most = 1'000'000;
    return !tensor.integral && !tensor.sizes.empty() && tensor.sizes.back() >= fewest &&
           tensor.sizes.back() <= most &&
           static_cast<std::int64_t>(tensor.numbers.size()) == tensor.sizes.back();
}

std::vector<RankedElement> largestElements(const TensorValues& tensor, std::size_t max) {
    std::vector<RankedElement> all;
    all.reserve(tensor.numbers.size());
    for (std::size_t i = 0; i < tensor.numbers.size(); ++i) {
        if (!std::isnan(tensor.numbers[i])) {
            all.push_back({.place = i, .number = tensor.numbers[i]});
        }
    }
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(max, all.size()));
    std::ranges::partial_sort(all, end, [](const RankedElement& a, const RankedElement& b) {
        return a.number > b.number || (a.number == b.number && a.place < b.place);
    });
    all.erase(end, all.end());
    return all;
}

}  // namespace et::visualizers
