#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Where series of measurements change their level. The method, with its sources, is in docs/teams.md.
namespace et::inspector {

/// Series that were measured together, a value of each at every point: what chance did to one of them at a
/// point may have happened to the others as well.
struct SeriesGroup {
    std::vector<std::vector<double>> series;  ///< times from 0 on, all series of one length
};

struct ChangeOptions {
    /// Of families without any change, the share in which one is found all the same.
    double alarmRate = 0.01;
    std::size_t minLevel = 3;          ///< points that a level lasts at least
    std::size_t permutations = 1999;   ///< fewer where they are more work than this
    std::size_t work = 4'000'000'000;  ///< parts of permuted series to look at
    std::uint64_t seed = 0;
};

/// A series has another level from here on.
struct ChangePoint {
    std::size_t at = 0;  ///< the first point of the new level
    /// The first and the last point where it may have begun, with 95 % confidence.
    std::size_t earliest = 0;
    std::size_t latest = 0;
    double deviations = 0;   ///< how clear it is: the statistic of CircularScan
    double probability = 1;  ///< of one as clear in any series of the family, if there were none

    bool operator==(const ChangePoint&) const = default;
};

/// The change points of each series of each group, ascending. Groups are independent of one another. Series
/// that are too short for two levels have none. The same family and seed give the same answer.
[[nodiscard]] std::vector<std::vector<std::vector<ChangePoint>>> findChangePoints(
    std::span<const SeriesGroup> family, const ChangeOptions& options);

}  // namespace et::inspector
