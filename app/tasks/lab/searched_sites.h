#pragma once

#include "app/tasks/lab/site_search.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace et::tasks {

using SiteMoves = std::vector<SiteMove>;

[[nodiscard]] SiteSchemes afterMoves(SiteSchemes choice, const SiteMoves& moves);

/// The measured choices, without duplicates.
class SearchedSites {
  public:
    SearchedSites(SearchSpace of, SiteMeasures& by) : area(std::move(of)), measures(by) {}

    [[nodiscard]] const SearchSpace& space() const { return area; }
    [[nodiscard]] const std::map<SiteSchemes, SearchPoint>& all() const { return known; }
    [[nodiscard]] bool isOver() const { return measures.isOver(); }

    /// Skips known choices; some may remain unmeasured when the time is up.
    [[nodiscard]] core::Result<> measure(const std::vector<SiteSchemes>& choices);
    /// Returns null if it was not measured.
    [[nodiscard]] const SearchPoint* find(const SiteSchemes& choice) const;
    /// Requires a known choice.
    [[nodiscard]] core::Result<> addBytes(const SiteSchemes& choice);
    /// Estimates the bytes of a choice without building its program: the bytes of the start, which must be
    /// known, plus the effect of each move alone.
    [[nodiscard]] core::Result<double> guessedBytes(const SiteSchemes& choice);
    [[nodiscard]] std::optional<double> guessedTime(const SiteSchemes& choice) const;
    /// Estimates the cost relevant for the limits, time or else bytes; nothing if unknown.
    [[nodiscard]] core::Result<std::optional<double>> guessedCost(const SiteSchemes& choice,
                                                                  const SearchLimits& limits);
    /// Only considers points with known bytes; null if none satisfies the limits.
    [[nodiscard]] const SearchPoint* best(const SearchLimits& limits) const;

    /// Single moves from a choice; with `Any`, including moves back to the start.
    [[nodiscard]] SiteMoves movesFrom(const SiteSchemes& choice, MoveKind kind) const;
    [[nodiscard]] bool canBeFloat(std::size_t site) const;
    void drop(const SiteMove& move);
    void setTimes(MoveTimes of) { times = std::move(of); }

  private:
    core::Result<double> addedBytes(const SiteMove& move);

    SearchSpace area;
    SiteMeasures& measures;
    std::map<SiteSchemes, SearchPoint> known;
    std::map<SiteMove, double> siteBytes;  ///< bytes added by a single move
    std::optional<MoveTimes> times;
};

/// Maximum relative error of estimated bytes.
inline constexpr double unsureBytes = 1.02;

/// Moves from the best point to a better one within the limits; returns whether there was one.
[[nodiscard]] core::Result<bool> exchangeSites(SearchedSites& searched, const SearchLimits& limits,
                                               MoveKind kind);

}  // namespace et::tasks
