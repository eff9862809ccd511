#include "app/tasks/lab/searched_sites.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

constexpr double unsureNoise = 1.02;  ///< sums of noises are estimates as well

/// A change of a choice, with its expected effect.
struct Exchange {
    SiteSchemes choice;
    double noise = 0;
    double bytes = 0;
};

/// Moves that may improve a choice, and moves that may pay for them.
struct Halves {
    std::vector<SiteMoves> betters{{}};
    std::vector<SiteMoves> payments{{}};
};

/// Measures the effects of single sites and pairs of neighbours.
Result<Halves> measureHalves(SearchedSites& searched, const SearchPoint& from, MoveKind kind) {
    Halves halves;
    SiteMoves moves = searched.movesFrom(from.schemes, MoveKind::Any);
    const SiteSchemes& start = searched.space().start;
    std::erase_if(moves, [&](const SiteMove& each) {
        return kind == MoveKind::ToFloat && each.scheme && each.scheme != start[each.site];
    });
    std::vector<SiteMoves> pairs;
    const auto canMove = [&](std::size_t site) { return from.schemes[site] && searched.canBeFloat(site); };
    for (const auto& [left, right] : searched.space().neighbours) {
        if (canMove(left) && canMove(right)) {
            pairs.push_back({{.site = left, .scheme = {}}, {.site = right, .scheme = {}}});
        }
    }
    std::vector<SiteSchemes> choices;
    for (const SiteMove& each : moves) {
        choices.push_back(afterMoves(from.schemes, {each}));
    }
    for (const SiteMoves& each : pairs) {
        choices.push_back(afterMoves(from.schemes, each));
    }
    ET_TRY(searched.measure(choices));
    for (const SiteMove& each : moves) {
        const SearchPoint* point = searched.find(afterMoves(from.schemes, {each}));
        if (point == nullptr) {
            continue;
        }
        ET_ASSIGN(const double bytes, searched.guessedBytes(point->schemes));
        if (!each.scheme || point->noise < from.noise) {
            halves.betters.push_back({each});
        }
        if (each.scheme == start[each.site] || bytes < static_cast<double>(*from.bytes)) {
            halves.payments.push_back({each});
        }
    }
    std::ranges::move(pairs, std::back_inserter(halves.betters));
    return halves;
}

/// True if the exchange is expected to satisfy the limits and to be better.
bool isPromising(const Exchange& move, const SearchPoint& from, const SearchedSites& searched,
                 const SearchLimits& limits) {
    const auto count = static_cast<std::size_t>(std::ranges::count(move.choice, SiteScheme()));
    const bool fits =
        (!limits.maxBytes || move.bytes <= unsureBytes * static_cast<double>(*limits.maxBytes)) &&
        (!limits.maxNoise || move.noise <= unsureNoise * *limits.maxNoise) &&
        (!limits.maxInFloat || count <= *limits.maxInFloat) &&
        (!limits.maxTime ||
         searched.guessedTime(move.choice).value_or(*limits.maxTime + 1) <= *limits.maxTime);
    return fits &&
           (limits.maxNoise ? move.bytes < static_cast<double>(*from.bytes) : move.noise < from.noise);
}

/// True if both change the same site.
bool overlap(const SiteMoves& left, const SiteMoves& right) {
    return std::ranges::any_of(
        left, [&](const SiteMove& each) { return std::ranges::contains(right, each.site, &SiteMove::site); });
}

/// Returns exchanges that may be better, most promising first: the effect of an exchange is estimated by the
/// sum of both halves.
Result<std::vector<Exchange>> exchangesFrom(SearchedSites& searched, const SearchPoint& from,
                                            const SearchLimits& limits, MoveKind kind) {
    ET_ASSIGN(const Halves halves, measureHalves(searched, from, kind));
    std::vector<Exchange> found;
    for (const SiteMoves& better : halves.betters) {
        for (const SiteMoves& payment : halves.payments) {
            const SearchPoint* more = searched.find(afterMoves(from.schemes, better));
            const SearchPoint* less = searched.find(afterMoves(from.schemes, payment));
            if (more == nullptr || less == nullptr || (better.empty() && payment.empty()) ||
                overlap(better, payment)) {
                continue;
            }
            Exchange move{.choice = afterMoves(less->schemes, better)};
            const SearchPoint* known = searched.find(move.choice);
            move.noise = known != nullptr ? known->noise : more->noise + less->noise - from.noise;
            ET_ASSIGN(move.bytes, searched.guessedBytes(move.choice));
            if (isPromising(move, from, searched, limits)) {
                found.push_back(std::move(move));
            }
        }
    }
    std::ranges::stable_sort(found, {},
                             [&](const Exchange& move) { return limits.maxNoise ? move.bytes : move.noise; });
    return found;
}

}  // namespace

Result<bool> exchangeSites(SearchedSites& searched, const SearchLimits& limits, MoveKind kind) {
    const SearchPoint* found = searched.best(limits);
    if (found == nullptr || searched.isOver()) {
        return false;
    }
    const SearchPoint from = *found;
    ET_ASSIGN(const std::vector<Exchange> moves, exchangesFrom(searched, from, limits, kind));
    constexpr std::size_t most = 16;
    std::vector<SiteSchemes> tried;
    for (std::size_t i = 0; i < std::min(most, moves.size()); ++i) {
        tried.push_back(moves[i].choice);
    }
    ET_TRY(searched.measure(tried));
    for (const SiteSchemes& choice : tried) {
        const SearchPoint* point = searched.find(choice);
        if (point != nullptr &&
            (limits.maxNoise ? point->noise <= *limits.maxNoise : point->noise < from.noise)) {
            ET_TRY(searched.addBytes(choice));
        }
    }
    return limits.isBetter(*searched.best(limits), from);
}

}  // namespace et::tasks
