#pragma once

#include "inspector/format/quantities.h"

#include <string>

namespace et::inspector::report {

/// What stands at a mark of an axis of time: in the unit that fits the value, with as many digits behind the
/// point as tell it from the next mark, `step` (more than 0) further: "80 µs", "1.2345678 s". Other measures
/// keep their unit.
[[nodiscard]] std::string axisMark(double value, double step, Measure measure);

}  // namespace et::inspector::report
