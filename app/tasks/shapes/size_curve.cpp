#include "app/tasks/shapes/size_curve.h"

#include "app/tasks/compare/operator_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::tasks {
namespace {

using Samples = std::span<const SizeSample>;

/// A smaller relative difference between minimum and maximum is no change.
constexpr double leastChange = 0.05;
/// A step rises by at least this fraction of the value before it, ...
constexpr double leastStep = 0.1;
/// ... at least this many times as steeply as the neighbouring curve, ...
constexpr double stepSteepness = 3;
/// ... and by at least this multiple of the spread of two measurements.
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
    SizeLine line{.base = 0, .slope = computeMedian(std::move(slopes))};
    std::vector<double> bases;
    for (const SizeSample& each : samples) {
        bases.push_back(each.value - line.slope * static_cast<double>(each.size));
    }
    line.base = computeMedian(std::move(bases));
    return line;
}

/// One in eight samples may be off because of disturbances, but none of the first and last two: a line
/// through a curve deviates at the ends.
bool isLine(Samples samples, const SizeLine& line) {
    const auto isOff = [&](const SizeSample& each) {
        return std::abs(each.value - line.at(each.size)) > linearTolerance * std::abs(each.value);
    };
    constexpr std::ptrdiff_t oneIn = 8;
    return std::ranges::count_if(samples, isOff) <= std::ssize(samples) / oneIn &&
           std::ranges::none_of(samples.first(2), isOff) && std::ranges::none_of(samples.last(2), isOff);
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

std::string partText(const SizePart& part) {
    return part.calls > 1 ? fmt::format("{} ({} calls)", part.name, part.calls) : part.name;
}

void nameMaker(SizeStep& step, std::size_t after, std::span<const SizePart> parts) {
    for (const SizePart& part : parts) {
        const double rise = part.values[after] - part.values[after - 1];
        if (rise > step.makerRise) {
            step.maker = partText(part);
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

/// Number of sizes that determine the line: those up to linearUntil, otherwise the first third.
std::size_t sizesOfLine(Samples samples, const SizeTrend& trend) {
    if (!trend.linearUntil) {
        return std::max(minLinearSizes, samples.size() / 3);
    }
    const auto end = std::ranges::find(samples, *trend.linearUntil, &SizeSample::size);
    return static_cast<std::size_t>(end - samples.begin() + 1);
}

/// Finds the parts that exceed the line of these sizes by at least a tenth of the excess of the whole.
void findBends(Samples samples, std::span<const SizePart> parts, SizeTrend& trend) {
    const std::size_t lineCount = sizesOfLine(samples, trend);
    if (!trend.changes || lineCount == samples.size()) {
        return;
    }
    const std::int64_t last = samples.back().size;
    const double whole = samples.back().value - lineThrough(samples.first(lineCount)).at(last);
    for (const SizePart& part : parts) {
        std::vector<SizeSample> first;
        for (std::size_t i = 0; i < lineCount; ++i) {
            first.push_back({.size = samples[i].size, .value = part.values[i]});
        }
        const double excess = part.values.back() - lineThrough(first).at(last);
        constexpr double leastShare = 0.1;
        if (whole > 0 && excess > leastShare * whole) {
            trend.bends.push_back({.maker = partText(part), .excess = excess});
        }
    }
    std::ranges::stable_sort(trend.bends, std::ranges::greater{}, &Nonlinearity::excess);
    trend.bends.resize(std::min(trend.bends.size(), mostBends));
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
        findBends(samples, parts, trend);
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

std::vector<std::int64_t> sizesOf(const SizeRange& range) {
    constexpr std::size_t usualSizes = 17;
    return sizesBetween(range.first, range.last, range.step, usualSizes);
}

}  // namespace et::tasks
