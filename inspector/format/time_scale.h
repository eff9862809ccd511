#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace et::inspector {

enum class TimeScale : std::uint8_t { Nanoseconds, Microseconds, Milliseconds, Seconds, Cycles };

struct TimeScaleInfo {
    TimeScale scale;
    std::string_view name;  ///< "ns": spelling in flags and headers
    double perSecond;       ///< ticks per second; 1 for cycles, which only mix with cycles
};

inline constexpr std::array timeScales{
    TimeScaleInfo{TimeScale::Nanoseconds, "ns", 1e9},  TimeScaleInfo{TimeScale::Microseconds, "us", 1e6},
    TimeScaleInfo{TimeScale::Milliseconds, "ms", 1e3}, TimeScaleInfo{TimeScale::Seconds, "s", 1.0},
    TimeScaleInfo{TimeScale::Cycles, "cycles", 1.0},
};

[[nodiscard]] constexpr const TimeScaleInfo& traits(TimeScale scale) {
    return timeScales[static_cast<std::size_t>(scale)];
}

[[nodiscard]] constexpr std::optional<TimeScale> timeScaleFromName(std::string_view name) {
    for (const TimeScaleInfo& candidate : timeScales) {
        if (candidate.name == name) {
            return candidate.scale;
        }
    }
    return std::nullopt;
}

/// Ticks of `source` per unit of `target`: dividing a duration in source ticks by this gives target units.
[[nodiscard]] constexpr double ticksPerUnit(TimeScale source, TimeScale target) {
    return traits(source).perSecond / traits(target).perSecond;
}

}  // namespace et::inspector
