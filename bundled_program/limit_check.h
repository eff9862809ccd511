#pragma once

#include "bundled_program/compare.h"

#include <string>

namespace et::bundled_program::detail {

/// What each element has to keep: the tolerance, or what the limits put in its place.
[[nodiscard]] Tolerance elementTolerance(const Comparison& comparison);

/// The first limit that an output breaks whose elements all agree, in a line; empty: it keeps them all.
[[nodiscard]] std::string brokenLimit(const Comparison& comparison);

}  // namespace et::bundled_program::detail
