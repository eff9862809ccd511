#pragma once

#include "inspector/join/run_groups.h"
#include "inspector/join/run_phases.h"

#include <span>
#include <string_view>

namespace et::inspector::detail {

/// The event of the last Method::execute of a run; nothing: it is no execution.
[[nodiscard]] std::optional<etdump::EventIndex> executionOf(const etdump::Trace& trace, const RunShape& shape,
                                                            const etdump::Run& run);

/// Tells prefill from decode in a trace that does not say it, and writes it to the runs of `phases` that are
/// executions. By the first of these that does: names of methods; how many tokens the embedding gave, where
/// its results were logged; and, for what has the operators of a language model, a first execution that takes
/// at least 3 times as long as most, and at least 1.5 times by two thirds of its operators, with those like
/// it. A cold start takes longer as well, but by less, or by some operators.
void inferPhases(const etdump::Trace& trace, const RunGroups& groups,
                 std::span<const std::string_view> methods, RunPhases& phases);

}  // namespace et::inspector::detail
