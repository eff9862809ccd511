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

// Which scheme each site of a model gets: a search over choices, each of which is really measured.
namespace et::app {

/// One step of a search: a site gets another scheme.
struct SiteMove {
    std::size_t site = 0;
    SiteScheme scheme;

    auto operator<=>(const SiteMove&) const = default;
};

/// A choice with what was measured.
struct SearchPoint {
    SiteSchemes schemes;
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

    /// Of each choice, or of those in front for which there was time.
    [[nodiscard]] virtual core::Result<std::vector<double>> noises(std::span<const SiteSchemes> choices) = 0;
    [[nodiscard]] virtual core::Result<std::uint64_t> bytes(const SiteSchemes& choice) = 0;
    /// Whether what there is has to do.
    [[nodiscard]] virtual bool isOver() const = 0;
};

/// Nanoseconds of a run from all sites as they are at the start, and what single moves add to them: times of
/// choices are sums, until they are measured.
struct MoveTimes {
    double start = 0;
    std::map<SiteMove, double> added{};
};

/// What the best point must respect. With `maxNoise` it is the smallest program, else the least noise.
struct SearchLimits {
    std::optional<std::uint64_t> maxBytes{};
    std::optional<double> maxNoise{};
    std::optional<double> maxTime{};          ///< nanoseconds by MoveTimes, which have to be known
    std::optional<std::size_t> maxInFloat{};  ///< sites

    [[nodiscard]] bool isNone() const { return !maxBytes && !maxNoise && !maxTime && !maxInFloat; }
    /// But for its time.
    [[nodiscard]] bool fits(const SearchPoint& point) const;
    /// Of two that fit.
    [[nodiscard]] bool isBetter(const SearchPoint& left, const SearchPoint& right) const;
};

struct SearchSpace {
    SiteSchemes start;                             ///< each as it is quantized at first
    std::vector<std::vector<SiteScheme>> options;  ///< what each can be else; none: it stays
    /// Sites one of which reads what the other one makes: a tensor between two that are quantized is float
    /// only where both are.
    std::vector<std::pair<std::size_t, std::size_t>> neighbours;
};

/// The moves that a search makes.
enum class MoveKind : std::uint8_t {
    ToFloat,  ///< sites come into float
    Any       ///< sites get any scheme that they can have
};

/// What a search has found so far; it can go on.
class SiteSearch {
  public:
    SiteSearch(SearchSpace of, SiteMeasures& by);
    ~SiteSearch();
    SiteSearch(const SiteSearch&) = delete;
    SiteSearch& operator=(const SiteSearch&) = delete;

    /// From the start, one more in float after the other: of all that can be next, the one with the least
    /// noise. Two neighbours that do more together than each alone are tried as one step as well. Goes as far
    /// as `limits` need, or to the end where they are none.
    [[nodiscard]] core::Result<> followPath(const SearchLimits& limits);
    /// From the start, by what each unit of the budget buys: bytes, or nanoseconds with `maxTime`. Of all
    /// moves that sites can make, those that gained most when they were last measured are measured again at
    /// each step.
    [[nodiscard]] core::Result<> followThrift(const SearchLimits& limits, MoveKind kind);
    /// Down from the best point, or from the start where none fits: the moves that save bytes for the least
    /// noise, until the bytes fit, or as long as the noise does; with no limits to the smallest program.
    [[nodiscard]] core::Result<> squeeze(const SearchLimits& limits);
    /// From the best point: one or two sites change, and pairs of neighbours come into float, as long as that
    /// makes a better one that fits.
    [[nodiscard]] core::Result<> exchange(const SearchLimits& limits, MoveKind kind);

    /// Each scheme on all sites that can have it, the others as they are at the start, or in float.
    [[nodiscard]] core::Result<> tryUniform();
    /// Leaves out what costs no less than float and is no nearer: of each site by itself, from the start.
    [[nodiscard]] core::Result<> dropUseless();
    /// All moves of single sites.
    [[nodiscard]] std::vector<SiteMove> moves() const;
    void setTimes(MoveTimes times);

    /// The best that fits, of all with known bytes; nothing: none does.
    [[nodiscard]] std::optional<SearchPoint> best(const SearchLimits& limits) const;
    /// Nanoseconds by MoveTimes; nothing: a move has none.
    [[nodiscard]] std::optional<double> guessedTime(const SiteSchemes& choice) const;
    /// All whose bytes are known, in the order of their count of sites in float.
    [[nodiscard]] std::vector<SearchPoint> points() const;
    [[nodiscard]] std::size_t measured() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl;
};

}  // namespace et::app
