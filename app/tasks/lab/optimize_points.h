#pragma once

#include "app/tasks/lab/optimize_budget.h"
#include "app/tasks/lab/site_search.h"
#include "backends/xnnpack/quantize/scheme.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// What the search has to choose from.
namespace et::app {

/// A program with a scheme for each site.
struct OptimizePoint {
    SiteSchemes schemes{};                ///< one a site
    double noise = 0;                     ///< as SearchPoint::noise
    std::uint64_t bytes = 0;              ///< of the file
    std::optional<double> nanoseconds{};  ///< median of a run; nothing: it was not timed
    bool onFront = false;                 ///< no other one is as good in all and better in one
    bool chosen = false;

    /// Of its outputs against those of the float graph; nothing: they are equal.
    [[nodiscard]] std::optional<double> decibels() const;
    /// Linear: the square root of the noise.
    [[nodiscard]] double error() const;
    [[nodiscard]] std::size_t count() const;  ///< of sites in float
    [[nodiscard]] bool isInFloat(std::size_t site) const { return !schemes[site].has_value(); }
    /// Whether all sites are Static8 or in float.
    [[nodiscard]] bool isStatic() const;
};

/// Says which are on the front of error, bytes and time. Times within 2 % are the same; those that were not
/// timed are compared by the other two.
void markFront(std::span<OptimizePoint> points);

/// Positions of the points that are worth being timed: at most `most`, spread over what is on the front of
/// error and bytes, of those with static scales alone and of the others.
[[nodiscard]] std::vector<std::size_t> pointsToTime(std::span<const OptimizePoint> points, std::size_t most);

/// Positions of the points that respect the budget, the best first: of the least error, or with a budget of
/// SQNR the smallest. With one of SQNR, points with other schemes that take longer than the best with static
/// scales alone come after it: they buy bytes with time.
[[nodiscard]] std::vector<std::size_t> pointsWithin(std::span<const OptimizePoint> points,
                                                    const OptimizeBudget& budget);

}  // namespace et::app
