#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector {

/// A part of a series with another level than the rest.
struct Cut {
    std::size_t from = 0;
    std::size_t to = 0;     ///< end (exclusive); equal to the series' end if the level lasted
    double deviations = 0;  ///< difference of the two means, in its standard deviations
};

/// Finds the part of a series that differs most clearly from the rest: all tails, and inner parts of at least
/// five points, with lengths growing by a quarter. Thus detects temporary levels too. Definition: Olshen,
/// Venkatraman, Lucito and Wigler, "Circular binary segmentation for the analysis of array-based DNA copy
/// number data", Biostatistics 2004.
class CircularScan {
  public:
    /// For series of `count` points; a level has at least `minLevel` points.
    CircularScan(std::size_t count, std::size_t minLevel);

    /// `series`: `count` points of standard deviation 1. Deviations are 0 if it is too short for two levels.
    [[nodiscard]] Cut best(std::span<const float> series) const;
    /// Returns only the deviations of the best cut, which is faster.
    [[nodiscard]] float largest(std::span<const float> series) const;

    /// Number of parts that are evaluated.
    [[nodiscard]] std::size_t parts() const;

  private:
    /// Parts of one length, every `step` points.
    struct Lengths {
        std::size_t length = 0;
        std::size_t step = 1;
        std::size_t count = 0;
        float weight = 0;
    };
    void sum(std::span<const float> series) const;

    std::size_t points;
    std::size_t minimum;
    std::vector<float> endWeights;  ///< of tails that begin after `minimum` points or later
    std::vector<Lengths> inner;
    mutable std::vector<float> sums;  ///< scratch for the sums up to each point, minus the mean
};

}  // namespace et::inspector
