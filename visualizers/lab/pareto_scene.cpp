#include "visualizers/lab/pareto_scene.h"

#include "inspector/plot/axis.h"
#include "visualizers/lab/lab_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double costRoom = 0.08;    // margin on both sides, relative to the span
constexpr double errorRoom = 1.5;    // margin factor beyond the extremes
constexpr double leastShown = 1e-5;  // 100 dB: smaller differences are float rounding
constexpr double exactPlace = 0.94;  // of the height: position of programs without an error
constexpr double errorShare = 0.86;  // of the height: length of the axis

std::optional<double> costOf(const LabFigures& figures, ParetoCost which) {
    return which == ParetoCost::Bytes ? figures.bytes : figures.milliseconds;
}

}  // namespace

ParetoScene::ParetoScene(const LabStudy& study, const std::vector<LabCandidate>& candidates, ParetoCost cost,
                         const std::optional<LabCandidate>& predicted)
    : which(cost) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const LabFigures& figures = candidates[i].figures;
        if (const auto value = costOf(figures, which); value && figures.noise) {
            shown.push_back({.candidate = i,
                             .cost = *value,
                             .noise = *figures.noise,
                             .text = labCandidateText(study, candidates[i])});
        } else {
            ++unplaced;
        }
    }
    std::ranges::stable_sort(shown, {}, &ParetoPoint::cost);
    sayBest();
    if (predicted) {
        if (const auto value = costOf(predicted->figures, which); value && predicted->figures.noise) {
            shown.push_back({.cost = *value,
                             .noise = *predicted->figures.noise,
                             .text = labCandidateText(study, *predicted)});
        }
    }
    findSpan();
}

void ParetoScene::sayBest() {
    double least = std::numeric_limits<double>::infinity();
    for (ParetoPoint& point : shown) {
        point.best = point.noise < least;
        least = std::min(least, point.noise);
    }
}

void ParetoScene::findSpan() {
    if (shown.empty()) {
        return;
    }
    const auto [low, high] = std::ranges::minmax(shown, {}, &ParetoPoint::cost);
    const double spare = std::max((high.cost - low.cost) * costRoom, high.cost * costRoom / 4);
    leastCost = std::max(low.cost - spare, 0.0);
    mostCost = std::max(high.cost + spare, leastCost + 1e-9);
    std::optional<std::pair<double, double>> errors;
    for (const ParetoPoint& point : shown) {
        const double error = std::sqrt(point.noise);
        if (error > leastShown) {
            errors = errors ? std::pair(std::min(errors->first, error), std::max(errors->second, error))
                            : std::pair(error, error);
        }
    }
    if (errors) {
        leastError = errors->first / errorRoom;
        mostError = errors->second * errorRoom;
    }
}

std::optional<std::size_t> ParetoScene::pointOf(std::size_t candidate) const {
    const auto found = std::ranges::find(shown, std::optional(candidate), &ParetoPoint::candidate);
    return found == shown.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - shown.begin()));
}

QPointF ParetoScene::placeOf(const ParetoPoint& point) const {
    return {placeOfCost(point.cost), placeOfError(std::sqrt(point.noise))};
}

double ParetoScene::placeOfCost(double value) const {
    return (value - leastCost) / (mostCost - leastCost);
}

double ParetoScene::costAt(double place) const {
    return leastCost + place * (mostCost - leastCost);
}

double ParetoScene::placeOfError(double error) const {
    return error > leastShown
               ? errorShare * (1 - std::log(error / leastError) / std::log(mostError / leastError))
               : exactPlace;
}

double ParetoScene::errorAt(double place) const {
    return leastError * std::pow(mostError / leastError, 1 - place / errorShare);
}

bool ParetoScene::hasExact() const {
    return std::ranges::any_of(shown,
                               [](const ParetoPoint& point) { return std::sqrt(point.noise) <= leastShown; });
}

std::vector<double> ParetoScene::errorLines(double top, double bottom) const {
    constexpr double decadeSpan = 10;
    constexpr double fewLines = 4;
    const double from = errorAt(std::clamp(bottom, 0.0, errorShare));
    const double to = errorAt(std::clamp(top, 0.0, errorShare));
    std::vector<double> lines;
    if (to <= from) {
        return lines;
    }
    if (to < from * decadeSpan) {
        const double step = inspector::plot::roundStep((to - from) / fewLines);
        for (double number = std::ceil(from / step); number * step <= to; ++number) {
            lines.push_back(number * step);
        }
        return lines;
    }
    for (double decade = std::pow(10, std::floor(std::log10(from))); decade <= to; decade *= 10) {
        for (const int step : {1, 2, 5}) {
            if (const double error = decade * step; error >= from && error <= to) {
                lines.push_back(error);
            }
        }
    }
    return lines;
}

QString ParetoScene::costText(double value) const {
    return which == ParetoCost::Bytes ? labBytes(value) : labTime(value);
}

}  // namespace et::visualizers
