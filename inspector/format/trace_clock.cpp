#include "inspector/format/trace_clock.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <ranges>
#include <system_error>
#include <utility>

namespace et::inspector {
namespace {

/// Beyond it, products with times would not be finite.
constexpr double largestFactor = 1e15;

/// A number above 0 at the start of `text`, which is left with the rest.
std::optional<double> takeNumber(std::string_view& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !(number >= 1 / largestFactor && number <= largestFactor)) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// "800MHz" as nanoseconds per cycle, "2.5" as ticks of the trace.
bool readNumber(std::string_view text, DelegateTimeScale& into) {
    constexpr double perGigahertz = 1;
    constexpr double perMegahertz = 1e3;
    const std::optional<double> number = takeNumber(text);
    if (!number) {
        return false;
    }
    if (text.empty()) {
        into.ticks = number;
    } else if (text == "MHz") {
        into.nanoseconds = perMegahertz / *number;
    } else if (text == "GHz") {
        into.nanoseconds = perGigahertz / *number;
    } else {
        return false;
    }
    return true;
}

}  // namespace

core::Result<DelegateTimeScale> parseDelegateTimeScale(std::string_view text) {
    DelegateTimeScale scale;
    std::string_view unit = text;
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
        scale.backend = text.substr(0, equals);
        unit = text.substr(equals + 1);
    }
    if (unit == "cycles" || unit == "ticks") {
        return scale;
    }
    if (const auto known = timeScaleFromName(unit == "µs" ? "us" : unit)) {
        scale.nanoseconds = ticksPerUnit(TimeScale::Nanoseconds, *known);
        return scale;
    }
    if (!readNumber(unit, scale)) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            fmt::format("expected ns, us, ms, s, a clock such as 800MHz, cycles, or a factor, got '{}'",
                        core::printable(unit)));
    }
    return scale;
}

std::string delegateTimeScaleText(const DelegateTimeScale& scale) {
    std::string unit = "cycles";
    if (scale.ticks) {
        unit = fmt::format("{}", *scale.ticks);
    } else if (scale.nanoseconds) {
        constexpr double perMegahertz = 1e3;
        unit = fmt::format("{}MHz", perMegahertz / *scale.nanoseconds);
        for (const TimeScaleInfo& known : timeScales) {
            if (known.scale != TimeScale::Cycles &&
                ticksPerUnit(TimeScale::Nanoseconds, known.scale) == *scale.nanoseconds) {
                unit = known.name;
            }
        }
    }
    return scale.backend.empty() ? unit : scale.backend + "=" + unit;
}

core::Result<std::vector<DelegateTimeScale>> parseDelegateTimeScales(std::string_view text) {
    std::vector<DelegateTimeScale> scales;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        ET_ASSIGN(DelegateTimeScale scale, parseDelegateTimeScale(text.substr(0, comma)));
        scales.push_back(std::move(scale));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return scales;
}

std::string delegateTimeScalesText(const std::vector<DelegateTimeScale>& scales) {
    return fmt::format("{}", fmt::join(scales | std::views::transform(delegateTimeScaleText), ","));
}

}  // namespace et::inspector
