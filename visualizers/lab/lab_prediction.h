#pragma once

#include "visualizers/lab/lab_study.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {

/// Predicts the figures of a choice of schemes from the measured programs.
/// - Error: the sum of each site's noise in int8 alone, scaled so that all together have the noise measured
///   with all sites in int8.
/// - Bytes: those of the measured program whose weight bytes differ least, plus the difference of the weight
///   of each site that differs.
/// - Time: that of all sites in int8 plus, for each site in float, a share of the difference to all in float;
///   the shares fit the programs that were timed and, where these have no data, are the sites' shares of time
///   in a trace (or equal).
/// - Error and time of a site with a scheme that no study covers come from measured programs that use it: the
///   excess over the prediction is divided among such sites, error in proportion to int8, time equally.
class LabPrediction {
  public:
    /// `shares`: fraction of the time of a run by site; empty: unknown.
    LabPrediction(const LabStudy& study, const std::vector<double>& shares,
                  const std::vector<LabCandidate>& measured);

    /// Figures without a measured basis are empty.
    [[nodiscard]] LabFigures of(const LabChoice& choice) const;

  private:
    /// Contributions of sites with schemes that no study covers.
    using Parts = std::map<std::pair<std::size_t, LabScheme>, double>;

    [[nodiscard]] std::optional<double> noiseOf(const LabChoice& choice) const;
    [[nodiscard]] std::optional<double> bytesOf(const LabChoice& choice) const;
    [[nodiscard]] std::optional<double> timeOf(const LabChoice& choice) const;
    void fitTimes(const std::vector<double>& shares);
    void calibrateNoises();
    void calibrateTimes();
    [[nodiscard]] double studiedNoise(const LabChoice& choice) const;
    [[nodiscard]] double studiedTime(const LabChoice& choice) const;
    /// Computed from each program's excess over `studied`, programs with the fewest such sites first.
    template <class Studied, class Share>
    [[nodiscard]] Parts partsOf(std::optional<double> LabFigures::* figure, Studied studied,
                                Share share) const;
    /// Total contribution of all such sites of a choice; nothing if one is unknown.
    [[nodiscard]] static std::optional<double> sumOf(const Parts& parts, const LabChoice& choice);
    /// True if the site is in float but could be quantized.
    [[nodiscard]] bool isKept(const LabChoice& choice, std::size_t site) const;

    LabStudy sites;
    std::vector<LabCandidate> known;
    double noiseScale = 1;
    std::optional<double> allTime;  ///< with all sites in int8, in milliseconds; nothing: no times are known
    std::vector<double> siteTimes{};  ///< additional time of a site in float
    Parts otherNoises{};
    Parts otherTimes{};  ///< additional time compared with static scales
};

}  // namespace et::visualizers
