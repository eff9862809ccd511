#pragma once

#include "inspector/format/time_scale.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Numbers for display: in the unit that fits the value, with three to four digits. Machine-readable output
/// uses one unit, named in the key or column header.
namespace et::inspector::format {

/// Kind of a quantity.
enum class Measure : std::uint8_t {
    None,
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    Cycles,  ///< of a clock; never scaled
    Bytes,
    Percent,
    Change,  ///< relative change: "+3.1 %", from ten times on "6,706 times"
};
[[nodiscard]] Measure measureOf(TimeScale scale);

/// A number and its scaled unit: {"12.35", "µs"}, {"812", "B"}, {"46.6", "%"}.
struct Quantity {
    std::string number;
    std::string_view unit;  ///< empty for Measure::None
};
/// Times have four digits, bytes three to four, percentages one decimal; integer nanoseconds, cycles and
/// bytes have no decimals. `value` may be negative.
[[nodiscard]] Quantity quantity(double value, Measure measure);

/// "12.35 µs"
[[nodiscard]] std::string readable(double value, Measure measure);
[[nodiscard]] std::string readableTime(double value, TimeScale scale = TimeScale::Nanoseconds);
/// "14.5 MiB", "812 B".
[[nodiscard]] std::string readableBytes(std::uint64_t bytes);
/// "12.5 %" for 0.125.
[[nodiscard]] std::string readablePercent(double share);

/// The ending of a noun after a number: "s" unless it is 1.
[[nodiscard]] constexpr std::string_view plural(std::uint64_t count) {
    return count == 1 ? "" : "s";
}

/// A column of readable(): decimal points and units are aligned, all texts have the same width. A missing
/// value is blank.
[[nodiscard]] std::vector<std::string> alignedQuantities(std::span<const std::optional<double>> values,
                                                         Measure measure);

/// `text` with "us" instead of "µs", for ASCII terminals.
[[nodiscard]] std::string withAsciiUnits(std::string_view text);

}  // namespace et::inspector::format
