#pragma once

#include "inspector/trend/change_points.h"
#include "inspector/trend/circular_scan.h"
#include "inspector/trend/outlier_clip.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector {

/// Outlier threshold: distance from the surrounding values, in standard deviations of the noise.
inline constexpr float clipAt = 3;

/// A series in logarithms, and its cuts so far.
struct Levels {
    std::vector<double> series;       ///< in units of the noise
    double noise = 0;                 ///< standard deviation around a level; 0: constant
    std::vector<std::size_t> cuts{};  ///< ascending
    std::vector<ChangePoint> found{};

    explicit Levels(std::span<const double> times);

    /// Whether all levels would have at least `minLevel` points.
    [[nodiscard]] bool mayCut(const Cut& cut, std::size_t minLevel) const;
};

/// The series minus the levels between the cuts (means without outliers), in units of the noise.
[[nodiscard]] std::vector<float> residuals(const Levels& levels, std::span<const std::size_t> cuts);
[[nodiscard]] std::vector<float> withoutOutliers(std::span<const float> rest);

/// Autocorrelation of residuals without outliers from which `means` means were subtracted. Hardly affected by
/// remaining levels.
[[nodiscard]] double computeDependence(std::span<const float> rest, std::size_t means);

/// The cuts plus both ends of another one, except the end of the series.
[[nodiscard]] std::vector<std::size_t> withCut(std::vector<std::size_t> cuts, const Cut& cut,
                                               std::size_t points);

}  // namespace et::inspector
