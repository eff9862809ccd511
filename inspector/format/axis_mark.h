#pragma once

#include "inspector/format/quantities.h"

#include <string>

namespace et::inspector::format {

/// Label of a mark on a time axis: in the unit that fits the value, with enough decimals to distinguish it
/// from the next mark at distance `step` (more than 0): "80 µs", "1.2345678 s". Other measures keep their
/// unit.
[[nodiscard]] std::string axisMark(double value, double step, Measure measure);

}  // namespace et::inspector::format
