#pragma once

#include "inspector/limits/machine_profile.h"
#include "inspector/limits/roofline_points.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <QPointF>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// A line that is the most of something: of a kind of arithmetic (flat), or of a level of memory (rising).
struct Roof {
    std::string name;      ///< "fp32", "L2"
    double gigaops = 0;    ///< of arithmetic, 10^9 operations a second; else 0
    double gigabytes = 0;  ///< of a level, 10^9 bytes a second; else 0
};

/// Operators below what the machine can do. Both axes are logarithmic: operations a byte to the right,
/// operations a second upwards; places are parts (0 to 1) of a picture of all. Immutable.
class RooflineScene {
  public:
    /// `limits`: of the session's trace on this machine with so many threads.
    RooflineScene(SessionPointer opened, const inspector::report::EventLimits& limits,
                  inspector::MachineProfile machine, std::size_t threads);

    /// Those with a place, the longest first; names are for people.
    [[nodiscard]] const std::vector<inspector::RooflinePoint>& points() const { return shown; }
    /// How many have no operations.
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
    /// The highest flat roof in 10^9 operations a second; 0: there is none.
    [[nodiscard]] double highest() const;

    /// The point of an event; nothing: it has no place.
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
