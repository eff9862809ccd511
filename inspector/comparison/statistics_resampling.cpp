#include "inspector/comparison/statistics_resampling.h"

#include "inspector/comparison/draws.h"
#include "inspector/comparison/statistics_ranks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace et::inspector {
namespace {

std::vector<std::size_t> sortedPositions(std::span<const double> samples) {
    std::vector<std::size_t> order(samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return samples[at]; });
    return order;
}

}  // namespace

ResamplePlan::ResamplePlan(std::size_t count, std::size_t block, std::size_t resamples, std::uint64_t seed)
    : width(resamples), drawn(count * resamples) {
    Draws draws(seed);
    for (std::size_t resample = 0; resample < resamples; ++resample) {
        for (std::size_t taken = 0; taken < count; taken += block) {
            const std::size_t first = draws.below(count);
            const std::size_t size = std::min(block, count - taken);
            for (std::size_t i = 0; i < size; ++i) {
                ++drawn[(first + i) % count * width + resample];
            }
        }
    }
}

std::vector<double> ResamplePlan::medians(std::span<const double> samples) const {
    const std::vector<std::size_t> order = sortedPositions(samples);
    const std::size_t count = samples.size();
    const auto lowPlace = static_cast<std::uint16_t>((count - 1) / 2);
    const auto highPlace = static_cast<std::uint16_t>(count / 2);
    // For all resamples in parallel: how many of the smallest samples precede the middle ones.
    std::vector<std::uint16_t> seen(width);
    std::vector<std::uint16_t> low(width);
    std::vector<std::uint16_t> high(width);
    for (const std::size_t at : order) {
        const std::uint16_t* times = drawn.data() + at * width;
        for (std::size_t i = 0; i < width; ++i) {
            seen[i] = static_cast<std::uint16_t>(seen[i] + times[i]);
            low[i] = static_cast<std::uint16_t>(low[i] + (seen[i] <= lowPlace ? 1 : 0));
            high[i] = static_cast<std::uint16_t>(high[i] + (seen[i] <= highPlace ? 1 : 0));
        }
    }
    std::vector<double> medians(width);
    for (std::size_t i = 0; i < width; ++i) {
        medians[i] = std::midpoint(samples[order[low[i]]], samples[order[high[i]]]);
    }
    return medians;
}

const ResamplePlan& ResamplePlans::plan(std::size_t count, std::size_t block, std::uint64_t stream) {
    constexpr std::size_t maxPlans = 16;
    constexpr std::size_t maxDraws = std::size_t{1} << 23;
    constexpr std::size_t minResamples = 200;
    const Key key{count, block, stream};
    if (const auto found = plans.find(key); found != plans.end()) {
        return found->second;
    }
    if (plans.size() >= maxPlans) {
        plans.clear();
    }
    // The median of many samples varies little, so its variation needs fewer resamples.
    const std::size_t affordable = std::max(minResamples, maxDraws / count);
    constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;
    const std::uint64_t own = (seed + 1) * spread ^ (stream << 48U) ^ (count << 16U) ^ block;
    return plans.emplace(key, ResamplePlan(count, block, std::min(resamples, affordable), own)).first->second;
}

Interval middlePart(std::vector<double> values, double confidence) {
    const double tail = (1 - confidence) / 2 * static_cast<double>(values.size() - 1);
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(std::floor(tail));
    const auto high = values.end() - 1 - (low - values.begin());
    std::ranges::nth_element(values, low);
    const double lowest = *low;
    std::nth_element(low, high, values.end());
    return {.low = lowest, .high = *high};
}

std::size_t blockLength(std::span<const double> series) {
    constexpr std::size_t min = 10;
    if (series.size() < min) {
        return 1;
    }
    const auto count = static_cast<double>(series.size());
    const std::vector<double> places = ranks(series);
    const double middle = (count - 1) / 2;
    double together = 0;
    double all = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        all += (places[i] - middle) * (places[i] - middle);
        together += i == 0 ? 0 : (places[i] - middle) * (places[i - 1] - middle);
    }
    const double correlation = all > 0 ? together / all : 0;
    if (correlation <= 2 / std::sqrt(count)) {
        return 1;
    }
    const double strength = 2 * correlation / (1 - std::min(0.99, correlation * correlation));
    const double length = std::cbrt(strength * strength) * std::cbrt(count);
    const auto wanted = std::bit_ceil(static_cast<std::size_t>(std::ceil(length)));
    return std::min(wanted, std::bit_floor(series.size() / 4));
}

}  // namespace et::inspector
