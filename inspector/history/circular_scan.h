#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector {

/// A part of a series that has another level than the rest of it.
struct Cut {
    std::size_t from = 0;
    std::size_t to = 0;     ///< the first point behind it; that of the series: the level lasted
    double deviations = 0;  ///< of the difference of the two means, in its standard deviations
};

/// Looks for the part of a series that differs most clearly from the rest: all of its ends, and parts inside
/// of it, of five points and more, whose lengths grow by a quarter. So a level that came and went is seen,
/// too. Definition: Olshen, Venkatraman, Lucito and Wigler, "Circular binary segmentation for the analysis of
/// array-based DNA copy number data", Biostatistics 2004.
class CircularScan {
  public:
    /// Of series of `count` points; a level has at least `minLevel` of them.
    CircularScan(std::size_t count, std::size_t minLevel);

    /// `series`: `count` points of standard deviation 1. Deviations of 0: it is too short for two levels.
    [[nodiscard]] Cut best(std::span<const float> series) const;
    /// Only how clear it is, which is faster.
    [[nodiscard]] float largest(std::span<const float> series) const;

    /// How many parts it looks at.
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
    std::vector<float> endWeights;  ///< of ends that begin behind `minimum` points, and of those after that
    std::vector<Lengths> inner;
    mutable std::vector<float> sums;  ///< room for the sums up to each point, the mean taken out
};

}  // namespace et::inspector
