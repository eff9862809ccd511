#include "app/tasks/shapes/size_curve.h"

#include "app/tasks/compare/operator_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::app {
namespace {

using Samples = std::span<const SizeSample>;

/// Less than this between the smallest and the largest value is no change.
constexpr double leastChange = 0.05;
/// A step rises by so much of the value before it, ...
constexpr double leastStep = 0.1;
/// ... so many times as steeply as the curve beside it, ...
constexpr double stepSteepness = 3;
/// ... and by so many times what measuring twice was apart.
constexpr double clearOfNoise = 3;

double slopeBetween(const SizeSample& left, const SizeSample& right) {
    return (right.value - left.value) / static_cast<double>(right.size - left.size);
}

SizeLine lineThrough(Samples samples) {
    std::vector<double> slopes;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t k = i + 1; k < samples.size(); ++k) {
            slopes.push_back(slopeBetween(samples[i], samples[k]));
        }
    }
    SizeLine line{.base = 0, .slope = medianOf(std::move(slopes))};
    std::vector<double> bases;
    for (const SizeSample& each : samples) {
        bases.push_back(each.value - line.slope * static_cast<double>(each.size));
    }
    line.base = medianOf(std::move(bases));
    return line;
}

/// One in eight may be off, as single measurements are disturbed, but not the last two.
bool isLine(Samples samples, const SizeLine& line) {
    const auto isOff = [&](const SizeSample& each) {
        return std::abs(each.value - line.at(each.size)) >
               linearTolerance * std::abs(each.value) + each.spread;
    };
    constexpr std::ptrdiff_t oneIn = 8;
    return std::ranges::count_if(samples, isOff) <= std::ssize(samples) / oneIn &&
           std::ranges::none_of(samples.last(2), isOff);
}

void findLine(Samples samples, SizeTrend& trend) {
    trend.line = lineThrough(samples);
    for (std::size_t count = samples.size(); count >= minLinearSizes; --count) {
        const SizeLine line = lineThrough(samples.first(count));
        if (isLine(samples.first(count), line)) {
            trend.line = line;
            trend.linearUntil = samples[count - 1].size;
            return;
        }
    }
}

void nameMaker(SizeStep& step, std::size_t after, std::span<const SizePart> parts) {
    for (const SizePart& part : parts) {
        const double rise = part.values[after] - part.values[after - 1];
        if (rise > step.makerRise) {
            step.maker = part.name;
            step.makerRise = rise;
        }
    }
}

void findSteps(Samples samples, std::span<const SizePart> parts, SizeTrend& trend) {
    const double usual = std::abs(lineThrough(samples).slope);
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const SizeSample& left = samples[i - 1];
        const SizeSample& right = samples[i];
        double beside = usual;
        beside = i > 1 ? std::max(beside, std::abs(slopeBetween(samples[i - 2], left))) : beside;
        beside =
            i + 1 < samples.size() ? std::max(beside, std::abs(slopeBetween(right, samples[i + 1]))) : beside;
        const double rise = right.value - left.value;
        if (rise > leastStep * left.value && slopeBetween(left, right) > stepSteepness * beside &&
            rise > clearOfNoise * std::max(left.spread, right.spread)) {
            SizeStep step{.before = left.size, .after = right.size, .from = left.value, .to = right.value};
            nameMaker(step, i, parts);
            trend.steps.push_back(std::move(step));
        }
    }
}

}  // namespace

SizeTrend trendOf(Samples samples, std::span<const SizePart> parts) {
    SizeTrend trend;
    if (samples.empty()) {
        return trend;
    }
    std::vector<inspector::GrowthSample> positions;
    for (const SizeSample& each : samples) {
        positions.push_back({.position = static_cast<double>(each.size), .time = each.value});
    }
    const auto [least, most] = std::ranges::minmax(samples, {}, &SizeSample::value);
    trend.changes = most.value - least.value > leastChange * most.value;
    trend.fit = inspector::fitGrowth(positions);
    findLine(samples, trend);
    if (samples.size() >= minLinearSizes) {
        findSteps(samples, parts, trend);
    }
    return trend;
}

std::vector<std::int64_t> sizesBetween(std::int64_t first, std::int64_t last, std::int64_t step,
                                       std::size_t most) {
    std::vector<std::int64_t> sizes;
    if (step > 0) {
        for (std::int64_t size = first; size < last; size += step) {
            sizes.push_back(size);
        }
        sizes.push_back(last);
        return sizes;
    }
    const auto intervals = std::min<std::int64_t>(last - first, static_cast<std::int64_t>(most) - 1);
    for (std::int64_t i = 0; i <= intervals; ++i) {
        sizes.push_back(intervals == 0 ? first : first + (last - first) * i / intervals);
    }
    return sizes;
}

}  // namespace et::app
