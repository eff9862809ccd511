#pragma once

#include "bundled_program/compare.h"

#include <string>

namespace et::bundled_program::detail {

/// Tolerance for each element: the default, or its replacement by the limits.
[[nodiscard]] Tolerance elementTolerance(const Comparison& comparison);

/// The first limit broken by an output whose elements all agree, in one line; empty if there is none.
[[nodiscard]] std::string brokenLimit(const Comparison& comparison);

}  // namespace et::bundled_program::detail
