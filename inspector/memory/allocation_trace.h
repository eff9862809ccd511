#pragma once

#include "inspector/memory/memory_text.h"
#include "runtime/core/result.h"

#include <span>
#include <string>

namespace et::inspector {

/// Horizontal position of a tensor in a trace of allocations.
enum class AllocationPlace : std::uint8_t {
    Stacked,  ///< after the tensors that are alive at the same step
    Offset    ///< its offset in the arena
};

/// The tensors alive at each step, for chrome://tracing and Perfetto, in the layout of ExecuTorch's
/// generate_memory_trace(): a thread is a step (0: before the first instruction), a process is an arena, and
/// one byte is one microsecond. Arenas of further methods follow those of the first. Errors: Limit (more than
/// a million boxes).
[[nodiscard]] core::Result<std::string> allocationTrace(std::span<const MemoryView> methods,
                                                        AllocationPlace place);

}  // namespace et::inspector
