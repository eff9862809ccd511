#pragma once

#include "inspector/plot/axis.h"
#include "inspector/plot/frame.h"
#include "inspector/roofline/machine_profile.h"
#include "inspector/roofline/roofline_points.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::inspector {

/// A limit of the machine: arithmetic of one kind (flat) or bandwidth of a memory level (rising).
struct Roof {
    std::string name;      ///< "fp32", "L2"
    double gigaops = 0;    ///< for arithmetic, 10^9 operations per second; otherwise 0
    double gigabytes = 0;  ///< for a memory level, 10^9 bytes per second; otherwise 0
};

/// Operators below the limits of the machine. Both axes are logarithmic: operations per byte on the x axis,
/// operations per second on the y axis.
class RooflinePlot {
  public:
    /// For a trace with this number of threads. Points without a place are counted, not shown.
    RooflinePlot(const std::vector<RooflinePoint>& points, const MachineProfile& machine,
                 std::size_t threads);

    /// Longest first.
    [[nodiscard]] const std::vector<RooflinePoint>& points() const { return shown; }
    [[nodiscard]] std::size_t withoutPlace() const { return unplaced; }
    [[nodiscard]] const std::vector<Roof>& roofs() const { return lines; }
    [[nodiscard]] const std::string& processor() const { return cpu; }
    /// The highest flat roof in 10^9 operations per second; 0 without flat roofs.
    [[nodiscard]] double highest() const;

    /// Items are the points, in order. Larger points took more time.
    [[nodiscard]] plot::Scene scene(const plot::Frame& frame) const;

  private:
    void addAxes(plot::Scene& scene, const plot::Frame& frame) const;
    void addRoofs(plot::Scene& scene, const plot::Frame& frame) const;
    void addPoint(plot::Scene& scene, const plot::Frame& frame, const RooflinePoint& point) const;
    [[nodiscard]] plot::Point placeOf(double intensity, double gigaops) const;

    std::vector<RooflinePoint> shown;
    std::size_t unplaced = 0;
    std::vector<Roof> lines;
    std::string cpu;
    plot::LogAxis intensities{.least = 0.05, .most = 100};
    plot::LogAxis rates{.least = 1, .most = 10};
};

[[nodiscard]] plot::Style rooflinePointStyle(bool delegated);

/// "conv_7", "40.0 µs, 12.5 % of the time", "22.1 GFLOP/s at 9.4 operations per byte" and "18 % of the
/// machine's limit, bound by L2", in lines.
[[nodiscard]] std::string rooflinePointText(const RooflinePoint& point);

}  // namespace et::inspector
