#pragma once

#include "inspector/roofline/machine_profile.h"
#include "inspector/roofline/roofline_points.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <QPointF>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// A limit of the machine: arithmetic of one kind (flat) or bandwidth of a memory level (rising).
struct Roof {
    std::string name;      ///< "fp32", "L2"
    double gigaops = 0;    ///< for arithmetic, 10^9 operations per second; otherwise 0
    double gigabytes = 0;  ///< for a memory level, 10^9 bytes per second; otherwise 0
};

/// Operators below the limits of the machine. Both axes are logarithmic: operations per byte on the x axis,
/// operations per second on the y axis; positions are fractions (0 to 1) of the whole plot. Immutable.
class RooflineScene {
  public:
    /// `limits`: of the session's trace on this machine with this number of threads.
    RooflineScene(SessionPointer opened, const inspector::events::EventLimits& limits,
                  inspector::MachineProfile machine, std::size_t threads);

    /// Points with a position, longest first, with display names.
    [[nodiscard]] const std::vector<inspector::RooflinePoint>& points() const { return shown; }
    /// Number of operators without a count of operations.
    [[nodiscard]] std::size_t withoutPlace() const { return unplaced; }
    [[nodiscard]] const std::vector<Roof>& roofs() const { return lines; }
    [[nodiscard]] const inspector::MachineProfile& machine() const { return profile; }
    [[nodiscard]] std::size_t threads() const { return usedThreads; }

    /// y is 0 at the top.
    [[nodiscard]] QPointF placeOf(const inspector::RooflinePoint& point) const;
    [[nodiscard]] double placeOfIntensity(double intensity) const;
    [[nodiscard]] double placeOfRate(double gigaops) const;
    [[nodiscard]] double intensityAt(double place) const;
    [[nodiscard]] double rateAt(double place) const;
    /// The highest flat roof in 10^9 operations per second; 0 if there is none.
    [[nodiscard]] double highest() const;

    /// The point of an event; nothing if it has no position.
    [[nodiscard]] std::optional<std::size_t> pointOf(const std::optional<EventRef>& event) const;
    [[nodiscard]] EventRef eventOf(std::size_t point) const;

  private:
    void addRoofs();
    void widen(double intensity, double rate);

    SessionPointer session;
    inspector::MachineProfile profile;
    std::size_t usedThreads;
    std::vector<inspector::RooflinePoint> shown;
    std::size_t unplaced = 0;
    std::vector<Roof> lines;
    double leastIntensity = 0.1;
    double mostIntensity = 100;
    double leastRate = 1;
    double mostRate = 10;
};

}  // namespace et::visualizers
