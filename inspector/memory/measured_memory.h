#pragma once

#include "inspector/event_blocks.h"
#include "runtime/program/method.h"

#include <cstdint>
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

/// By allocator, most bytes first. Empty: the trace recorded none, or did not run the method (isOf() of
/// delegates/times.h).
[[nodiscard]] std::vector<AllocatorUse> allocationsOf(const EventBlocks& blocks,
                                                      const program::Method& method, bool onlyMethod);

}  // namespace et::inspector
