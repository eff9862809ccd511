#pragma once

#include "inspector/format/time_scale.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Numbers as people read them: in the unit that fits the value, with three to four digits. Programs get one
/// unit, which the key or the header of a column names.
namespace et::inspector::report {

/// What a number counts.
enum class Measure : std::uint8_t {
    None,
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    Cycles,  ///< of a clock; no other unit fits
    Bytes,
    Percent,
    Change,  ///< percent by which something changed: "+3.1 %", from ten times on "6,706 times"
};
[[nodiscard]] Measure measureOf(TimeScale scale);

/// A number and the unit that fits it: {"12.35", "µs"}, {"812", "B"}, {"46.6", "%"}.
struct Quantity {
    std::string number;
    std::string_view unit;  ///< empty for Measure::None
};
/// Times have four digits, bytes three to four, shares one behind the point; whole nanoseconds, cycles and
/// bytes have no point. `value` may be negative.
[[nodiscard]] Quantity quantity(double value, Measure measure);

/// "12.35 µs"
[[nodiscard]] std::string readable(double value, Measure measure);
[[nodiscard]] std::string readableTime(double value, TimeScale scale = TimeScale::Nanoseconds);
/// "14.5 MiB", "812 B".
[[nodiscard]] std::string readableBytes(std::uint64_t bytes);
/// "12.5 %" of 0.125.
[[nodiscard]] std::string readablePercent(double share);

/// A column of readable(): decimal points and units stand below one another, texts are equally wide. No value
/// is blank.
[[nodiscard]] std::vector<std::string> alignedQuantities(std::span<const std::optional<double>> values,
                                                         Measure measure);

/// `text` with "us" for "µs", for terminals that show ASCII only.
[[nodiscard]] std::string withAsciiUnits(std::string_view text);

}  // namespace et::inspector::report
