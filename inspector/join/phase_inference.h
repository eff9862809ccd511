#pragma once

#include "inspector/join/run_groups.h"
#include "inspector/join/run_phases.h"

#include <span>
#include <string_view>

namespace et::inspector::join::detail {

/// The event of the last Method::execute of a run; nothing if the run is not an execution.
[[nodiscard]] std::optional<etdump::EventIndex> executionOf(const etdump::Trace& trace, const RunShape& shape,
                                                            const etdump::Run& run);

/// Distinguishes prefill from decode in a trace that does not record phases, and sets the phase of the runs
/// in `phases` that are executions. Uses the first of these that applies: method names; the number of tokens
/// in the embedding's logged results; and, for models with the operators of a language model, a first
/// execution that takes at least 3 times the usual time, with two thirds of its operators at least 1.5 times
/// slower, together with executions similar to it. A cold start also takes longer, but by less, or in only
/// some operators.
void inferPhases(const etdump::Trace& trace, const RunGroups& groups,
                 std::span<const std::string_view> methods, RunPhases& phases);

}  // namespace et::inspector::join::detail
