#pragma once

#include "inspector/format/quantities.h"

#include <array>
#include <string_view>

// Units of each kind, smallest first.
namespace et::inspector::format::detail {

struct Unit {
    double size;  ///< in the smallest unit of its kind
    std::string_view name;
};
inline constexpr std::array timeUnits{Unit{1, "ns"}, Unit{1e3, "µs"}, Unit{1e6, "ms"}, Unit{1e9, "s"}};
inline constexpr double kibi = 1024;
inline constexpr std::array byteUnits{Unit{1, "B"}, Unit{kibi, "KiB"}, Unit{kibi * kibi, "MiB"},
                                      Unit{kibi * kibi * kibi, "GiB"},
                                      Unit{kibi * kibi * kibi * kibi, "TiB"}};

/// Nanoseconds of a time measure.
constexpr double nanosecondsIn(Measure measure) {
    switch (measure) {
        case Measure::Microseconds:
            return 1e3;
        case Measure::Milliseconds:
            return 1e6;
        case Measure::Seconds:
            return 1e9;
        default:
            return 1;
    }
}

}  // namespace et::inspector::format::detail
