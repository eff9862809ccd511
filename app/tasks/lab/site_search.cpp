#include "app/tasks/lab/site_search.h"

#include "app/tasks/lab/searched_sites.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace et::tasks {

using core::Result;

namespace {

/// A step with its rating; higher ratings are taken first.
struct RatedStep {
    double rate = 0;
    SiteMoves moves;
};

void sortByRate(std::vector<RatedStep>& steps) {
    std::ranges::stable_sort(steps, std::ranges::greater(), &RatedStep::rate);
}

}  // namespace

struct SiteSearch::Impl {
    Impl(SearchSpace of, SiteMeasures& by) : searched(std::move(of), by) {}

    /// Last measured ratings of steps, within one walk.
    using Rates = std::map<SiteMoves, double>;
    /// Rates a step from a choice; nothing if it is not an improvement.
    using RateOf = std::function<Result<std::optional<double>>(const SearchPoint& to)>;

    Result<> begin();
    [[nodiscard]] std::vector<SiteMoves> stepsFrom(const SiteSchemes& at) const;
    [[nodiscard]] std::vector<SiteMoves> pairsFrom(const SiteSchemes& at) const;
    void findTogether(const SiteSchemes& from);
    Result<bool> stepOfPath();
    Result<std::vector<RatedStep>> rated(const SiteSchemes& at, const std::vector<SiteMoves>& steps,
                                         const RateOf& rateOf, Rates& rates);
    Result<bool> stepOfThrift(SiteSchemes& at, const SearchLimits& limits, MoveKind kind, Rates& rates);
    Result<bool> stepOfSqueeze(SiteSchemes& at, const SearchLimits& limits, Rates& rates);
    Result<bool> takeFirstThatFits(const std::vector<RatedStep>& ranked, SiteSchemes& at,
                                   const SearchLimits& limits);

    SearchedSites searched;
    std::vector<SiteMoves> together;  ///< neighbours with a larger effect together than separately
    std::map<std::size_t, SiteSchemes> ofCount{};  ///< the path: the best choice by number of sites in float
    std::size_t pathAt = 0;                        ///< its end
};

/// Adds both ends: the start, and the choice with as many sites in float as possible.
Result<> SiteSearch::Impl::begin() {
    const SiteSchemes& start = searched.space().start;
    if (!ofCount.empty()) {
        return {};
    }
    const SiteSchemes none = afterMoves(start, searched.movesFrom(start, MoveKind::ToFloat));
    ET_TRY(searched.measure({start, none}));
    if (const SearchPoint* first = searched.find(start); first != nullptr) {
        ET_TRY(searched.addBytes(start));
        pathAt = first->count();
        ofCount.emplace(pathAt, start);
    }
    return searched.find(none) != nullptr ? searched.addBytes(none) : Result<>();
}

/// Returns candidates for the next step to float: single sites in graph order, then pairs.
std::vector<SiteMoves> SiteSearch::Impl::stepsFrom(const SiteSchemes& at) const {
    std::vector<SiteMoves> steps;
    for (const SiteMove& move : searched.movesFrom(at, MoveKind::ToFloat)) {
        steps.push_back({move});
    }
    for (const SiteMoves& pair : together) {
        if (std::ranges::all_of(pair, [&](const SiteMove& each) { return at[each.site].has_value(); })) {
            steps.push_back(pair);
        }
    }
    return steps;
}

std::vector<SiteMoves> SiteSearch::Impl::pairsFrom(const SiteSchemes& at) const {
    std::vector<SiteMoves> pairs;
    const auto canMove = [&](std::size_t site) { return at[site] && searched.canBeFloat(site); };
    for (const auto& [left, right] : searched.space().neighbours) {
        if (canMove(left) && canMove(right)) {
            pairs.push_back({{.site = left, .scheme = {}}, {.site = right, .scheme = {}}});
        }
    }
    return pairs;
}

void SiteSearch::Impl::findTogether(const SiteSchemes& from) {
    const double all = searched.find(from)->noise;
    const auto gain = [&](const SiteMoves& moves) {
        const SearchPoint* point = searched.find(afterMoves(from, moves));
        return point == nullptr ? 0.0 : all - point->noise;
    };
    for (const SiteMoves& pair : pairsFrom(from)) {
        constexpr double more = 1.2;  // factor over the sum; smaller effects may be random
        if (gain(pair) > more * (std::max(gain({pair[0]}), 0.0) + std::max(gain({pair[1]}), 0.0))) {
            together.push_back(pair);
        }
    }
}

/// Returns whether there was a step.
Result<bool> SiteSearch::Impl::stepOfPath() {
    const SiteSchemes at = ofCount.at(pathAt);
    std::vector<SiteMoves> moves = stepsFrom(at);
    if (moves.empty() || searched.isOver()) {
        return false;
    }
    const bool isFirst = at == searched.space().start;
    if (isFirst) {
        std::ranges::move(pairsFrom(at), std::back_inserter(moves));
    }
    std::vector<SiteSchemes> steps;
    std::ranges::transform(moves, std::back_inserter(steps),
                           [&](const SiteMoves& each) { return afterMoves(at, each); });
    ET_TRY(searched.measure(steps));
    const auto isUnknown = [&](const SiteSchemes& step) { return searched.find(step) == nullptr; };
    if (std::ranges::any_of(steps, isUnknown)) {
        return false;  // the best of a subset may not be the best of all
    }
    for (const SiteSchemes& step : steps) {
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

/// Measures the steps, or, if there are too many, those with the highest last ratings, because ratings change
/// little from one choice to the next. Returns the best first; none if the time is up.
Result<std::vector<RatedStep>> SiteSearch::Impl::rated(const SiteSchemes& at,
                                                       const std::vector<SiteMoves>& steps,
                                                       const RateOf& rateOf, Rates& rates) {
    constexpr std::size_t most = 32;
    constexpr std::size_t again = 12;
    const bool isKnown =
        std::ranges::all_of(steps, [&](const SiteMoves& each) { return rates.contains(each); });
    std::vector<RatedStep> asked;
    for (const SiteMoves& each : steps) {
        const auto known = rates.find(each);
        asked.push_back({.rate = known == rates.end() ? 0 : known->second, .moves = each});
    }
    if (steps.size() > most && isKnown) {
        sortByRate(asked);
        asked.resize(again);
    }
    std::vector<SiteSchemes> choices;
    std::ranges::transform(asked, std::back_inserter(choices),
                           [&](const RatedStep& each) { return afterMoves(at, each.moves); });
    ET_TRY(searched.measure(choices));
    std::vector<RatedStep> ranked;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const SearchPoint* point = searched.find(choices[i]);
        if (point == nullptr) {
            return std::vector<RatedStep>();
        }
        ET_ASSIGN(const std::optional<double> rate, rateOf(*point));
        rates[asked[i].moves] = rate.value_or(-std::numeric_limits<double>::max());
        if (rate) {
            ranked.push_back({.rate = *rate, .moves = asked[i].moves});
        }
    }
    sortByRate(ranked);
    return ranked;
}

/// Returns whether a step satisfies the limits.
Result<bool> SiteSearch::Impl::takeFirstThatFits(const std::vector<RatedStep>& ranked, SiteSchemes& at,
                                                 const SearchLimits& limits) {
    for (const RatedStep& each : ranked) {
        const SiteSchemes step = afterMoves(at, each.moves);
        ET_ASSIGN(const double guess, searched.guessedBytes(step));
        if (limits.maxBytes && guess > unsureBytes * static_cast<double>(*limits.maxBytes)) {
            continue;
        }
        if (limits.maxTime && searched.guessedTime(step).value_or(*limits.maxTime + 1) > *limits.maxTime) {
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

/// Returns whether there was a step within the limits.
Result<bool> SiteSearch::Impl::stepOfThrift(SiteSchemes& at, const SearchLimits& limits, MoveKind kind,
                                            Rates& rates) {
    std::vector<SiteMoves> steps = stepsFrom(at);
    for (const SiteMove& move : searched.movesFrom(at, kind)) {
        if (move.scheme) {
            steps.push_back({move});
        }
    }
    const double noise = searched.find(at)->noise;
    ET_ASSIGN(const auto cost, searched.guessedCost(at, limits));
    const auto rateOf = [&](const SearchPoint& to) -> Result<std::optional<double>> {
        ET_ASSIGN(const auto more, searched.guessedCost(to.schemes, limits));
        if (to.noise >= noise || !cost || !more) {
            return std::nullopt;
        }
        return (noise - to.noise) / std::max(*more - *cost, 1.0);
    };
    ET_ASSIGN(const auto ranked, rated(at, steps, rateOf, rates));
    return takeFirstThatFits(ranked, at, limits);
}

/// Returns whether there was a step.
Result<bool> SiteSearch::Impl::stepOfSqueeze(SiteSchemes& at, const SearchLimits& limits, Rates& rates) {
    const double noise = searched.find(at)->noise;
    ET_ASSIGN(const double bytes, searched.guessedBytes(at));
    std::vector<SiteMoves> steps;
    for (const SiteMove& move : searched.movesFrom(at, MoveKind::Any)) {
        ET_ASSIGN(const double fewer, searched.guessedBytes(afterMoves(at, {move})));
        if (fewer < bytes) {
            steps.push_back({move});
        }
    }
    const auto rateOf = [&](const SearchPoint& to) -> Result<std::optional<double>> {
        ET_ASSIGN(const double fewer, searched.guessedBytes(to.schemes));
        if (limits.maxNoise && to.noise > *limits.maxNoise) {
            return std::nullopt;
        }
        return (noise - to.noise) / std::max(bytes - fewer, 1.0);
    };
    ET_ASSIGN(const auto ranked, rated(at, steps, rateOf, rates));
    for (const RatedStep& each : ranked) {
        const SiteSchemes step = afterMoves(at, each.moves);
        ET_TRY(searched.addBytes(step));
        if (static_cast<double>(*searched.find(step)->bytes) < bytes) {
            at = step;
            return true;
        }
    }
    return false;
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

Result<> SiteSearch::followThrift(const SearchLimits& limits, MoveKind kind) {
    ET_TRY(impl->begin());
    SiteSchemes at = impl->searched.space().start;
    Impl::Rates rates;
    bool goesOn = !impl->ofCount.empty();
    while (goesOn && !impl->searched.isOver() &&
           !(limits.maxNoise && impl->searched.find(at)->noise <= *limits.maxNoise)) {
        ET_ASSIGN(goesOn, impl->stepOfThrift(at, limits, kind, rates));
    }
    return {};
}

Result<> SiteSearch::squeeze(const SearchLimits& limits) {
    ET_TRY(impl->begin());
    const SearchPoint* best = limits.isNone() ? nullptr : impl->searched.best(limits);
    SiteSchemes at = best == nullptr ? impl->searched.space().start : best->schemes;
    const bool isNear = !limits.maxNoise || best != nullptr;
    Impl::Rates rates;
    bool goesOn = isNear && !impl->ofCount.empty();
    while (goesOn && !impl->searched.isOver() &&
           !(limits.maxBytes && *impl->searched.find(at)->bytes <= *limits.maxBytes)) {
        ET_ASSIGN(goesOn, impl->stepOfSqueeze(at, limits, rates));
    }
    return {};
}

Result<> SiteSearch::exchange(const SearchLimits& limits, MoveKind kind) {
    bool goesOn = true;
    while (goesOn) {
        ET_ASSIGN(goesOn, exchangeSites(impl->searched, limits, kind));
    }
    return {};
}

Result<> SiteSearch::tryUniform() {
    ET_TRY(impl->begin());
    SearchedSites& searched = impl->searched;
    const SiteSchemes& start = searched.space().start;
    const SiteSchemes allFloat = afterMoves(start, searched.movesFrom(start, MoveKind::ToFloat));
    std::map<SiteScheme, SiteMoves> byScheme;
    for (const SiteMove& move : moves()) {
        byScheme[move.scheme].push_back(move);
    }
    std::vector<SiteSchemes> choices;
    for (const auto& [scheme, all] : byScheme) {
        choices.push_back(afterMoves(start, all));
        choices.push_back(afterMoves(allFloat, all));
    }
    ET_TRY(searched.measure(choices));
    for (const SiteSchemes& each : choices) {
        ET_TRY(searched.find(each) == nullptr ? Result<>() : searched.addBytes(each));
    }
    return {};
}

Result<> SiteSearch::dropUseless() {
    ET_TRY(impl->begin());
    SearchedSites& searched = impl->searched;
    const SiteSchemes start = searched.space().start;
    std::vector<SiteSchemes> singles;
    for (const SiteMove& move : moves()) {
        singles.push_back(afterMoves(start, {move}));
    }
    ET_TRY(searched.measure(singles));
    for (const SiteMove& move : moves()) {
        const SiteSchemes withFloat = afterMoves(start, {{.site = move.site, .scheme = {}}});
        const SiteSchemes with = afterMoves(start, {move});
        if (searched.isOver() || !move.scheme || !searched.canBeFloat(move.site) ||
            searched.find(withFloat) == nullptr || searched.find(with) == nullptr) {
            continue;
        }
        ET_ASSIGN(const double bytes, searched.guessedBytes(with));
        ET_ASSIGN(const double floatBytes, searched.guessedBytes(withFloat));
        if (bytes >= floatBytes && searched.find(with)->noise >= searched.find(withFloat)->noise) {
            searched.drop(move);
        }
    }
    return {};
}

std::vector<SiteMove> SiteSearch::moves() const {
    return impl->searched.movesFrom(impl->searched.space().start, MoveKind::Any);
}

void SiteSearch::setTimes(MoveTimes times) {
    impl->searched.setTimes(std::move(times));
}

std::optional<double> SiteSearch::guessedTime(const SiteSchemes& choice) const {
    return impl->searched.guessedTime(choice);
}

std::optional<SearchPoint> SiteSearch::best(const SearchLimits& limits) const {
    const SearchPoint* found = impl->searched.best(limits);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

std::vector<SearchPoint> SiteSearch::points() const {
    std::vector<SearchPoint> points;
    for (const auto& [choice, point] : impl->searched.all()) {
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

}  // namespace et::tasks
