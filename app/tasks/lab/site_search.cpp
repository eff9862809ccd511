#include "app/tasks/lab/site_search.h"

#include "app/tasks/lab/searched_sites.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace et::app {

using core::Result;

struct SiteSearch::Impl {
    Impl(SearchSpace of, SiteMeasures& by) : searched(std::move(of), by) {}

    Result<> begin();
    [[nodiscard]] std::vector<FloatSites> stepsFrom(const FloatSites& set) const;
    [[nodiscard]] std::vector<FloatSites> pairsFrom(const FloatSites& set) const;
    void findTogether(const FloatSites& from);
    Result<bool> stepOfPath();
    Result<bool> stepOfThrift(FloatSites& at, const SearchLimits& limits);
    Result<bool> takeFirstThatFits(const std::vector<std::pair<double, FloatSites>>& ranked, FloatSites& at,
                                   const SearchLimits& limits);

    SearchedSites searched;
    std::vector<SiteList> together;             ///< neighbours that do more together than each alone
    std::map<std::size_t, FloatSites> ofCount;  ///< the path: the best set of so many sites in float
    std::size_t pathAt = 0;                     ///< its end
};

/// Both ends: all that can be are quantized, and none is.
Result<> SiteSearch::Impl::begin() {
    const FloatSites& fixed = searched.space().fixed;
    if (!ofCount.empty()) {
        return {};
    }
    const FloatSites none(fixed.size(), true);
    ET_TRY(searched.measure({fixed, none}));
    if (const SearchPoint* first = searched.find(fixed); first != nullptr) {
        ET_TRY(searched.addBytes(fixed));
        pathAt = first->count();
        ofCount.emplace(pathAt, fixed);
    }
    return searched.find(none) != nullptr ? searched.addBytes(none) : Result<>();
}

/// What one more step may be: single sites in graph order, then pairs.
std::vector<FloatSites> SiteSearch::Impl::stepsFrom(const FloatSites& set) const {
    std::vector<FloatSites> steps;
    for (const std::size_t site : SearchedSites::quantizedIn(set)) {
        steps.push_back(withSites(set, {site}));
    }
    for (const SiteList& pair : together) {
        if (std::ranges::none_of(pair, [&](std::size_t site) { return set[site]; })) {
            steps.push_back(withSites(set, pair));
        }
    }
    return steps;
}

std::vector<FloatSites> SiteSearch::Impl::pairsFrom(const FloatSites& set) const {
    std::vector<FloatSites> pairs;
    for (const auto& [left, right] : searched.space().neighbours) {
        if (!set[left] && !set[right]) {
            pairs.push_back(withSites(set, {left, right}));
        }
    }
    return pairs;
}

void SiteSearch::Impl::findTogether(const FloatSites& from) {
    const double all = searched.find(from)->noise;
    const auto gain = [&](const SiteList& sites) {
        const SearchPoint* point = searched.find(withSites(from, sites));
        return point == nullptr ? 0.0 : all - point->noise;
    };
    for (const auto& [left, right] : searched.space().neighbours) {
        constexpr double more = 1.2;  // than the sum: less is chance
        if (gain({left, right}) > more * (std::max(gain({left}), 0.0) + std::max(gain({right}), 0.0))) {
            together.push_back({left, right});
        }
    }
}

/// Whether there was one.
Result<bool> SiteSearch::Impl::stepOfPath() {
    const FloatSites at = ofCount.at(pathAt);
    if (SearchedSites::quantizedIn(at).empty() || searched.isOver()) {
        return false;
    }
    const bool isFirst = at == searched.space().fixed;
    std::vector<FloatSites> steps = stepsFrom(at);
    if (isFirst) {
        std::ranges::move(pairsFrom(at), std::back_inserter(steps));
    }
    ET_TRY(searched.measure(steps));
    const auto isUnknown = [&](const FloatSites& step) { return searched.find(step) == nullptr; };
    if (std::ranges::any_of(steps, isUnknown)) {
        return false;  // the best of some need not be the best of all
    }
    for (const FloatSites& step : steps) {
        const SearchPoint& point = *searched.find(step);
        const auto [place, isNew] = ofCount.try_emplace(point.count(), step);
        if (!isNew && point.noise < searched.find(place->second)->noise) {
            place->second = step;
        }
    }
    if (isFirst) {
        findTogether(at);
    }
    ++pathAt;
    ET_TRY(searched.addBytes(ofCount.at(pathAt)));
    return true;
}

/// Whether one does.
Result<bool> SiteSearch::Impl::takeFirstThatFits(const std::vector<std::pair<double, FloatSites>>& ranked,
                                                 FloatSites& at, const SearchLimits& limits) {
    for (const auto& [gain, step] : ranked) {
        ET_ASSIGN(const double guess, searched.guessedBytes(step));
        if (limits.maxBytes && guess > unsureBytes * static_cast<double>(*limits.maxBytes)) {
            continue;
        }
        ET_TRY(searched.addBytes(step));
        if (!limits.maxBytes || *searched.find(step)->bytes <= *limits.maxBytes) {
            at = step;
            return true;
        }
    }
    return false;
}

/// Whether there was one that fits.
Result<bool> SiteSearch::Impl::stepOfThrift(FloatSites& at, const SearchLimits& limits) {
    const std::vector<FloatSites> steps = stepsFrom(at);
    ET_TRY(searched.measure(steps));
    const double noise = searched.find(at)->noise;
    ET_ASSIGN(const double bytes, searched.guessedBytes(at));
    std::vector<std::pair<double, FloatSites>> ranked;
    for (const FloatSites& step : steps) {
        const SearchPoint* point = searched.find(step);
        if (point == nullptr) {
            return false;
        }
        ET_ASSIGN(const double more, searched.guessedBytes(step));
        if (point->noise < noise) {
            ranked.emplace_back((noise - point->noise) / std::max(more - bytes, 1.0), step);
        }
    }
    std::ranges::stable_sort(ranked, std::ranges::greater(), &std::pair<double, FloatSites>::first);
    return takeFirstThatFits(ranked, at, limits);
}

SiteSearch::SiteSearch(SearchSpace of, SiteMeasures& by) : impl(std::make_unique<Impl>(std::move(of), by)) {
}

SiteSearch::~SiteSearch() = default;

Result<> SiteSearch::followPath(const SearchLimits& limits) {
    ET_TRY(impl->begin());
    while (!impl->ofCount.empty()) {
        const SearchPoint& at = *impl->searched.find(impl->ofCount.at(impl->pathAt));
        const bool isEnough = (limits.maxBytes && *at.bytes > *limits.maxBytes) ||
                              (limits.maxNoise && at.noise <= *limits.maxNoise) ||
                              (limits.maxInFloat && at.count() >= *limits.maxInFloat);
        if (isEnough) {
            break;
        }
        ET_ASSIGN(const bool went, impl->stepOfPath());
        if (!went) {
            break;
        }
    }
    return {};
}

Result<> SiteSearch::followThrift(const SearchLimits& limits) {
    ET_TRY(impl->begin());
    FloatSites at = impl->searched.space().fixed;
    bool goesOn = !impl->ofCount.empty();
    while (goesOn && !impl->searched.isOver() &&
           !(limits.maxNoise && impl->searched.find(at)->noise <= *limits.maxNoise)) {
        ET_ASSIGN(goesOn, impl->stepOfThrift(at, limits));
    }
    return {};
}

Result<> SiteSearch::exchange(const SearchLimits& limits) {
    bool goesOn = true;
    while (goesOn) {
        ET_ASSIGN(goesOn, exchangeSites(impl->searched, limits));
    }
    return {};
}

std::optional<SearchPoint> SiteSearch::best(const SearchLimits& limits) const {
    const SearchPoint* found = impl->searched.best(limits);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

std::vector<SearchPoint> SiteSearch::points() const {
    std::vector<SearchPoint> points;
    for (const auto& [set, point] : impl->searched.all()) {
        if (point.bytes) {
            points.push_back(point);
        }
    }
    std::ranges::stable_sort(points, {}, &SearchPoint::count);
    return points;
}

std::size_t SiteSearch::measured() const {
    return impl->searched.all().size();
}

}  // namespace et::app
