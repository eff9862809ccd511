#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Tables of a live trace (live_trace.h): each kind has one layout, described by its vtable in the head of the
// file. Positions are bytes from the start of the file; `At` constants are bytes from the start of the table.
namespace et::etdump::detail {

enum class LiveTable : std::uint8_t {
    ProfileEvent,       ///< an Event with a ProfileEvent
    DebugEvent,         ///< an Event with a DebugEvent
    AllocationEvent,    ///< an Event with an AllocationEvent
    Profile,            ///< a ProfileEvent without metadata
    ProfileOfDelegate,  ///< a ProfileEvent with metadata
    Debug,
    Allocation,
    Run,
    RunWithAllocators,
    Allocator,
    Root,
    Count
};

/// An Event, followed directly by its content.
struct LiveEvent {
    static constexpr std::size_t partAt = 4;
    static constexpr std::size_t bytes = 8;
};
struct LiveProfile {
    static constexpr std::size_t nameAt = 4;
    static constexpr std::size_t chainAt = 8;
    static constexpr std::size_t instructionAt = 12;
    static constexpr std::size_t delegateIntAt = 16;
    static constexpr std::size_t delegateTextAt = 20;
    static constexpr std::size_t startAt = 24;
    static constexpr std::size_t endAt = 32;
    static constexpr std::size_t metadataAt = 40;
    static constexpr std::size_t bytes = 40;  ///< without metadata
    static constexpr std::size_t bytesWithMetadata = 48;
};
struct LiveDebug {
    static constexpr std::size_t instructionAt = 4;
    static constexpr std::size_t chainAt = 8;
    static constexpr std::size_t valueAt = 16;
    static constexpr std::size_t delegateIntAt = 20;
    static constexpr std::size_t delegateTextAt = 24;
    static constexpr std::size_t nameAt = 28;
    static constexpr std::size_t bytes = 32;
};
struct LiveAllocation {
    static constexpr std::size_t allocatorAt = 4;
    static constexpr std::size_t sizeAt = 8;
    static constexpr std::size_t bytes = 16;
};
struct LiveRun {
    static constexpr std::size_t nameAt = 4;
    static constexpr std::size_t eventsAt = 8;
    static constexpr std::size_t allocatorsAt = 12;
    static constexpr std::size_t bytes = 16;
};
struct LiveAllocator {
    static constexpr std::size_t nameAt = 4;
    static constexpr std::size_t bytes = 8;
};

/// Head of a live trace: size prefix, root offset, identifier, vtables, the root table and the length of its
/// list of runs, which is 0.
class LiveHead {
  public:
    LiveHead();

    [[nodiscard]] core::Bytes bytes() const { return content; }
    /// Position of the vtable for tables of this kind.
    [[nodiscard]] std::uint32_t vtable(LiveTable kind) const {
        return vtables[static_cast<std::size_t>(kind)];
    }
    /// Position of the length of the list of runs, at the end. The offsets of runs follow it.
    [[nodiscard]] std::uint32_t runsAt() const {
        return static_cast<std::uint32_t>(content.size() - sizeof(std::uint32_t));
    }

  private:
    std::vector<std::byte> content;
    std::uint32_t vtables[static_cast<std::size_t>(LiveTable::Count)]{};
};

}  // namespace et::etdump::detail
