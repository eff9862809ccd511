#pragma once

#include "app/serve/conversions.h"
#include "app/serve/failure.h"
#include "inspector/format/time_scale.h"
#include "inspector/format/trace_clock.h"

#include <string>
#include <vector>

namespace et::serve {

/// Returns the time unit with this name; raises ArgumentError for an unknown name.
[[nodiscard]] inline inspector::TimeScale timeScale(const std::string& name) {
    if (const auto scale = inspector::timeScaleFromName(name)) {
        return *scale;
    }
    raise({.code = core::ErrorCode::InvalidArgument, .message = "unknown time scale " + name});
}

/// Returns the units of a trace: that of its clock, and those of delegates as "[BACKEND=]UNIT"; raises
/// ArgumentError for an unknown one.
[[nodiscard]] inline inspector::TraceClock traceClock(const std::string& unit,
                                                      const std::vector<std::string>& delegates) {
    inspector::TraceClock clock{.unit = timeScale(unit)};
    for (const std::string& each : delegates) {
        clock.delegates.push_back(unwrap(inspector::parseDelegateTimeScale(each)));
    }
    return clock;
}

}  // namespace et::serve
