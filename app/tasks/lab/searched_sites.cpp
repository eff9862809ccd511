#include "app/tasks/lab/searched_sites.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace et::tasks {

using core::Result;

SiteSchemes afterMoves(SiteSchemes choice, const SiteMoves& moves) {
    for (const SiteMove& move : moves) {
        choice[move.site] = move.scheme;
    }
    return choice;
}

std::size_t SearchPoint::count() const {
    return static_cast<std::size_t>(std::ranges::count(schemes, SiteScheme()));
}

bool SearchLimits::fits(const SearchPoint& point) const {
    return (!maxBytes || (point.bytes && *point.bytes <= *maxBytes)) &&
           (!maxNoise || point.noise <= *maxNoise) && (!maxInFloat || point.count() <= *maxInFloat);
}

bool SearchLimits::isBetter(const SearchPoint& left, const SearchPoint& right) const {
    constexpr auto unknown = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t leftBytes = left.bytes.value_or(unknown);
    const std::uint64_t rightBytes = right.bytes.value_or(unknown);
    return maxNoise ? std::pair(leftBytes, left.noise) < std::pair(rightBytes, right.noise)
                    : std::pair(left.noise, leftBytes) < std::pair(right.noise, rightBytes);
}

Result<> SearchedSites::measure(const std::vector<SiteSchemes>& choices) {
    std::vector<SiteSchemes> unknown;
    std::set<SiteSchemes> seen;
    std::ranges::copy_if(choices, std::back_inserter(unknown), [&](const SiteSchemes& choice) {
        return !known.contains(choice) && seen.insert(choice).second;
    });
    if (unknown.empty()) {
        return {};
    }
    ET_ASSIGN(const auto noises, measures.noises(unknown));
    for (std::size_t i = 0; i < std::min(noises.size(), unknown.size()); ++i) {
        known.emplace(unknown[i], SearchPoint{.schemes = unknown[i], .noise = noises[i]});
    }
    return {};
}

const SearchPoint* SearchedSites::find(const SiteSchemes& choice) const {
    const auto found = known.find(choice);
    return found == known.end() ? nullptr : &found->second;
}

Result<> SearchedSites::addBytes(const SiteSchemes& choice) {
    SearchPoint& point = known.at(choice);
    if (!point.bytes) {
        ET_ASSIGN(point.bytes, measures.bytes(choice));
    }
    return {};
}

SiteMoves SearchedSites::movesFrom(const SiteSchemes& choice, MoveKind kind) const {
    SiteMoves moves;
    for (std::size_t site = 0; site < choice.size(); ++site) {
        for (const SiteScheme& option : area.options[site]) {
            if (option != choice[site] && (kind == MoveKind::Any || !option)) {
                moves.push_back({.site = site, .scheme = option});
            }
        }
        if (kind == MoveKind::Any && choice[site] != area.start[site]) {
            moves.push_back({.site = site, .scheme = area.start[site]});
        }
    }
    return moves;
}

bool SearchedSites::canBeFloat(std::size_t site) const {
    return std::ranges::contains(area.options[site], SiteScheme());
}

void SearchedSites::drop(const SiteMove& move) {
    std::erase(area.options[move.site], move.scheme);
}

Result<double> SearchedSites::addedBytes(const SiteMove& move) {
    const auto [place, isNew] = siteBytes.try_emplace(move);
    if (isNew) {
        const SiteSchemes alone = afterMoves(area.start, {move});
        const auto point = known.find(alone);
        if (point != known.end()) {
            ET_TRY(addBytes(alone));
        }
        ET_ASSIGN(const std::uint64_t bytes,
                  point != known.end() ? Result<std::uint64_t>(*point->second.bytes) : measures.bytes(alone));
        place->second = static_cast<double>(bytes) - static_cast<double>(*find(area.start)->bytes);
    }
    return place->second;
}

Result<double> SearchedSites::guessedBytes(const SiteSchemes& choice) {
    if (const SearchPoint* point = find(choice); point != nullptr && point->bytes) {
        return static_cast<double>(*point->bytes);
    }
    auto sum = static_cast<double>(*find(area.start)->bytes);
    for (std::size_t site = 0; site < choice.size(); ++site) {
        if (choice[site] != area.start[site]) {
            ET_ASSIGN(const double added, addedBytes({.site = site, .scheme = choice[site]}));
            sum += added;
        }
    }
    return sum;
}

std::optional<double> SearchedSites::guessedTime(const SiteSchemes& choice) const {
    if (!times) {
        return std::nullopt;
    }
    double sum = times->start;
    for (std::size_t site = 0; site < choice.size(); ++site) {
        const auto added = times->added.find({.site = site, .scheme = choice[site]});
        if (choice[site] != area.start[site] && added == times->added.end()) {
            return std::nullopt;
        }
        sum += choice[site] != area.start[site] ? added->second : 0;
    }
    return sum;
}

Result<std::optional<double>> SearchedSites::guessedCost(const SiteSchemes& choice,
                                                         const SearchLimits& limits) {
    if (limits.maxTime) {
        return guessedTime(choice);
    }
    ET_ASSIGN(const double bytes, guessedBytes(choice));
    return std::optional(bytes);
}

const SearchPoint* SearchedSites::best(const SearchLimits& limits) const {
    const SearchPoint* best = nullptr;
    for (const auto& [choice, point] : known) {
        const bool isInTime =
            !limits.maxTime || guessedTime(choice).value_or(*limits.maxTime + 1) <= *limits.maxTime;
        if (point.bytes && isInTime && limits.fits(point) &&
            (best == nullptr || limits.isBetter(point, *best))) {
            best = &point;
        }
    }
    return best;
}

}  // namespace et::tasks
