#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

// Which sites of a model to leave in float: a search over sets of sites, each of which is really measured.
namespace et::app {

/// One a site: whether it stays in float.
using FloatSites = std::vector<bool>;

/// A set of sites with what was measured.
struct SearchPoint {
    FloatSites inFloat;
    double noise = 0;  ///< power of the error over that of the float outputs: 10^(-SQNR/10); 0: equal outputs
    std::optional<std::uint64_t> bytes{};  ///< of the program; nothing: not asked for

    [[nodiscard]] std::size_t count() const;  ///< of sites in float
};

/// What the search is about; all of it is really done.
class SiteMeasures {
  public:
    SiteMeasures() = default;
    SiteMeasures(const SiteMeasures&) = delete;
    SiteMeasures& operator=(const SiteMeasures&) = delete;
    virtual ~SiteMeasures() = default;

    /// Of each set, or of those in front for which there was time.
    [[nodiscard]] virtual core::Result<std::vector<double>> noises(std::span<const FloatSites> sets) = 0;
    [[nodiscard]] virtual core::Result<std::uint64_t> bytes(const FloatSites& set) = 0;
    /// Whether what there is has to do.
    [[nodiscard]] virtual bool isOver() const = 0;
};

/// What the best point must respect. With `maxNoise` it is the smallest program, else the least noise.
struct SearchLimits {
    std::optional<std::uint64_t> maxBytes{};
    std::optional<double> maxNoise{};
    std::optional<std::size_t> maxInFloat{};  ///< sites

    [[nodiscard]] bool isNone() const { return !maxBytes && !maxNoise && !maxInFloat; }
    [[nodiscard]] bool fits(const SearchPoint& point) const;
    /// Of two that fit.
    [[nodiscard]] bool isBetter(const SearchPoint& left, const SearchPoint& right) const;
};

struct SearchSpace {
    std::size_t sites = 0;
    FloatSites fixed;  ///< those that are in float whatever happens
    /// Sites one of which reads what the other one makes: a tensor between two that are quantized is float
    /// only where both are.
    std::vector<std::pair<std::size_t, std::size_t>> neighbours;
};

/// What a search has found so far; it can go on.
class SiteSearch {
  public:
    SiteSearch(SearchSpace of, SiteMeasures& by);
    ~SiteSearch();
    SiteSearch(const SiteSearch&) = delete;
    SiteSearch& operator=(const SiteSearch&) = delete;

    /// From all sites quantized, one more in float after the other: of all that can be next, the one with the
    /// least noise. Two neighbours that do more together than each alone are tried as one step as well.
    /// Goes as far as `limits` need, or to the end where they are none.
    [[nodiscard]] core::Result<> followPath(const SearchLimits& limits);
    /// Likewise, by what each byte buys.
    [[nodiscard]] core::Result<> followThrift(const SearchLimits& limits);
    /// From the best point: sites, and pairs of neighbours, come into float and leave it, as long as that
    /// makes a better one that fits.
    [[nodiscard]] core::Result<> exchange(const SearchLimits& limits);

    /// The best that fits, of all with known bytes; nothing: none does.
    [[nodiscard]] std::optional<SearchPoint> best(const SearchLimits& limits) const;
    /// All whose bytes are known, in the order of their count of sites in float.
    [[nodiscard]] std::vector<SearchPoint> points() const;
    [[nodiscard]] std::size_t measured() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::app
