#include "inspector/graph/detail/row_cuts.h"

#include <algorithm>
#include <cstddef>

namespace et::inspector::graph::detail {

namespace {

/// Minimum share of a row that must remain for a frame next to its neighbours; otherwise it gets its own row.
constexpr double leastPart = 0.5;

std::vector<double> cutsFor(std::span<const double> places, double from, double to, double length) {
    std::vector<double> chosen;
    double start = from;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double next = i + 1 < places.size() ? places[i + 1] : to;
        if (next - start > length) {
            chosen.push_back(places[i]);
            start = places[i];
        }
    }
    return chosen;
}

}  // namespace

std::vector<double> rowLengths(const GraphLayout& layout, const LayoutRequest& request, double length) {
    std::vector<double> lengths;
    for (std::size_t i = 0; i < layout.groups.size(); ++i) {
        const auto& parent = request.groups[i].parent;
        const double around = parent ? layout.groups[*parent].width : layout.width;
        const double most = parent ? lengths[*parent] : length;
        const double left = most - (around - layout.groups[i].width);
        lengths.push_back(left >= leastPart * most ? left : most - 2 * frameRoom);
    }
    return lengths;
}

std::vector<double> evenCuts(std::span<const double> places, double from, double to, double length) {
    constexpr int steps = 12;
    std::vector<double> needed = cutsFor(places, from, to, length);
    const double least = (to - from) / static_cast<double>(needed.size() + 1);
    for (int step = 0; step < steps && least < length; ++step) {
        auto even = cutsFor(places, from, to, least + (length - least) * step / steps);
        if (even.size() <= needed.size()) {
            return even;
        }
    }
    return needed;
}

Crossings::Crossings(const std::vector<std::vector<LayoutPoint>>& lines, Direction way) {
    for (const std::vector<LayoutPoint>& line : lines) {
        if (!line.empty() && (line.front().x < line.back().x) == (way == Direction::On)) {
            begins.push_back(std::min(line.front().x, line.back().x));
            ends.push_back(std::max(line.front().x, line.back().x));
        }
    }
    std::ranges::sort(begins);
    std::ranges::sort(ends);
}

std::size_t Crossings::at(double x) const {
    const auto begun = std::ranges::lower_bound(begins, x) - begins.begin();
    const auto ended = std::ranges::lower_bound(ends, x) - ends.begin();
    return static_cast<std::size_t>(begun - ended);
}

}  // namespace et::inspector::graph::detail
