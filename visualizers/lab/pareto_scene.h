#pragma once

#include "visualizers/lab/lab_study.h"

#include <QPointF>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Cost of a program.
enum class ParetoCost : std::uint8_t { Bytes, Time };

/// A program by its error and cost.
struct ParetoPoint {
    std::optional<std::size_t> candidate{};  ///< candidate index; nothing: predicted
    double cost = 0;                         ///< bytes or milliseconds
    double noise = 0;
    bool best = false;  ///< no other program has a lower error at the same or lower cost
    QString text;       ///< display text
};

/// Programs as points: cost on the x axis, error on a logarithmic y axis; those with almost none (100 dB) are
/// on a line at the bottom. Positions are fractions (0 to 1) of the whole plot. Immutable.
class ParetoScene {
  public:
    /// Candidates without the cost have no point. `predicted`: expected figures of the chosen schemes.
    ParetoScene(const LabStudy& study, const std::vector<LabCandidate>& candidates, ParetoCost cost,
                const std::optional<LabCandidate>& predicted = std::nullopt);

    /// Sorted by cost, the predicted one last.
    [[nodiscard]] const std::vector<ParetoPoint>& points() const { return shown; }
    [[nodiscard]] std::optional<std::size_t> pointOf(std::size_t candidate) const;
    [[nodiscard]] ParetoCost cost() const { return which; }
    /// Number of programs without a time.
    [[nodiscard]] std::size_t withoutPlace() const { return unplaced; }

    /// y is 0 at the top.
    [[nodiscard]] QPointF placeOf(const ParetoPoint& point) const;
    [[nodiscard]] double placeOfCost(double value) const;
    /// Position of an error given as a ratio of amplitudes.
    [[nodiscard]] double placeOfError(double error) const;
    [[nodiscard]] double costAt(double place) const;
    [[nodiscard]] double errorAt(double place) const;
    [[nodiscard]] QString costText(double value) const;
    /// True if a point is on the line of programs with almost no error.
    [[nodiscard]] bool hasExact() const;
    /// Round errors between two axis positions, in ascending order: 1, 2 and 5 of each decade, or about four
    /// within less than a decade.
    [[nodiscard]] std::vector<double> errorLines(double top, double bottom) const;

  private:
    void sayBest();
    void findSpan();

    ParetoCost which;
    std::vector<ParetoPoint> shown;
    std::size_t unplaced = 0;
    double leastCost = 0;
    double mostCost = 1;
    double leastError = 0.001;
    double mostError = 1;
};

}  // namespace et::visualizers
