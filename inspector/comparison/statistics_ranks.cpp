#include "inspector/comparison/statistics_ranks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace et::inspector {
namespace {

/// Sum of t^3 - t over the groups of t equal numbers.
double tieSum(std::vector<double> numbers) {
    std::ranges::sort(numbers);
    double sum = 0;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t end = first + 1;
        while (end < numbers.size() && numbers[end] == numbers[first]) {
            ++end;
        }
        const auto size = static_cast<double>(end - first);
        sum += size * size * size - size;
        first = end;
    }
    return sum;
}

/// Upper tail of a normal distribution above `excess`, with continuity correction for a statistic with steps
/// of 1.
double above(double excess, double variance) {
    constexpr double halfStep = 0.5;
    return variance > 0 ? 0.5 * std::erfc((excess - halfStep) / std::sqrt(2 * variance)) : 1;
}

}  // namespace

std::vector<double> ranks(std::span<const double> samples) {
    std::vector<std::size_t> order(samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t at) { return samples[at]; });
    std::vector<double> places(samples.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && samples[order[last + 1]] == samples[order[first]]) {
            ++last;
        }
        for (std::size_t i = first; i <= last; ++i) {
            places[order[i]] = std::midpoint(static_cast<double>(first), static_cast<double>(last));
        }
        first = last + 1;
    }
    return places;
}

double aboveByChance(std::span<const double> larger, std::span<const double> smaller) {
    std::vector<double> all(larger.begin(), larger.end());
    all.insert(all.end(), smaller.begin(), smaller.end());
    const std::vector<double> places = ranks(all);
    const auto here = static_cast<double>(larger.size());
    const auto there = static_cast<double>(smaller.size());
    const double count = here + there;
    // Pairs in which the sample of `larger` is larger.
    const double pairs =
        std::accumulate(places.begin(), places.begin() + std::ssize(larger), 0.0) - here * (here - 1) / 2;
    const double variance = here * there / 12 * (count + 1 - tieSum(places) / (count * (count - 1)));
    return above(pairs - here * there / 2, variance);
}

double positiveByChance(std::span<const double> differences) {
    std::vector<double> sizes;
    std::vector<bool> positive;
    for (const double each : differences) {
        if (each != 0) {
            sizes.push_back(std::abs(each));
            positive.push_back(each > 0);
        }
    }
    const std::vector<double> places = ranks(sizes);
    double sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        sum += positive[i] ? places[i] + 1 : 0;
    }
    const auto count = static_cast<double>(places.size());
    const double variance = (count * (count + 1) * (2 * count + 1) - tieSum(places) / 2) / 24;
    return above(sum - count * (count + 1) / 4, variance);
}

}  // namespace et::inspector
