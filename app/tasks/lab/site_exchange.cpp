#include "app/tasks/lab/searched_sites.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace et::app {
namespace {

using core::Result;

constexpr double unsureNoise = 1.02;  ///< sums of noises are guesses as well

/// A change of a set, with what it may give.
struct Move {
    FloatSites set;
    double noise = 0;
    double bytes = 0;
};

/// What may come into float, and leave it.
struct Halves {
    std::vector<SiteList> ins{{}};
    std::vector<SiteList> outs{{}};
};

Halves halvesOf(const SearchedSites& searched, const FloatSites& from) {
    Halves halves;
    for (const std::size_t site : SearchedSites::quantizedIn(from)) {
        halves.ins.push_back({site});
    }
    for (const auto& [left, right] : searched.space().neighbours) {
        if (!from[left] && !from[right]) {
            halves.ins.push_back({left, right});
        }
    }
    for (const std::size_t site : searched.droppableFrom(from)) {
        halves.outs.push_back({site});
    }
    return halves;
}

Result<> measureHalves(SearchedSites& searched, const FloatSites& from, const Halves& halves) {
    std::vector<FloatSites> sets;
    std::ranges::transform(halves.ins, std::back_inserter(sets),
                           [&](const SiteList& in) { return withSites(from, in); });
    std::ranges::transform(halves.outs, std::back_inserter(sets),
                           [&](const SiteList& out) { return withoutSites(from, out); });
    return searched.measure(sets);
}

/// Whether it may fit and be better, as far as guesses tell.
bool isPromising(const Move& move, const SearchPoint& from, const SearchLimits& limits) {
    const auto count = static_cast<std::size_t>(std::ranges::count(move.set, true));
    const bool fits =
        (!limits.maxBytes || move.bytes <= unsureBytes * static_cast<double>(*limits.maxBytes)) &&
        (!limits.maxNoise || move.noise <= unsureNoise * *limits.maxNoise) &&
        (!limits.maxInFloat || count <= *limits.maxInFloat);
    return fits &&
           (limits.maxNoise ? move.bytes < static_cast<double>(*from.bytes) : move.noise < from.noise);
}

/// What may be better, the most promising first: what single sites and pairs do from here is measured, of
/// exchanges the sum is taken.
Result<std::vector<Move>> movesFrom(SearchedSites& searched, const SearchPoint& from,
                                    const SearchLimits& limits) {
    const Halves halves = halvesOf(searched, from.inFloat);
    ET_TRY(measureHalves(searched, from.inFloat, halves));
    std::vector<Move> moves;
    for (const SiteList& in : halves.ins) {
        for (const SiteList& out : halves.outs) {
            const SearchPoint* more = searched.find(withSites(from.inFloat, in));
            const SearchPoint* less = searched.find(withoutSites(from.inFloat, out));
            if (more == nullptr || less == nullptr || (in.empty() && out.empty())) {
                continue;
            }
            Move move{.set = withSites(less->inFloat, in)};
            const SearchPoint* known = searched.find(move.set);
            move.noise = known != nullptr ? known->noise : more->noise + less->noise - from.noise;
            ET_ASSIGN(move.bytes, searched.guessedBytes(move.set));
            if (isPromising(move, from, limits)) {
                moves.push_back(std::move(move));
            }
        }
    }
    std::ranges::stable_sort(moves, {},
                             [&](const Move& move) { return limits.maxNoise ? move.bytes : move.noise; });
    return moves;
}

}  // namespace

Result<bool> exchangeSites(SearchedSites& searched, const SearchLimits& limits) {
    const SearchPoint* found = searched.best(limits);
    if (found == nullptr || searched.isOver()) {
        return false;
    }
    const SearchPoint from = *found;
    ET_ASSIGN(const std::vector<Move> moves, movesFrom(searched, from, limits));
    constexpr std::size_t most = 16;
    std::vector<FloatSites> tried;
    for (std::size_t i = 0; i < std::min(most, moves.size()); ++i) {
        tried.push_back(moves[i].set);
    }
    ET_TRY(searched.measure(tried));
    for (const FloatSites& set : tried) {
        const SearchPoint* point = searched.find(set);
        if (point != nullptr &&
            (limits.maxNoise ? point->noise <= *limits.maxNoise : point->noise < from.noise)) {
            ET_TRY(searched.addBytes(set));
        }
    }
    return limits.isBetter(*searched.best(limits), from);
}

}  // namespace et::app
