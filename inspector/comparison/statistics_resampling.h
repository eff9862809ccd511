#pragma once

#include "inspector/comparison/statistics.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <tuple>
#include <vector>

// Bootstrap of medians: their variation if the same work were measured again.
namespace et::inspector {

/// Draw counts of each sample in each of `resamples` resamples of `count` samples. Blocks of `block`
/// neighbours are drawn together, wrapping from the end to the beginning, which preserves correlation between
/// neighbours (a drift of the machine): the circular block bootstrap. Definition: Politis and Romano, "A
/// circular block-resampling procedure for stationary data", 1992. Blocks of 1 are the ordinary bootstrap.
class ResamplePlan {
  public:
    ResamplePlan(std::size_t count, std::size_t block, std::size_t resamples, std::uint64_t seed);

    [[nodiscard]] std::size_t resamples() const { return width; }
    /// The median of each resample; the size of `samples` must match the plan.
    [[nodiscard]] std::vector<double> medians(std::span<const double> samples) const;

  private:
    std::size_t width;
    std::vector<std::uint16_t> drawn;  ///< `width` numbers per sample
};

/// Cache of plans; a plan serves all samples of its size.
class ResamplePlans {
  public:
    ResamplePlans(std::size_t resamplesAsked, std::uint64_t firstSeed)
        : resamples(resamplesAsked), seed(firstSeed) {}

    /// `stream`: plans of different streams are independent. Valid until the next call.
    [[nodiscard]] const ResamplePlan& plan(std::size_t count, std::size_t block, std::uint64_t stream);

  private:
    using Key = std::tuple<std::size_t, std::size_t, std::uint64_t>;
    std::size_t resamples;
    std::uint64_t seed;
    std::map<Key, ResamplePlan> plans;
};

/// Maximum number of samples of a plan.
inline constexpr std::size_t maxResampled = 8192;

/// The central interval that contains the share `confidence` of the values. `values` must not be empty.
[[nodiscard]] Interval middlePart(std::vector<double> values, double confidence);

/// Length of dependent runs of neighbours, from the lag-1 rank correlation of a series: 1 unless that is
/// beyond chance. Carlstein's rule for an autoregressive series ("The use of subseries values for estimating
/// the variance of a general statistic from a stationary sequence", 1986), rounded up to a power of two, at
/// most a quarter of the series.
[[nodiscard]] std::size_t blockLength(std::span<const double> series);

}  // namespace et::inspector
