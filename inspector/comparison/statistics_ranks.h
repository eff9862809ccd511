#pragma once

#include <span>
#include <vector>

// Tests that look at the order of samples only, whatever their distribution.
namespace et::inspector {

/// Position of each sample when they are sorted, from 0, ties at the middle of their places.
[[nodiscard]] std::vector<double> ranks(std::span<const double> samples);

/// How probable it is that the samples of `larger` come out so much above those of `smaller`, or more, where
/// both are of one distribution. Definition: Mann and Whitney, "On a test of whether one of two random
/// variables is stochastically larger than the other", 1947; by the normal distribution, corrected for ties
/// and continuity.
[[nodiscard]] double aboveByChance(std::span<const double> larger, std::span<const double> smaller);

/// The same of differences of pairs and 0, where they lie evenly around it. Definition: Wilcoxon, "Individual
/// comparisons by ranking methods", 1945; likewise corrected.
[[nodiscard]] double positiveByChance(std::span<const double> differences);

}  // namespace et::inspector
