#pragma once

#include "inspector/history/change_points.h"
#include "inspector/history/circular_scan.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector {

/// A series in logarithms without outliers, and where it was cut so far.
struct Levels {
    double noise = 0;  ///< standard deviation around a level; 0: it never changes
    std::vector<double> series;
    std::vector<std::size_t> cuts{};  ///< ascending
    std::vector<ChangePoint> found{};

    explicit Levels(std::span<const double> times);

    /// Whether all levels would last for `minLevel` points.
    [[nodiscard]] bool mayCut(const Cut& cut, std::size_t minLevel) const;
};

/// What is left of a series when the levels between the cuts are taken out, of mean 0 in each and of standard
/// deviation 1; zeros where nothing is left.
[[nodiscard]] std::vector<float> residuals(const Levels& levels, std::span<const std::size_t> cuts);

/// How much a point has of the one before it, of 1, in residuals from which so many means were taken. Levels
/// that are left in them hardly count.
[[nodiscard]] double dependenceOf(std::span<const float> rest, std::size_t means);

/// The cuts with both ends of another one that are not the end of the series.
[[nodiscard]] std::vector<std::size_t> withCut(std::vector<std::size_t> cuts, const Cut& cut,
                                               std::size_t points);

}  // namespace et::inspector
