#pragma once

#include "app/tasks/lab/site_search.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace et::app {

using SiteMoves = std::vector<SiteMove>;

[[nodiscard]] SiteSchemes afterMoves(SiteSchemes choice, const SiteMoves& moves);

/// The choices that were measured, each once.
class SearchedSites {
  public:
    SearchedSites(SearchSpace of, SiteMeasures& by) : area(std::move(of)), measures(by) {}

    [[nodiscard]] const SearchSpace& space() const { return area; }
    [[nodiscard]] const std::map<SiteSchemes, SearchPoint>& all() const { return known; }
    [[nodiscard]] bool isOver() const { return measures.isOver(); }

    /// Of choices that are known already there is nothing to do; others may be left where the time is over.
    [[nodiscard]] core::Result<> measure(const std::vector<SiteSchemes>& choices);
    /// Null: it was not measured.
    [[nodiscard]] const SearchPoint* find(const SiteSchemes& choice) const;
    /// Of a choice that is known.
    [[nodiscard]] core::Result<> addBytes(const SiteSchemes& choice);
    /// Bytes of any choice without making a program of it: of the start, which has to be known with its
    /// bytes, and what each move adds alone.
    [[nodiscard]] core::Result<double> guessedBytes(const SiteSchemes& choice);
    [[nodiscard]] std::optional<double> guessedTime(const SiteSchemes& choice) const;
    /// What a limit of time, or else of bytes, counts; nothing: it is not known.
    [[nodiscard]] core::Result<std::optional<double>> guessedCost(const SiteSchemes& choice,
                                                                  const SearchLimits& limits);
    /// Of those with bytes; null: none fits.
    [[nodiscard]] const SearchPoint* best(const SearchLimits& limits) const;

    /// Single moves from a choice; back to the start as well with `Any`.
    [[nodiscard]] SiteMoves movesFrom(const SiteSchemes& choice, MoveKind kind) const;
    [[nodiscard]] bool canBeFloat(std::size_t site) const;
    void drop(const SiteMove& move);
    void setTimes(MoveTimes of) { times = std::move(of); }

  private:
    core::Result<double> addedBytes(const SiteMove& move);

    SearchSpace area;
    SiteMeasures& measures;
    std::map<SiteSchemes, SearchPoint> known;
    std::map<SiteMove, double> siteBytes;  ///< that a move adds, alone
    std::optional<MoveTimes> times;
};

/// A guess of bytes may be off by this factor.
inline constexpr double unsureBytes = 1.02;

/// From the best point to a better one that fits; whether there was one.
[[nodiscard]] core::Result<bool> exchangeSites(SearchedSites& searched, const SearchLimits& limits,
                                               MoveKind kind);

}  // namespace et::app
