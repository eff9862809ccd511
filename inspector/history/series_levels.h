#pragma once

#include "inspector/history/change_points.h"
#include "inspector/history/circular_scan.h"
#include "inspector/history/outlier_clip.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector {

/// Values this far from those around them, in standard deviations of the noise, are outliers.
inline constexpr float clipAt = 3;

/// A series in logarithms, and where it was cut so far.
struct Levels {
    std::vector<double> series;       ///< in units of the noise
    double noise = 0;                 ///< standard deviation around a level; 0: it never changes
    std::vector<std::size_t> cuts{};  ///< ascending
    std::vector<ChangePoint> found{};

    explicit Levels(std::span<const double> times);

    /// Whether all levels would last for `minLevel` points.
    [[nodiscard]] bool mayCut(const Cut& cut, std::size_t minLevel) const;
};

/// What is left of a series when the levels between the cuts (means without outliers) are taken out, in units
/// of the noise.
[[nodiscard]] std::vector<float> residuals(const Levels& levels, std::span<const std::size_t> cuts);
[[nodiscard]] std::vector<float> withoutOutliers(std::span<const float> rest);

/// How much a point has of the one before it, of 1, in residuals without outliers from which so many means
/// were taken. Levels that are left in them hardly count.
[[nodiscard]] double dependenceOf(std::span<const float> rest, std::size_t means);

/// The cuts with both ends of another one that are not the end of the series.
[[nodiscard]] std::vector<std::size_t> withCut(std::vector<std::size_t> cuts, const Cut& cut,
                                               std::size_t points);

}  // namespace et::inspector
