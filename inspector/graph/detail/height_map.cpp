#include "inspector/graph/detail/height_map.h"

#include <algorithm>

namespace et::inspector::graph::detail {

HeightMap::HeightMap(std::vector<std::pair<double, double>> taken, double top, double bottom, double most,
                     double first)
    : knots{{.from = top, .to = top}} {
    std::ranges::sort(taken);
    taken.emplace_back(bottom, bottom);
    for (const auto& [from, to] : taken) {
        const Segment last = knots.back();
        if (from > last.from) {
            const double room = knots.size() == 1 ? first : most;
            knots.push_back({.from = from, .to = last.to + std::min(from - last.from, room)});
        }
        if (to > knots.back().from) {
            knots.push_back({.from = to, .to = knots.back().to + to - knots.back().from});
        }
    }
}

double HeightMap::at(double y) const {
    if (knots.empty()) {
        return y;
    }
    const auto next = std::ranges::upper_bound(knots, y, {}, &Segment::from);
    if (next == knots.begin()) {
        return y + next->to - next->from;
    }
    const Segment& last = *(next - 1);
    if (next == knots.end()) {
        return y + last.to - last.from;
    }
    return last.to + (y - last.from) * (next->to - last.to) / (next->from - last.from);
}

}  // namespace et::inspector::graph::detail
