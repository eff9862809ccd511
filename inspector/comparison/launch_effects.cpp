#include "inspector/comparison/launch_effects.h"

#include "inspector/comparison/statistics_signs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace et::inspector {
namespace comparison::detail {
namespace {

/// Times below this number of clock steps are not judged.
constexpr double minSteps = 3;
/// Clipping limits, because a launch hit by other load is unreliable. In the sign test: largest effect, in
/// medians of the effects' absolute values, which do not depend on the signs (2 is near Huber's constant if
/// they are centered on 0). In the estimate: largest deviation from the median, in robust standard
/// deviations.
constexpr double largestEffect = 2;
constexpr double largestDeviation = 2;

/// Range in which values count fully in an estimate.
Interval usualRange(std::span<const double> values) {
    constexpr double deviationsOfMedian = 1.4826;
    const double middle = median(values);
    std::vector<double> distances;
    for (const double each : values) {
        distances.push_back(std::abs(each - middle));
    }
    const double usual = median(distances);
    const double reach =
        usual > 0 ? largestDeviation * deviationsOfMedian * usual : std::numeric_limits<double>::max();
    return {.low = middle - reach, .high = middle + reach};
}

/// Weighted median; 0 without values.
double weightedMedian(std::vector<std::pair<double, double>> valuesAndWeights) {
    std::ranges::sort(valuesAndWeights);
    double all = 0;
    for (const auto& each : valuesAndWeights) {
        all += each.second;
    }
    double sum = 0;
    for (const auto& [value, weight] : valuesAndWeights) {
        sum += weight;
        if (2 * sum >= all) {
            return value;
        }
    }
    return 0;
}

/// Effect common to all operators in each launch: the median of their effects, weighted by how little they
/// vary. Zero if there are too few operators.
std::vector<double> commonEffects(std::span<const LaunchEffects> family, std::size_t launches) {
    constexpr std::size_t minOperators = 5;
    std::vector<double> common(launches, 0.0);
    std::vector<std::pair<const LaunchEffects*, double>> weights;
    for (const LaunchEffects& each : family) {
        const double squares =
            std::inner_product(each.effects.begin(), each.effects.end(), each.effects.begin(), 0.0);
        if (squares > 0 && !each.tooShort()) {
            weights.emplace_back(&each, static_cast<double>(each.launches()) / squares);
        }
    }
    for (std::size_t i = 0; i < launches && weights.size() >= minOperators; ++i) {
        std::vector<std::pair<double, double>> values;
        for (const auto& [member, weight] : weights) {
            if (member->present[i] > 0) {
                values.emplace_back(member->effects[i], weight);
            }
        }
        common[i] = values.size() < minOperators ? 0 : weightedMedian(std::move(values));
    }
    return common;
}

}  // namespace

MeanAndError meanOf(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    if (values.size() < 2) {
        return {.mean = values.empty() ? 0 : values.front(), .error = 0};
    }
    const double mean = std::reduce(values.begin(), values.end()) / count;
    double squares = 0;
    for (const double each : values) {
        squares += (each - mean) * (each - mean);
    }
    return {.mean = mean, .error = std::sqrt(squares / (count - 1) / count)};
}

std::vector<double> withoutLarge(std::vector<double> values, std::span<const double> present) {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (present[i] > 0) {
            sizes.push_back(std::abs(values[i]));
        }
    }
    const double usual = median(sizes);
    const double cut = usual > 0 ? largestEffect * usual : std::numeric_limits<double>::max();
    for (double& each : values) {
        each = std::clamp(each, -cut, cut);
    }
    return values;
}

std::vector<double> within(std::vector<double> values, const Interval& range) {
    for (double& each : values) {
        each = std::clamp(each, range.low, range.high);
    }
    return values;
}

double shareWithin(std::span<const double> values, const Interval& range) {
    const auto inside = std::ranges::count_if(values, [&](double each) { return range.contains(each); });
    return values.empty() || inside == 0 ? 1
                                         : static_cast<double>(inside) / static_cast<double>(values.size());
}

LaunchEffects::LaunchEffects(const LaunchSamples& of) : samples(&of) {
    constexpr double least = 1e-3;  // nanoseconds; keeps logarithms finite
    floor = std::max(least, samples->resolution / 2);
    for (std::size_t i = 0; i < std::min(samples->a.size(), samples->b.size()); ++i) {
        const bool isThere = !samples->a[i].empty() && !samples->b[i].empty();
        present.push_back(isThere ? 1 : 0);
        effects.push_back(0);
        if (isThere) {
            timesA.push_back(fasterHalf(samples->a[i]));
            timesB.push_back(fasterHalf(samples->b[i]));
            effects.back() = std::log(std::max(floor, timesB.back()) / std::max(floor, timesA.back()));
        }
    }
}

bool LaunchEffects::tooShort() const {
    return std::max(median(timesA), median(timesB)) < minSteps * samples->resolution;
}

std::vector<double> LaunchEffects::where(std::span<const double> values) const {
    std::vector<double> there;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (present[i] > 0) {
            there.push_back(values[i]);
        }
    }
    return there;
}

ProcessEffects::ProcessEffects(std::span<LaunchEffects> family, FamilyKind kind)
    : raw(family.empty() ? 0 : family.front().effects.size(), 0.0) {
    if (kind == FamilyKind::Process) {
        raw = commonEffects(family, raw.size());
    }
    cut = within(raw, usualRange(raw));
    MeanAndError found = meanOf(cut);
    found.error /= shareWithin(raw, usualRange(raw));
    share = believedShare(found.mean, found.error, processStrictness);
    for (LaunchEffects& each : family) {
        each.own = each.effects;
        for (std::size_t i = 0; i < each.own.size(); ++i) {
            each.own[i] -= each.present[i] > 0 ? raw[i] : 0;
        }
        each.range = usualRange(each.where(each.own));
    }
}

}  // namespace comparison::detail

double fasterHalf(std::span<const double> runs) {
    if (runs.empty()) {
        return 0;
    }
    std::vector<double> copy(runs.begin(), runs.end());
    const std::size_t half = (runs.size() + 1) / 2;
    std::ranges::nth_element(copy, copy.begin() + static_cast<std::ptrdiff_t>(half - 1));
    return std::reduce(copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(half)) /
           static_cast<double>(half);
}

double clockResolution(std::span<const std::span<const double>> times) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::span<const double> each : times) {
        std::vector<double> sorted(each.begin(), each.end());
        std::ranges::sort(sorted);
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            least = sorted[i] > sorted[i - 1] ? std::min(least, sorted[i] - sorted[i - 1]) : least;
        }
    }
    return std::isfinite(least) ? least : 0;
}

}  // namespace et::inspector
