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

/// What an allocator of the runtime gave out while a method ran, as a trace recorded it.
struct AllocatorUse {
    std::string name;               ///< as the runtime named it; its number where it has none
    std::uint64_t allocations = 0;  ///< over all runs
    std::uint64_t bytes = 0;        ///< over all runs
    std::uint64_t runs = 0;         ///< that recorded any
};

/// By allocator, most bytes first, without those that measuredMemory() knows. Empty: the trace recorded none,
/// or did not run the method (isOf() of delegates/times.h).
[[nodiscard]] std::vector<AllocatorUse> allocationsOf(const EventBlocks& blocks,
                                                      const program::Method& method, bool onlyMethod);

/// Bytes that one of our runtime's allocators holds for a method.
struct MeasuredBytes {
    executor::MemoryKind kind = executor::MemoryKind::PlannedArena;
    std::size_t number = 0;  ///< of the arena or the delegate, where the kind has one
    std::uint64_t bytes = 0;
};

/// What a method took when our runtime ran it (`run --allocations`): of each allocator all that it took in
/// loading and in all runs, since it keeps that. ProcessPeak, of the whole process, is in each method's.
/// In the order of kinds and numbers. Empty: the trace did not record it.
[[nodiscard]] std::vector<MeasuredBytes> measuredMemory(const etdump::Trace& trace,
                                                        const program::Method& method);

/// "workspace of delegate 0", for people.
[[nodiscard]] std::string describe(const MeasuredBytes& measured);

/// Of one of them; nothing: it was not recorded, which for a delegate in a trace that has measuredMemory()
/// means that it took none.
[[nodiscard]] std::optional<std::uint64_t> bytesOf(std::span<const MeasuredBytes> measured,
                                                   executor::MemoryKind kind, std::size_t number = 0);

}  // namespace et::inspector
