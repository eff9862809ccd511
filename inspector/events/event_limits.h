#pragma once

#include "inspector/join/event_blocks.h"

#include <map>
#include <optional>
#include <string>

namespace et::inspector::events {

/// Work of an event, and the minimum time on a machine. Computed by inspector/roofline.
struct EventLimit {
    double operations = 0;
    double bytes = 0;
    std::optional<double>
        attainable{};       ///< minimum time in the unit of the blocks; empty: no machine is known
    std::string boundBy{};  ///< "compute", "L2", "memory", …; empty without `attainable`
    /// Times of the event are truncated to multiples of it (delegate profilers that report whole
    /// microseconds); 0: not truncated.
    double timeStep = 0;

    [[nodiscard]] std::optional<double> intensity() const {
        return bytes > 0 ? std::optional(operations / bytes) : std::nullopt;
    }
    /// Attainable time as a share (0 to 1) of the measured time, rounded up if it was truncated. Empty
    /// without a limit or a time.
    [[nodiscard]] std::optional<double> efficiency(double time) const {
        const double longest = time + timeStep;
        return attainable && longest > 0 ? std::optional(*attainable / longest) : std::nullopt;
    }
};

/// By event of the blocks; missing if an event has no rule or unknown shapes.
using EventLimits = std::map<const Event*, EventLimit>;

}  // namespace et::inspector::events
