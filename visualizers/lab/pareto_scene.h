#pragma once

#include "visualizers/lab/lab_study.h"

#include <QPointF>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// What a program costs.
enum class ParetoCost : std::uint8_t { Bytes, Time };

/// A program by its error and what it costs.
struct ParetoPoint {
    std::optional<std::size_t> candidate{};  ///< position of it; nothing: it is predicted
    double cost = 0;                         ///< bytes, or milliseconds
    double noise = 0;
    bool best = false;  ///< no other one has less error for the same cost or less
    QString text;       ///< what it is, for people
};

/// Programs as points: what they cost to the right, their error upwards on a logarithmic axis, those with
/// next to none (100 dB) on the line at the bottom. Places are parts (0 to 1) of a picture of all. Immutable.
class ParetoScene {
  public:
    /// Candidates without the cost have no point. `predicted`: what the chosen sites would give.
    ParetoScene(const LabStudy& study, const std::vector<LabCandidate>& candidates, ParetoCost cost,
                const std::optional<LabCandidate>& predicted = std::nullopt);

    /// By cost; the predicted one last.
    [[nodiscard]] const std::vector<ParetoPoint>& points() const { return shown; }
    [[nodiscard]] std::optional<std::size_t> pointOf(std::size_t candidate) const;
    [[nodiscard]] ParetoCost cost() const { return which; }
    /// How many programs were not timed.
    [[nodiscard]] std::size_t withoutPlace() const { return unplaced; }

    /// y is 0 at the top.
    [[nodiscard]] QPointF placeOf(const ParetoPoint& point) const;
    [[nodiscard]] double placeOfCost(double value) const;
    /// Of an error as a ratio of amplitudes.
    [[nodiscard]] double placeOfError(double error) const;
    [[nodiscard]] double costAt(double place) const;
    [[nodiscard]] double errorAt(double place) const;
    [[nodiscard]] QString costText(double value) const;
    /// Whether one is on the line of those with next to no error.
    [[nodiscard]] bool hasExact() const;
    /// Round errors between two places of the axis, the least first: 1, 2 and 5 of each decade, or of less
    /// than a decade some four.
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
