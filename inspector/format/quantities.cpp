#include "inspector/format/quantities.h"

#include "inspector/format/change_text.h"
#include "inspector/format/detail/units.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector::format {
namespace {

using detail::byteUnits;
using detail::nanosecondsIn;
using detail::timeUnits;
using detail::Unit;

/// Decimals of a number below 10, 100 and 1000; larger ones have none.
using Digits = std::array<int, 3>;
constexpr Digits timeDigits{3, 2, 1};
constexpr Digits byteDigits{2, 1, 1};

/// Possible error in nanoseconds from unit conversion.
constexpr double noise = 1e-6;

int digitsOf(double size, const Digits& digits) {
    return size < 10 ? digits[0] : size < 100 ? digits[1] : size < 1000 ? digits[2] : 0;
}

double rounded(double number, int digits) {
    const double step = std::pow(10, -digits);
    return std::round(number / step) * step;
}

/// Uses the largest unit in which the rounded number is 1 or more: 999.96 µs are 1.000 ms. Integers in the
/// smallest unit have no decimals.
Quantity scaled(double value, std::span<const Unit> units, const Digits& digits) {
    const double size = std::fabs(value);
    for (std::size_t i = 0;; ++i) {
        const Unit& unit = units[i];
        const double number = size / unit.size;
        const double shown = rounded(number, digitsOf(number, digits));
        if (i + 1 == units.size() || shown * unit.size < units[i + 1].size) {
            const bool whole = i == 0 && std::fabs(number - std::round(number)) < noise;
            return {fmt::format("{:.{}f}", value / unit.size, whole ? 0 : digitsOf(shown, digits)),
                    unit.name};
        }
    }
}

/// Number of characters before the point.
std::size_t headOf(std::string_view number) {
    return std::min(number.find('.'), number.size());
}

}  // namespace

Measure measureOf(TimeScale scale) {
    constexpr std::array measures{Measure::Nanoseconds, Measure::Microseconds, Measure::Milliseconds,
                                  Measure::Seconds, Measure::Cycles};
    return measures[static_cast<std::size_t>(scale)];
}

namespace {

Quantity changeOf(double percent) {
    std::string text = readableChange(1 + percent / 100);
    const std::string_view unit = text.ends_with('%') ? "%" : "times";
    text.resize(text.rfind(' '));
    return {std::move(text), unit};
}

}  // namespace

Quantity quantity(double value, Measure measure) {
    if (!std::isfinite(value)) {
        return {std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf", {}};
    }
    switch (measure) {
        case Measure::None:
            return {fmt::format("{:.4g}", value), {}};
        case Measure::Percent:
            return {fmt::format("{:.1f}", value), "%"};
        case Measure::Change:
            return changeOf(value);
        case Measure::Bytes:
            return scaled(value, byteUnits, byteDigits);
        case Measure::Cycles:
            return {fmt::format("{:.{}f}", value, value == std::floor(value) ? 0 : 1), "cycles"};
        case Measure::Nanoseconds:
        case Measure::Microseconds:
        case Measure::Milliseconds:
        case Measure::Seconds:
            break;
    }
    return scaled(value * nanosecondsIn(measure), timeUnits, timeDigits);
}

std::string readable(double value, Measure measure) {
    const Quantity shown = quantity(value, measure);
    return shown.unit.empty() ? shown.number : fmt::format("{} {}", shown.number, shown.unit);
}

std::string readableTime(double value, TimeScale scale) {
    return readable(value, measureOf(scale));
}

std::string readableBytes(std::uint64_t bytes) {
    return readable(static_cast<double>(bytes), Measure::Bytes);
}

std::string readablePercent(double share) {
    return readable(share * 100, Measure::Percent);
}

std::vector<std::string> alignedQuantities(std::span<const std::optional<double>> values, Measure measure) {
    std::vector<Quantity> shown;
    std::size_t tail = 0;  // characters from the point on
    std::size_t unit = 0;
    for (const std::optional<double>& value : values) {
        shown.push_back(value ? quantity(*value, measure) : Quantity{});
        const Quantity& each = shown.back();
        tail = std::max(tail, each.number.size() - headOf(each.number));
        unit = std::max(unit, core::utf8Length(each.unit));
    }
    std::vector<std::string> out;
    for (const Quantity& each : shown) {
        if (each.number.empty()) {
            out.emplace_back();
            continue;
        }
        const std::size_t behind = each.number.size() - headOf(each.number);
        const std::size_t blanks = unit - core::utf8Length(each.unit);
        out.push_back(each.number + std::string(tail - behind + (unit > 0 ? 1 : 0), ' ') +
                      std::string(each.unit) + std::string(blanks, ' '));
    }
    return out;
}

std::string withAsciiUnits(std::string_view text) {
    constexpr std::string_view micro = "µs";
    std::string out;
    for (std::size_t at = text.find(micro); at != std::string_view::npos; at = text.find(micro)) {
        out += text.substr(0, at);
        out += "us";
        text.remove_prefix(at + micro.size());
    }
    return out += text;
}

}  // namespace et::inspector::format
