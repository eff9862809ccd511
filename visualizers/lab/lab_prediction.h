#pragma once

#include "visualizers/lab/lab_study.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {

/// Says at once what a choice of sites would give, from what was measured of others.
/// - Error: the noise of each site in int8 alone, added up, and scaled so that all of them together have the
///   noise that was measured of all.
/// - Bytes: those of the measured program that differs in the least bytes of weights, and for each site
///   between them what a weight takes more or less.
/// - Time: that of all in int8 and, for each site in float, a part of the way to all in float; the parts are
///   those that fit the programs that were timed, and where these say nothing, the shares of the time that a
///   trace has for the sites (else all alike).
/// - Error and time of a site with a scheme that no study has are what programs with it had beside that: of
///   several such sites each has a part, of the error as in int8, of the time an equal one.
class LabPrediction {
  public:
    /// `shares`: of the time of a run, one a site; empty: unknown.
    LabPrediction(const LabStudy& study, const std::vector<double>& shares,
                  const std::vector<LabCandidate>& measured);

    /// Nothing where no program was measured that says it.
    [[nodiscard]] LabFigures of(const LabChoice& choice) const;

  private:
    /// What sites add with schemes of which no study says it.
    using Parts = std::map<std::pair<std::size_t, LabScheme>, double>;

    [[nodiscard]] std::optional<double> noiseOf(const LabChoice& choice) const;
    [[nodiscard]] std::optional<double> bytesOf(const LabChoice& choice) const;
    [[nodiscard]] std::optional<double> timeOf(const LabChoice& choice) const;
    void fitTimes(const std::vector<double>& shares);
    void learnNoises();
    void learnTimes();
    [[nodiscard]] double studiedNoise(const LabChoice& choice) const;
    [[nodiscard]] double studiedTime(const LabChoice& choice) const;
    /// From what each program has beside `studied`, those with the fewest such sites first.
    template <class Studied, class Share>
    [[nodiscard]] Parts partsOf(std::optional<double> LabFigures::* figure, Studied studied,
                                Share share) const;
    /// What all such sites of a choice add; nothing: one of them is not known.
    [[nodiscard]] static std::optional<double> sumOf(const Parts& parts, const LabChoice& choice);
    /// Whether a site is in float that need not be.
    [[nodiscard]] bool isKept(const LabChoice& choice, std::size_t site) const;

    LabStudy sites;
    std::vector<LabCandidate> known;
    double noiseScale = 1;
    std::optional<double> allTime;    ///< of all in int8, in milliseconds; nothing: no times are known
    std::vector<double> siteTimes{};  ///< that a site in float takes more
    Parts otherNoises{};
    Parts otherTimes{};  ///< more than with static scales
};

}  // namespace et::visualizers
