#pragma once

#include <span>
#include <vector>

// Tests that use only the order of samples, independent of their distribution.
namespace et::inspector {

/// Position of each sample in sorted order, from 0; ties get the middle of their positions.
[[nodiscard]] std::vector<double> ranks(std::span<const double> samples);

/// P-value that the samples of `larger` exceed those of `smaller` by chance, if both have the same
/// distribution. Definition: Mann and Whitney, "On a test of whether one of two random variables is
/// stochastically larger than the other", 1947; by the normal distribution, corrected for ties and
/// continuity.
[[nodiscard]] double aboveByChance(std::span<const double> larger, std::span<const double> smaller);

/// The same for differences of pairs, if they are symmetric around 0. Definition: Wilcoxon, "Individual
/// comparisons by ranking methods", 1945; with the same corrections.
[[nodiscard]] double positiveByChance(std::span<const double> differences);

}  // namespace et::inspector
