#include "inspector/format/axis_mark.h"

#include "inspector/format/detail/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace et::inspector::format {

namespace {

constexpr int mostDigits = 15;  // precision of a double

/// Decimal digits of numbers that are multiples of `step`.
int digitsBetween(double step) {
    constexpr double noise = 1e-9;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - noise)), 0, mostDigits);
}

}  // namespace

std::string axisMark(double value, double step, Measure measure) {
    const bool isTime = measure == Measure::Nanoseconds || measure == Measure::Microseconds ||
                        measure == Measure::Milliseconds || measure == Measure::Seconds;
    if (!isTime) {
        const std::string_view unit = quantity(value, measure).unit;
        return fmt::format("{:.{}f}{}{}", value, digitsBetween(step), unit.empty() ? "" : " ", unit);
    }
    const double factor = detail::nanosecondsIn(measure);
    constexpr double lost = 1e-9;  // possible rounding error of conversion and division
    const double size = (std::fabs(value) < step / 2 ? step : std::fabs(value)) * factor * (1 + lost);
    const detail::Unit* unit = detail::timeUnits.data();
    for (const detail::Unit& each : detail::timeUnits) {
        unit = each.size <= size ? &each : unit;
    }
    return fmt::format("{:.{}f} {}", value * factor / unit->size, digitsBetween(step * factor / unit->size),
                       unit->name);
}

}  // namespace et::inspector::format
