#pragma once

#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/session/first_values.h"
#include "runtime/core/result.h"

#include <span>

// Mutable buffers whose first values the program lacks: a difference that no operator causes.
namespace et::inspector {

/// Sets these buffers of the graph to zero, as the program's memory starts, for replays of the runtime's
/// operators. Errors: as Interpreter::evaluate() and setBuffer().
[[nodiscard]] core::Result<> clearLostState(backends::reference::Interpreter& interpreter,
                                            std::span<const LostFirstValues> lost);

/// Builds the row of a buffer: its values in the record and in the program's memory.
[[nodiscard]] core::Result<GapRow> rowOf(const LostFirstValues& lost, bool hasOwnError);

}  // namespace et::inspector
