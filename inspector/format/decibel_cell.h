#pragma once

#include "inspector/format/table.h"

#include <cmath>
#include <optional>
#include <string>

namespace et::inspector::format {

/// A ratio in decibels: null for equal values, "-inf" (text, since JSON has no such number) for values that
/// are not finite.
[[nodiscard]] inline Cell decibelCell(std::optional<double> decibels) {
    return !decibels || std::isfinite(*decibels) ? optionalCell(decibels) : Cell(std::string("-inf"));
}

}  // namespace et::inspector::format
