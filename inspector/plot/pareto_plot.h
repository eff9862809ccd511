#pragma once

#include "inspector/plot/axis.h"
#include "inspector/plot/frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector::plot {

/// Cost of a program: bytes or nanoseconds.
enum class ParetoCost : std::uint8_t { Bytes, Time };
/// Labels of errors: ratios of amplitudes in percent, or SQNR in decibels.
enum class ParetoError : std::uint8_t { Percent, Decibels };

/// A program by its error and cost.
struct ParetoPoint {
    std::optional<std::size_t> candidate{};  ///< candidate index; nothing: predicted
    double cost = 0;
    double noise = 0;     ///< power of the difference divided by the power of the expected outputs
    bool chosen = false;  ///< drawn in another colour
    std::string tip{};
    bool best = false;  ///< set by ParetoPlot: no other program has a lower error at the same or lower cost
};

/// Programs as points: cost on the x axis, error on a logarithmic y axis; those with almost none (100 dB) are
/// on a line at the bottom.
class ParetoPlot {
  public:
    ParetoPlot(std::vector<ParetoPoint> points, ParetoCost cost, ParetoError error = ParetoError::Percent);

    /// Sorted by cost, the predicted one last.
    [[nodiscard]] const std::vector<ParetoPoint>& points() const { return shown; }
    [[nodiscard]] std::optional<std::size_t> pointOf(std::size_t candidate) const;
    [[nodiscard]] ParetoCost cost() const { return costUnit; }
    /// Adds the plot to a scene; its items are the points, in order.
    void addTo(Scene& scene, const Frame& frame) const;

  private:
    void findSpan();
    void addAxes(Scene& scene, const Frame& frame) const;
    void addPoints(Scene& scene, const Frame& frame) const;
    void addLegend(Scene& scene, const Frame& frame) const;
    [[nodiscard]] std::vector<Tick> costTicks(const Frame& frame) const;
    [[nodiscard]] std::vector<Tick> errorTicks(const Frame& frame) const;
    [[nodiscard]] double placeOfCost(double cost) const;
    /// Position of an error given as a ratio of amplitudes.
    [[nodiscard]] double placeOfError(double error) const;
    [[nodiscard]] std::string costText(double cost) const;
    [[nodiscard]] std::string errorText(double error) const;

    std::vector<ParetoPoint> shown;
    ParetoCost costUnit;
    ParetoError errorUnit;
    double leastCost = 0;
    double mostCost = 1;
    LogAxis errors{.least = 0.001, .most = 1};
};

}  // namespace et::inspector::plot
