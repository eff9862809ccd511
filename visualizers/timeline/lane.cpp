#include "visualizers/timeline/lane.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

Lane::Lane(std::vector<Span> spans) : all(std::move(spans)) {
    for (std::size_t below = all.size(); below > 1;) {
        std::vector<Piece> joined;
        const std::size_t level = levels.size();
        joined.reserve(below / fanOut + 1);
        for (std::size_t first = 0; first < below; first += fanOut) {
            Piece node = piece(level, first);
            for (std::size_t next = first + 1; next < std::min(first + fanOut, below); ++next) {
                const Piece other = piece(level, next);
                node.longest = other.longestTicks > node.longestTicks ? other.longest : node.longest;
                node.longestTicks = std::max(node.longestTicks, other.longestTicks);
                node.end = other.end;
                node.busy += other.busy;
                node.count += other.count;
            }
            joined.push_back(node);
        }
        below = joined.size();
        levels.push_back(std::move(joined));
    }
}

/// Level 0 is the spans themselves.
Lane::Piece Lane::piece(std::size_t level, std::size_t index) const {
    if (level > 0) {
        return levels[level - 1][index];
    }
    const Span& span = all[index];
    const std::uint64_t ticks = span.end - span.start;
    return {.start = span.start,
            .end = span.end,
            .busy = ticks,
            .first = index,
            .longest = index,
            .longestTicks = ticks,
            .count = 1};
}

struct Lane::Request {
    std::uint64_t from;
    std::uint64_t to;
    std::uint64_t shortest;
    std::size_t before;  ///< number of pieces that existed before
    std::vector<Piece>& pieces;

    /// Neighbours that fit into the shortest visible length are merged.
    void add(const Piece& piece) const {
        Piece* const last = pieces.size() > before ? &pieces.back() : nullptr;
        if (last == nullptr || piece.end - last->start > shortest) {
            pieces.push_back(piece);
            return;
        }
        last->longest = piece.longestTicks > last->longestTicks ? piece.longest : last->longest;
        last->longestTicks = std::max(last->longestTicks, piece.longestTicks);
        last->end = piece.end;
        last->busy += piece.busy;
        last->count += piece.count;
    }
};

void Lane::collect(std::uint64_t from, std::uint64_t to, std::uint64_t shortest,
                   std::vector<Piece>& pieces) const {
    if (!all.empty()) {
        visit(levels.size(), 0,
              {.from = from, .to = to, .shortest = shortest, .before = pieces.size(), .pieces = pieces});
    }
}

void Lane::visit(std::size_t level, std::size_t index, const Request& request) const {
    const Piece node = piece(level, index);
    if (node.end < request.from || node.start > request.to) {
        return;
    }
    if (level == 0 || node.end - node.start <= request.shortest) {
        request.add(node);
        return;
    }
    const std::size_t below = level == 1 ? all.size() : levels[level - 2].size();
    const std::size_t last = std::min((index + 1) * fanOut, below);
    for (std::size_t child = index * fanOut; child < last; ++child) {
        visit(level - 1, child, request);
    }
}

std::size_t Lane::at(std::uint64_t time) const {
    const auto after = std::ranges::upper_bound(all, time, {}, &Span::start);
    if (after == all.begin() || std::prev(after)->end < time) {
        return all.size();
    }
    return static_cast<std::size_t>(std::prev(after) - all.begin());
}

Lane::Use Lane::use(std::uint64_t from, std::uint64_t to) const {
    std::vector<Piece> pieces;
    collect(from, to, to > from ? to - from : 0, pieces);
    Use sum;
    for (const Piece& each : pieces) {
        if (each.start >= from && each.end <= to) {
            sum.busy += each.busy;
            sum.started += each.count;
            continue;
        }
        // At an edge, each span is handled separately.
        for (std::size_t i = each.first; i < each.first + each.count; ++i) {
            const std::uint64_t left = std::max(all[i].start, from);
            const std::uint64_t right = std::min(all[i].end, to);
            sum.busy += right > left ? right - left : 0;
            sum.started += all[i].start >= from && all[i].start <= to ? 1 : 0;
        }
    }
    return sum;
}

}  // namespace et::visualizers
