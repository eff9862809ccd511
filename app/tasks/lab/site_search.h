#pragma once

#include "app/tasks/lab/site_schemes.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

// Search for a scheme per site of a model; every choice is measured.
namespace et::tasks {

/// A step of a search: assigns another scheme to a site.
struct SiteMove {
    std::size_t site = 0;
    SiteScheme scheme;

    auto operator<=>(const SiteMove&) const = default;
};

/// A choice with its measurements.
struct SearchPoint {
    SiteSchemes schemes;
    double noise = 0;  ///< power of the error relative to that of the float outputs: 10^(-SQNR/10); 0: equal
                       ///< outputs
    std::optional<std::uint64_t> bytes{};  ///< of the program; nothing: not requested

    [[nodiscard]] std::size_t count() const;  ///< number of sites in float
};

/// Measurements used by a search; every choice is really built and run.
class SiteMeasures {
  public:
    SiteMeasures() = default;
    SiteMeasures(const SiteMeasures&) = delete;
    SiteMeasures& operator=(const SiteMeasures&) = delete;
    virtual ~SiteMeasures() = default;

    /// Returns the noise of each choice, or of the first ones if the time is up.
    [[nodiscard]] virtual core::Result<std::vector<double>> noises(std::span<const SiteSchemes> choices) = 0;
    [[nodiscard]] virtual core::Result<std::uint64_t> bytes(const SiteSchemes& choice) = 0;
    /// True if the time budget is used up.
    [[nodiscard]] virtual bool isOver() const = 0;
};

/// Nanoseconds per run of the start, and the change caused by each single move: the time of a choice is
/// estimated by their sum until it is measured.
struct MoveTimes {
    double start = 0;
    std::map<SiteMove, double> added{};
};

/// Constraints on the best point. With `maxNoise`, the search minimizes bytes, otherwise noise.
struct SearchLimits {
    std::optional<std::uint64_t> maxBytes{};
    std::optional<double> maxNoise{};
    std::optional<double> maxTime{};          ///< nanoseconds by MoveTimes, which must be set
    std::optional<std::size_t> maxInFloat{};  ///< sites

    [[nodiscard]] bool isNone() const { return !maxBytes && !maxNoise && !maxTime && !maxInFloat; }
    /// Ignores the time limit.
    [[nodiscard]] bool fits(const SearchPoint& point) const;
    /// Compares two points that both satisfy the limits.
    [[nodiscard]] bool isBetter(const SearchPoint& left, const SearchPoint& right) const;
};

struct SearchSpace {
    SiteSchemes start;                             ///< initial scheme of each site
    std::vector<std::vector<SiteScheme>> options;  ///< alternative schemes of each site; empty: none
    /// Pairs of sites of which one reads the result of the other: the tensor between them is in float only if
    /// both are.
    std::vector<std::pair<std::size_t, std::size_t>> neighbours;
};

/// Kinds of moves in a search.
enum class MoveKind : std::uint8_t {
    ToFloat,  ///< sites change to float
    Any       ///< sites change to any supported scheme
};

/// The state of a search, which can be continued.
class SiteSearch {
  public:
    SiteSearch(SearchSpace of, SiteMeasures& by);
    ~SiteSearch();
    SiteSearch(const SiteSearch&) = delete;
    SiteSearch& operator=(const SiteSearch&) = delete;

    /// From the start, changes one site at a time to float, always the one with the least resulting noise.
    /// Pairs of neighbours with a larger effect together than separately are tried as one step. Continues as
    /// far as `limits` require, or to the end without limits.
    [[nodiscard]] core::Result<> followPath(const SearchLimits& limits);
    /// From the start, takes the moves with the highest gain per unit of the budget: bytes, or nanoseconds
    /// with `maxTime`. At each step, only the moves with the highest last measured gains are measured again.
    [[nodiscard]] core::Result<> followThrift(const SearchLimits& limits, MoveKind kind);
    /// From the best point, or from the start if none satisfies the limits, takes the moves that save bytes
    /// for the least noise, until the bytes satisfy the limits, or as long as the noise does; without limits,
    /// to the smallest program.
    [[nodiscard]] core::Result<> squeeze(const SearchLimits& limits);
    /// From the best point, changes one or two sites, or moves pairs of neighbours to float, as long as this
    /// gives a better point within the limits.
    [[nodiscard]] core::Result<> exchange(const SearchLimits& limits, MoveKind kind);

    /// Tries each scheme on all sites that support it; the others keep their initial schemes, or are in
    /// float.
    [[nodiscard]] core::Result<> tryUniform();
    /// Drops schemes that are neither cheaper nor more accurate than float, for each site separately, from
    /// the start.
    [[nodiscard]] core::Result<> dropUseless();
    /// Returns all moves of single sites.
    [[nodiscard]] std::vector<SiteMove> moves() const;
    void setTimes(MoveTimes times);

    /// Returns the best point within the limits among those with known bytes, or nothing.
    [[nodiscard]] std::optional<SearchPoint> best(const SearchLimits& limits) const;
    /// Estimates nanoseconds by MoveTimes; nothing if a move has no time.
    [[nodiscard]] std::optional<double> guessedTime(const SiteSchemes& choice) const;
    /// Returns all points with known bytes, ordered by the number of sites in float.
    [[nodiscard]] std::vector<SearchPoint> points() const;
    [[nodiscard]] std::size_t measured() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::tasks
