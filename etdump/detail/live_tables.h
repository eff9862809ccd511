#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The tables of a live trace (live_trace.h): each kind has one layout, which its vtable in the head of the
// file gives to readers. Positions are bytes from the file's first on; `At` constants are bytes from the
// table's first on.
namespace et::etdump::detail {

enum class LiveTable : std::uint8_t {
    ProfileEvent,       ///< an Event that holds a ProfileEvent
    DebugEvent,         ///< an Event that holds a DebugEvent
    AllocationEvent,    ///< an Event that holds an AllocationEvent
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

/// An Event, whose part lies right behind it.
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

/// What a live trace begins with: size prefix, root offset, identifier, vtables, the root table and the
/// length of its list of runs, which is 0.
class LiveHead {
  public:
    LiveHead();

    [[nodiscard]] core::Bytes bytes() const { return content; }
    /// Of the vtable that tables of this kind begin with.
    [[nodiscard]] std::uint32_t vtable(LiveTable kind) const {
        return vtables[static_cast<std::size_t>(kind)];
    }
    /// Of the length of the list of runs, at the end. The offsets of runs follow.
    [[nodiscard]] std::uint32_t runsAt() const {
        return static_cast<std::uint32_t>(content.size() - sizeof(std::uint32_t));
    }

  private:
    std::vector<std::byte> content;
    std::uint32_t vtables[static_cast<std::size_t>(LiveTable::Count)]{};
};

}  // namespace et::etdump::detail
