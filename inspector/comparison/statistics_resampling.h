#pragma once

#include "inspector/comparison/statistics.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <tuple>
#include <vector>

// The bootstrap of medians: how they would vary had the same work been measured again.
namespace et::inspector {

/// How often each sample is drawn in each of `resamples` resamples of `count` samples. Blocks of `block`
/// neighbours are drawn together, around the end to the beginning, so that what neighbours have in common (a
/// drift of the machine) is kept: the circular block bootstrap. Definition: Politis and Romano, "A circular
/// block-resampling procedure for stationary data", 1992. Blocks of 1 are the ordinary bootstrap.
class ResamplePlan {
  public:
    ResamplePlan(std::size_t count, std::size_t block, std::size_t resamples, std::uint64_t seed);

    [[nodiscard]] std::size_t resamples() const { return width; }
    /// The median of each resample of `samples`, which are as many as the plan is for.
    [[nodiscard]] std::vector<double> medians(std::span<const double> samples) const;

  private:
    std::size_t width;
    std::vector<std::uint16_t> drawn;  ///< `width` numbers for each sample
};

/// Plans by what they are for; a plan serves all samples of its size.
class ResamplePlans {
  public:
    ResamplePlans(std::size_t resamplesAsked, std::uint64_t firstSeed)
        : resamples(resamplesAsked), seed(firstSeed) {}

    /// `stream`: plans of different streams are independent of one another. Valid until the next call.
    [[nodiscard]] const ResamplePlan& plan(std::size_t count, std::size_t block, std::uint64_t stream);

  private:
    using Key = std::tuple<std::size_t, std::size_t, std::uint64_t>;
    std::size_t resamples;
    std::uint64_t seed;
    std::map<Key, ResamplePlan> plans;
};

/// The most samples that a plan is made for.
inline constexpr std::size_t maxResampled = 8192;

/// The middle part of the values that has the share `confidence` of them. Not of none.
[[nodiscard]] Interval middlePart(std::vector<double> values, double confidence);

/// How many neighbours depend on one another, from the correlation of the ranks of a series with those one
/// later: 1 unless that is beyond chance. Carlstein's rule for an autoregressive series ("The use of
/// subseries values for estimating the variance of a general statistic from a stationary sequence", 1986),
/// rounded up to a power of two, at most a quarter of the series.
[[nodiscard]] std::size_t blockLength(std::span<const double> series);

}  // namespace et::inspector
