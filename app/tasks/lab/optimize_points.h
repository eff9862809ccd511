#pragma once

#include "app/tasks/lab/optimize_budget.h"
#include "app/tasks/lab/output_error.h"
#include "app/tasks/lab/site_search.h"
#include "backends/xnnpack/quantize/scheme.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Candidate points of the search.
namespace et::tasks {

/// A program with a scheme for each site.
struct OptimizePoint {
    SiteSchemes schemes{};                ///< one per site
    double noise = 0;                     ///< as SearchPoint::noise
    std::uint64_t bytes = 0;              ///< of the file
    std::optional<double> nanoseconds{};  ///< median per run; nothing: not timed
    bool onFront = false;                 ///< no other point dominates it
    bool chosen = false;

    /// False if outputs are NaN or infinite where those of the float graph are not.
    [[nodiscard]] bool isFinite() const { return noise < nonFiniteNoise; }
    /// SQNR of its outputs relative to the float graph; nothing: equal outputs. -infinity: not finite.
    [[nodiscard]] std::optional<double> decibels() const;
    /// The square root of the noise; infinity: not finite.
    [[nodiscard]] double error() const;
    [[nodiscard]] std::size_t count() const;  ///< number of sites in float
    [[nodiscard]] bool isInFloat(std::size_t site) const { return !schemes[site].has_value(); }
    /// True if all sites are Static8 or in float.
    [[nodiscard]] bool isStatic() const;
};

/// Marks the points on the Pareto front of error, bytes and time. Times within 2 % count as equal; points
/// that were not timed are compared by error and bytes.
void markFront(std::span<OptimizePoint> points);

/// Returns the indices of the points worth timing: at most `most`, spread over the front of error and bytes,
/// both of points with static scales only and of the others.
[[nodiscard]] std::vector<std::size_t> pointsToTime(std::span<const OptimizePoint> points, std::size_t most);

/// Returns the indices of the points within the budget, best first: by error, or with an SQNR budget by size.
/// With an SQNR budget, points with other schemes that are slower than the best one with static scales only
/// come after it, because they trade time for bytes.
[[nodiscard]] std::vector<std::size_t> pointsWithin(std::span<const OptimizePoint> points,
                                                    const OptimizeBudget& budget);

}  // namespace et::tasks
