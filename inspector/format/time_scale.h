#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace et::inspector {

enum class TimeScale : std::uint8_t { Nanoseconds, Microseconds, Milliseconds, Seconds, Cycles };

struct TimeScaleFacts {
    TimeScale scale;
    std::string_view name;  ///< "ns", as flags and headers spell it
    double perSecond;       ///< ticks a second; 1 for cycles, which only mix with cycles
};

inline constexpr std::array timeScales{
    TimeScaleFacts{TimeScale::Nanoseconds, "ns", 1e9},  TimeScaleFacts{TimeScale::Microseconds, "us", 1e6},
    TimeScaleFacts{TimeScale::Milliseconds, "ms", 1e3}, TimeScaleFacts{TimeScale::Seconds, "s", 1.0},
    TimeScaleFacts{TimeScale::Cycles, "cycles", 1.0},
};

[[nodiscard]] constexpr const TimeScaleFacts& facts(TimeScale scale) {
    return timeScales[static_cast<std::size_t>(scale)];
}

[[nodiscard]] constexpr std::optional<TimeScale> timeScaleFromName(std::string_view name) {
    for (const TimeScaleFacts& candidate : timeScales) {
        if (candidate.name == name) {
            return candidate.scale;
        }
    }
    return std::nullopt;
}

/// Ticks of `source` in one unit of `target`: a duration in source ticks divided by this is in target units.
[[nodiscard]] constexpr double ticksPerUnit(TimeScale source, TimeScale target) {
    return facts(source).perSecond / facts(target).perSecond;
}

}  // namespace et::inspector
