#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/executor/allocators.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// Memory that a runtime allocator handed out while a method ran, as recorded in a trace.
struct AllocatorUse {
    std::string name;               ///< the runtime's name for it, or its number if it has none
    std::uint64_t allocations = 0;  ///< over all runs
    std::uint64_t bytes = 0;        ///< over all runs
    std::uint64_t runs = 0;         ///< number of runs that recorded any
};

/// Allocations by allocator, most bytes first, without those that measuredMemory() covers. Empty if the trace
/// recorded none or did not run the method (isOf() of delegates/times.h).
[[nodiscard]] std::vector<AllocatorUse> collectAllocations(const EventBlocks& blocks,
                                                           const program::Method& method, bool onlyMethod);

/// Bytes that an allocator of our runtime holds for a method.
struct MeasuredBytes {
    executor::MemoryKind kind = executor::MemoryKind::PlannedArena;
    std::size_t number = 0;  ///< index of the arena or delegate, if the kind has one
    std::uint64_t bytes = 0;
};

/// Memory of a method in our runtime (`run --allocations`): for each allocator the total over loading and all
/// runs, since allocations are kept. ProcessPeak, which covers the whole process, is included in each
/// method's. Ordered by kind and number. Empty if the trace did not record it.
[[nodiscard]] std::vector<MeasuredBytes> measuredMemory(const etdump::Trace& trace,
                                                        const program::Method& method);

/// "workspace of delegate 0", for messages.
[[nodiscard]] std::string describe(const MeasuredBytes& measured);

/// Bytes of one allocator; nothing if not recorded. For a delegate in a trace that has measuredMemory(),
/// nothing means that it allocated none.
[[nodiscard]] std::optional<std::uint64_t> bytesOf(std::span<const MeasuredBytes> measured,
                                                   executor::MemoryKind kind, std::size_t number = 0);

}  // namespace et::inspector
