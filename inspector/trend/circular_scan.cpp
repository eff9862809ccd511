#include "inspector/trend/circular_scan.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace et::inspector {
namespace {

/// Minimum length of parts inside a series: three measurements disturbed together, for example by a compiler,
/// would otherwise be as clear as a permanent step.
constexpr std::size_t minInside = 5;
/// Parts of a length are evaluated at this many offsets per length.
constexpr std::size_t stepsOfLength = 8;

/// Weight of the difference of the means of `part` points and the other points of `all`.
float weightOf(std::size_t part, std::size_t all) {
    const auto inside = static_cast<float>(part);
    const auto outside = static_cast<float>(all - part);
    return std::sqrt(static_cast<float>(all) / (inside * outside));
}

/// The largest value(i) for i below `count`. Uses lanes, which compilers can vectorize without reordering.
template <class Value>
float largestOf(std::size_t count, Value value) {
    constexpr std::size_t lanes = 16;
    std::array<float, lanes> best{};
    const std::size_t whole = count / lanes * lanes;
    for (std::size_t i = 0; i < whole; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const float each = value(i + lane);
            best[lane] = best[lane] < each ? each : best[lane];
        }
    }
    for (std::size_t i = whole; i < count; ++i) {
        best[0] = std::max(best[0], value(i));
    }
    return std::ranges::max(best);
}

}  // namespace

CircularScan::CircularScan(std::size_t count, std::size_t minLevel)
    : points(count), minimum(std::max<std::size_t>(minLevel, 1)), sums(count + 1) {
    for (std::size_t at = minimum; at + minimum <= points; ++at) {
        endWeights.push_back(weightOf(at, points));
    }
    for (std::size_t length = std::max(minimum, minInside); length + 2 * minimum <= points;
         length += std::max<std::size_t>(1, length / 4)) {
        const std::size_t step = std::max<std::size_t>(1, length / stepsOfLength);
        inner.push_back({.length = length,
                         .step = step,
                         .count = (points - length - 2 * minimum) / step + 1,
                         .weight = weightOf(length, points)});
    }
}

std::size_t CircularScan::parts() const {
    std::size_t all = endWeights.size();
    for (const Lengths& each : inner) {
        all += each.count;
    }
    return all;
}

void CircularScan::sum(std::span<const float> series) const {
    float whole = 0;
    for (const float each : series) {
        whole += each;
    }
    const float mean = points == 0 ? 0 : whole / static_cast<float>(points);
    float running = 0;
    for (std::size_t i = 0; i < points; ++i) {
        running += series[i] - mean;
        sums[i + 1] = running;
    }
}

float CircularScan::largest(std::span<const float> series) const {
    sum(series);
    const float* const ends = sums.data() + minimum;
    float best =
        largestOf(endWeights.size(), [&](std::size_t i) { return std::abs(ends[i]) * endWeights[i]; });
    for (const Lengths& each : inner) {
        const float* const behind = ends + each.length;
        const float most =
            each.step == 1
                ? largestOf(each.count, [&](std::size_t i) { return std::abs(behind[i] - ends[i]); })
                : largestOf(each.count, [&](std::size_t i) {
                      return std::abs(behind[i * each.step] - ends[i * each.step]);
                  });
        best = std::max(best, most * each.weight);
    }
    return best;
}

Cut CircularScan::best(std::span<const float> series) const {
    sum(series);
    Cut best;
    const auto consider = [&](std::size_t from, std::size_t to, float weight) {
        const float deviations = std::abs(sums[to] - sums[from]) * weight;
        if (static_cast<double>(deviations) > best.deviations) {
            best = {.from = from, .to = to, .deviations = deviations};
        }
    };
    for (std::size_t i = 0; i < endWeights.size(); ++i) {
        consider(minimum + i, points, endWeights[i]);
    }
    for (const Lengths& each : inner) {
        for (std::size_t i = 0; i < each.count; ++i) {
            const std::size_t from = minimum + i * each.step;
            consider(from, from + each.length, each.weight);
        }
    }
    return best;
}

}  // namespace et::inspector
