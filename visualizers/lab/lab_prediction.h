#pragma once

#include "visualizers/lab/lab_study.h"

#include <vector>

namespace et::visualizers {

/// Says at once what a choice of sites would give, from what was measured of others.
/// - Error: the noise of each site in int8 alone, added up, and scaled so that all of them together have the
///   noise that was measured of all.
/// - Bytes: those of the measured program that differs in the least bytes of weights, and for each site
/// between
///   them what a weight takes more in float: three of four bytes.
/// - Time: that of all in int8 and, for each site in float, a part of the way to all in float; the parts are
///   those that fit the programs that were timed, and where these say nothing, the shares of the time that a
///   trace has for the sites (else all alike).
class LabPrediction {
  public:
    /// `shares`: of the time of a run, one a site; empty: unknown.
    LabPrediction(const LabStudy& study, const std::vector<double>& shares,
                  const std::vector<LabCandidate>& measured);

    /// Nothing where no program was measured that says it.
    [[nodiscard]] LabFigures of(const LabChoice& choice) const;

  private:
    [[nodiscard]] double noiseOf(const LabChoice& choice) const;
    [[nodiscard]] std::optional<double> bytesOf(const LabChoice& choice) const;
    [[nodiscard]] std::optional<double> timeOf(const LabChoice& choice) const;
    void fitTimes(const std::vector<double>& shares);

    LabStudy sites;
    std::vector<LabCandidate> known;
    double noiseScale = 1;
    std::optional<double> allTime;    ///< of all in int8, in milliseconds; nothing: no times are known
    std::vector<double> siteTimes{};  ///< that a site in float takes more
};

}  // namespace et::visualizers
