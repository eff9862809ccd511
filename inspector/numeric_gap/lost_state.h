#pragma once

#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/session/first_values.h"
#include "runtime/core/result.h"

#include <span>
#include <string>

// Mutable buffers whose first values the program lacks: a difference that no operator causes.
namespace et::inspector {

/// A mutable buffer of the Edge graph.
struct BufferValue {
    std::string input;  ///< its name in the graph
    backends::reference::ReferenceValue value;
};

/// Sets the buffers of the graph: first those in `lost` to zero, as the program's memory starts, for replays
/// of the runtime's operators; then those in `given`. Errors: as Interpreter::evaluate() and setBuffer().
[[nodiscard]] core::Result<> setState(backends::reference::Interpreter& interpreter,
                                      std::span<const LostFirstValues> lost,
                                      std::span<const BufferValue> given);

/// Builds the row of a buffer: its values in the record and in the program's memory.
[[nodiscard]] core::Result<GapRow> rowOf(const LostFirstValues& lost, bool hasOwnError);

}  // namespace et::inspector
