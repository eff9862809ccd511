#pragma once

#include "app/tasks/lab/site_search.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <vector>

namespace et::app {

/// Positions of sites.
using SiteList = std::vector<std::size_t>;

[[nodiscard]] FloatSites withSites(FloatSites set, const SiteList& more);
[[nodiscard]] FloatSites withoutSites(FloatSites set, const SiteList& fewer);

/// The sets of sites that were measured, each once.
class SearchedSites {
  public:
    SearchedSites(SearchSpace of, SiteMeasures& by) : area(std::move(of)), measures(by) {}

    [[nodiscard]] const SearchSpace& space() const { return area; }
    [[nodiscard]] const std::map<FloatSites, SearchPoint>& all() const { return known; }
    [[nodiscard]] bool isOver() const { return measures.isOver(); }

    /// Of sets that are known already there is nothing to do; others may be left where the time is over.
    [[nodiscard]] core::Result<> measure(const std::vector<FloatSites>& sets);
    /// Null: it was not measured.
    [[nodiscard]] const SearchPoint* find(const FloatSites& set) const;
    /// Of a set that is known.
    [[nodiscard]] core::Result<> addBytes(const FloatSites& set);
    /// Bytes of any set without making a program of it: of all quantized, which has to be known with its
    /// bytes, and what each site adds alone.
    [[nodiscard]] core::Result<double> guessedBytes(const FloatSites& set);
    /// Of those with bytes; null: none fits.
    [[nodiscard]] const SearchPoint* best(const SearchLimits& limits) const;

    [[nodiscard]] static SiteList quantizedIn(const FloatSites& set);
    /// Sites in float that need not be.
    [[nodiscard]] SiteList droppableFrom(const FloatSites& set) const;

  private:
    SearchSpace area;
    SiteMeasures& measures;
    std::map<FloatSites, SearchPoint> known;
    std::vector<double> siteBytes;  ///< that a site adds in float, alone
};

/// A guess of bytes may be off by this factor.
inline constexpr double unsureBytes = 1.02;

/// From the best point to a better one that fits; whether there was one.
[[nodiscard]] core::Result<bool> exchangeSites(SearchedSites& searched, const SearchLimits& limits);

}  // namespace et::app
