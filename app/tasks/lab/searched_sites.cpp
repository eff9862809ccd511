#include "app/tasks/lab/searched_sites.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace et::app {

using core::Result;

FloatSites withSites(FloatSites set, const SiteList& more) {
    for (const std::size_t site : more) {
        set[site] = true;
    }
    return set;
}

FloatSites withoutSites(FloatSites set, const SiteList& fewer) {
    for (const std::size_t site : fewer) {
        set[site] = false;
    }
    return set;
}

std::size_t SearchPoint::count() const {
    return static_cast<std::size_t>(std::ranges::count(inFloat, true));
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

Result<> SearchedSites::measure(const std::vector<FloatSites>& sets) {
    std::vector<FloatSites> unknown;
    std::set<FloatSites> seen;
    std::ranges::copy_if(sets, std::back_inserter(unknown), [&](const FloatSites& set) {
        return !known.contains(set) && seen.insert(set).second;
    });
    if (unknown.empty()) {
        return {};
    }
    ET_ASSIGN(const auto noises, measures.noises(unknown));
    for (std::size_t i = 0; i < std::min(noises.size(), unknown.size()); ++i) {
        known.emplace(unknown[i], SearchPoint{.inFloat = unknown[i], .noise = noises[i]});
    }
    return {};
}

const SearchPoint* SearchedSites::find(const FloatSites& set) const {
    const auto found = known.find(set);
    return found == known.end() ? nullptr : &found->second;
}

Result<> SearchedSites::addBytes(const FloatSites& set) {
    SearchPoint& point = known.at(set);
    if (!point.bytes) {
        ET_ASSIGN(point.bytes, measures.bytes(set));
    }
    return {};
}

SiteList SearchedSites::quantizedIn(const FloatSites& set) {
    SiteList sites;
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (!set[i]) {
            sites.push_back(i);
        }
    }
    return sites;
}

SiteList SearchedSites::droppableFrom(const FloatSites& set) const {
    SiteList sites;
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (set[i] && !area.fixed[i]) {
            sites.push_back(i);
        }
    }
    return sites;
}

Result<double> SearchedSites::guessedBytes(const FloatSites& set) {
    const auto first = static_cast<double>(*find(area.fixed)->bytes);
    if (siteBytes.empty()) {
        std::vector<double> added(area.sites, 0);
        for (const std::size_t site : quantizedIn(area.fixed)) {
            const FloatSites alone = withSites(area.fixed, {site});
            if (find(alone) != nullptr) {
                ET_TRY(addBytes(alone));
            }
            const std::optional<std::uint64_t> made =
                find(alone) != nullptr ? find(alone)->bytes : std::nullopt;
            ET_ASSIGN(const std::uint64_t bytes, made ? Result<std::uint64_t>(*made) : measures.bytes(alone));
            added[site] = static_cast<double>(bytes) - first;
        }
        siteBytes = std::move(added);
    }
    if (const SearchPoint* point = find(set); point != nullptr && point->bytes) {
        return static_cast<double>(*point->bytes);
    }
    double sum = first;
    for (std::size_t i = 0; i < set.size(); ++i) {
        sum += set[i] && !area.fixed[i] ? siteBytes[i] : 0;
    }
    return sum;
}

const SearchPoint* SearchedSites::best(const SearchLimits& limits) const {
    const SearchPoint* best = nullptr;
    for (const auto& [set, point] : known) {
        if (point.bytes && limits.fits(point) && (best == nullptr || limits.isBetter(point, *best))) {
            best = &point;
        }
    }
    return best;
}

}  // namespace et::app
