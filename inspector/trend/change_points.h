#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Finds level changes in series of measurements. The method, with its sources, is in
// docs/explanation/trend.md.
namespace et::inspector {

/// Series measured together, with a value of each at every point; random effects at a point may affect all of
/// them.
struct SeriesGroup {
    std::vector<std::vector<double>> series;  ///< times, not negative; all series have the same length
};

struct ChangeOptions {
    /// Share of families without changes in which one is found.
    double alarmRate = 0.01;
    std::size_t minLevel = 3;          ///< minimum points of a level
    std::size_t permutations = 1999;   ///< maximum; reduced if they would exceed `work`
    std::size_t work = 4'000'000'000;  ///< maximum parts of permuted series to evaluate
    std::uint64_t seed = 0;
};

/// Start of another level of a series.
struct ChangePoint {
    std::size_t at = 0;  ///< the first point of the new level
    /// Range of points where it may have begun, with 95 % confidence.
    std::size_t earliest = 0;
    std::size_t latest = 0;
    double deviations = 0;   ///< significance: the statistic of CircularScan
    double probability = 1;  ///< p-value, over all series of the family

    bool operator==(const ChangePoint&) const = default;
};

/// Change points of each series of each group, ascending. Groups are independent. Series too short for two
/// levels have none. Deterministic for the same family and seed.
[[nodiscard]] std::vector<std::vector<std::vector<ChangePoint>>> findChangePoints(
    std::span<const SeriesGroup> family, const ChangeOptions& options);

}  // namespace et::inspector
