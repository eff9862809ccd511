#include "inspector/trend/series_levels.h"

#include "inspector/comparison/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace et::inspector {
namespace {

constexpr double deviationPerMedian = 1.4826;  ///< for the normal distribution

/// Noise of a series with steps, from the differences of neighbours, few of which are steps. 0: it never
/// changes.
double noiseOf(std::span<const double> series) {
    std::vector<double> differences;
    double squares = 0;
    for (std::size_t i = 1; i < series.size(); ++i) {
        differences.push_back(std::abs(series[i] - series[i - 1]));
        squares += differences.back() * differences.back();
    }
    if (differences.empty()) {
        return 0;
    }
    const double robust = deviationPerMedian * median(differences);
    const double plain = std::sqrt(squares / static_cast<double>(differences.size()));
    return (robust > 0 ? robust : plain) / std::numbers::sqrt2;
}

/// Logarithms, because noise is proportional to the level. Times of 0 are replaced with half of the smallest
/// positive one.
std::vector<double> logarithms(std::span<const double> series) {
    double smallest = std::numeric_limits<double>::max();
    for (const double each : series) {
        smallest = each > 0 ? std::min(smallest, each) : smallest;
    }
    std::vector<double> logs;
    for (const double each : series) {
        logs.push_back(std::log(std::max(each, smallest / 2)));
    }
    return logs;
}

/// Lag-1 autocorrelation, corrected for the bias from subtracting this many means (Kendall, "Note on bias in
/// the estimation of autocorrelation", Biometrika 1954).
double computeCorrelation(std::span<const float> rest, std::size_t means) {
    double products = 0;
    double squares = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        products += i > 0 ? static_cast<double>(rest[i] * rest[i - 1]) : 0;
        squares += static_cast<double>(rest[i] * rest[i]);
    }
    const double plain = squares > 0 ? products / squares : 0;
    return plain + (1 + 3 * plain) * static_cast<double>(means) / static_cast<double>(rest.size());
}

/// Estimates the autocorrelation r from differences, which are hardly affected by remaining levels, even less
/// because large ones are clipped: the variance of neighbours' differences is proportional to 1 - r, that of
/// points two apart to 1 - r^2.
double dependenceByDifferences(std::span<const float> rest) {
    std::vector<double> sizes;
    for (std::size_t i = 1; i < rest.size(); ++i) {
        sizes.push_back(std::abs(static_cast<double>(rest[i] - rest[i - 1])));
    }
    const double most = static_cast<double>(clipAt) * deviationPerMedian * median(sizes);
    const auto variance = [&](std::size_t apart) {
        double squares = 0;
        for (std::size_t i = apart; i < rest.size(); ++i) {
            const double away = std::clamp(static_cast<double>(rest[i] - rest[i - apart]), -most, most);
            squares += away * away;
        }
        return squares / static_cast<double>(rest.size() - apart);
    };
    const double ofNeighbours = variance(1);
    return ofNeighbours > 0 ? variance(2) / ofNeighbours - 1 : 0;
}

}  // namespace

Levels::Levels(std::span<const double> times) : series(logarithms(times)), noise(noiseOf(series)) {
    for (double& each : series) {
        each = noise > 0 ? each / noise : 0;
    }
}

bool Levels::mayCut(const Cut& cut, std::size_t minLevel) const {
    return std::ranges::none_of(cuts, [&](std::size_t known) {
        const auto isNear = [&](std::size_t at) {
            return std::max(known, at) - std::min(known, at) < minLevel;
        };
        return isNear(cut.from) || isNear(cut.to);
    });
}

std::vector<float> residuals(const Levels& levels, std::span<const std::size_t> cuts) {
    std::vector<float> rest;
    rest.reserve(levels.series.size());
    std::size_t from = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const std::size_t to = i < cuts.size() ? cuts[i] : levels.series.size();
        const std::span level = std::span(levels.series).subspan(from, to - from);
        const double middle = median(level);
        std::vector<float> calm;
        for (const double each : level) {
            calm.push_back(static_cast<float>(each - middle));
        }
        std::vector<float> room;
        clipOutliers(calm, clipAt, room);
        const double mean =
            middle + std::reduce(calm.begin(), calm.end(), 0.0) / static_cast<double>(level.size());
        for (const double each : level) {
            rest.push_back(static_cast<float>(each - mean));
        }
        from = to;
    }
    return rest;
}

std::vector<float> withoutOutliers(std::span<const float> rest) {
    std::vector<float> calm(rest.begin(), rest.end());
    std::vector<float> room;
    clipOutliers(calm, clipAt, room);
    return calm;
}

/// The correlation, unless differences show that it comes from remaining levels.
double computeDependence(std::span<const float> rest, std::size_t means) {
    constexpr double margin = 0.15;  // about a standard error of the second
    return std::min(computeCorrelation(rest, means), dependenceByDifferences(rest) + margin);
}

std::vector<std::size_t> withCut(std::vector<std::size_t> cuts, const Cut& cut, std::size_t points) {
    for (const std::size_t at : {cut.from, cut.to}) {
        if (at < points) {
            cuts.insert(std::ranges::lower_bound(cuts, at), at);
        }
    }
    return cuts;
}

}  // namespace et::inspector
