#pragma once

#include "inspector/join/event_blocks.h"

#include <map>
#include <optional>
#include <string>

namespace et::inspector::report {

/// What an event has to do, and the least time in which a machine could. inspector/limits finds it.
struct EventLimit {
    double operations = 0;
    double bytes = 0;
    std::optional<double>
        attainable{};       ///< least time in the unit of the blocks; nothing: no machine is known
    std::string boundBy{};  ///< "compute", "L2", "memory", …; empty without `attainable`
    /// Times of the event are cut to multiples of it (profilers of delegates that tell whole microseconds);
    /// 0: they are not.
    double timeStep = 0;

    [[nodiscard]] std::optional<double> intensity() const {
        return bytes > 0 ? std::optional(operations / bytes) : std::nullopt;
    }
    /// Part (0 to 1) of what is possible that a time is; of a time that was cut off, that of the longest that
    /// it may have been. Nothing without a limit or a time.
    [[nodiscard]] std::optional<double> efficiency(double time) const {
        const double longest = time + timeStep;
        return attainable && longest > 0 ? std::optional(*attainable / longest) : std::nullopt;
    }
};

/// By event of the blocks; others have no rule, or their shapes are not known.
using EventLimits = std::map<const Event*, EventLimit>;

}  // namespace et::inspector::report
