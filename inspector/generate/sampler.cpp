#include "inspector/generate/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::inspector {
namespace {

/// Replaces seed 0, which xorshift never leaves.
constexpr std::uint64_t seedForZero = 0x9E3779B97F4A7C15;

/// The first item whose running sum is greater; the last if there is none because of rounding.
template <class Items>
std::uint32_t firstBeyond(const Items& items, float limit) {
    float sum = 0;
    for (const auto& item : items) {
        sum += item.probability;
        if (limit < sum) {
            return item.id;
        }
    }
    return items.back().id;
}

}  // namespace

std::uint32_t mostLikely(std::span<const float> logits) {
    // Parallel lanes, so that the compiler vectorizes; comparisons with NaN are false.
    constexpr std::size_t lanes = 32;
    std::array<float, lanes> most;
    most.fill(-std::numeric_limits<float>::infinity());
    const std::size_t whole = logits.size() - (logits.size() % lanes);
    for (std::size_t at = 0; at < whole; at += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            most[lane] = logits[at + lane] > most[lane] ? logits[at + lane] : most[lane];
        }
    }
    float best = std::ranges::max(most);
    for (const float each : logits.subspan(whole)) {
        best = each > best ? each : best;
    }
    const auto found = std::ranges::find(logits, best);
    return found == logits.end() ? 0 : static_cast<std::uint32_t>(found - logits.begin());
}

Sampler::Sampler(const SamplerSettings& settings, std::size_t vocabulary)
    : rule(settings), state(settings.seed != 0 ? settings.seed : seedForZero) {
    if (rule.temperature > 0) {
        probabilities.resize(vocabulary);
        candidates.resize(vocabulary);
    }
}

float Sampler::coin() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    const auto drawn = static_cast<std::uint32_t>((state * 0x2545F4914F6CDD1DULL) >> 32);
    return static_cast<float>(drawn >> 8) / 16777216.0F;
}

std::uint32_t Sampler::choose(std::span<const float> logits) {
    if (rule.temperature <= 0 || logits.empty()) {
        return mostLikely(logits);
    }
    probabilities.resize(logits.size());
    const float inverse = 1.0F / static_cast<float>(rule.temperature);
    const float largest = logits[mostLikely(logits)] * inverse;
    float sum = 0;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        const float power = std::exp((logits[id] * inverse) - largest);
        probabilities[id] = std::isnan(power) ? 0 : power;
        sum += probabilities[id];
    }
    for (float& each : probabilities) {
        each /= sum;
    }
    const float chance = coin();
    if (rule.topK > 0 && rule.topK < logits.size()) {
        return fromTopK(chance);
    }
    return rule.topP <= 0 || rule.topP >= 1 ? fromAll(chance) : fromTopP(chance);
}

std::uint32_t Sampler::fromAll(float chance) const {
    float sum = 0;
    for (std::size_t id = 0; id < probabilities.size(); ++id) {
        sum += probabilities[id];
        if (chance < sum) {
            return static_cast<std::uint32_t>(id);
        }
    }
    return static_cast<std::uint32_t>(probabilities.size() - 1);
}

namespace {

/// More likely first; the lower id for equal ones.
constexpr auto moreLikely = [](const auto& a, const auto& b) {
    return a.probability != b.probability ? a.probability > b.probability : a.id < b.id;
};

}  // namespace

std::uint32_t Sampler::fromTopK(float chance) {
    candidates.resize(probabilities.size());
    for (std::uint32_t id = 0; id < probabilities.size(); ++id) {
        candidates[id] = {.probability = probabilities[id], .id = id};
    }
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(rule.topK);
    std::partial_sort(candidates.begin(), end, candidates.end(), moreLikely);
    const std::span kept(candidates.begin(), end);
    float sum = 0;
    for (const Candidate& each : kept) {
        sum += each.probability;
    }
    return firstBeyond(kept, chance * sum);
}

std::uint32_t Sampler::fromTopP(float chance) {
    const auto share = static_cast<float>(rule.topP);
    // Less likely tokens cannot be among the most likely ones that make up the share.
    const float least =
        (1.0F - share) / static_cast<float>(std::max<std::size_t>(probabilities.size() - 1, 1));
    candidates.clear();
    for (std::uint32_t id = 0; id < probabilities.size(); ++id) {
        if (probabilities[id] >= least) {
            candidates.push_back({.probability = probabilities[id], .id = id});
        }
    }
    if (candidates.empty()) {
        return fromAll(chance);
    }
    std::ranges::sort(candidates, moreLikely);
    float sum = 0;
    std::size_t kept = 0;
    while (kept < candidates.size() && sum <= share) {
        sum += candidates[kept++].probability;
    }
    return firstBeyond(std::span(candidates).first(kept), chance * sum);
}

}  // namespace et::inspector
