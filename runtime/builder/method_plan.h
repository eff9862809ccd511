#pragma once

#include "runtime/builder/memory_planner.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <map>
#include <vector>

namespace et::builder {

/// What is known of the memory of a method's tensors before it is planned, by position of the value.
struct MemoryWishes {
    std::map<std::uint32_t, program::ArenaId> planned;    ///< tensors that want a place
    std::map<std::uint32_t, program::Allocation> byHand;  ///< places that are given, right or wrong
    std::map<std::uint32_t, std::uint32_t> aliases;       ///< value by the one whose place it gets
    std::vector<std::uint32_t> states;                    ///< planned tensors that live between executions
    std::map<std::uint32_t, program::Arena> arenas;       ///< arenas whose size is given, right or wrong
};

/// Gives tensors their allocations and the method its arenas (0 is reserved and empty). Tensors that live at
/// the same time do not overlap; what places by hand do is the caller's matter. A method without a chain is
/// one of constants: its tensors live from its start to its end. Errors: Limit (as planMemory()).
[[nodiscard]] core::Result<> planMethod(program::Method& method, const MemoryWishes& wishes,
                                        PlanStrategy strategy);

}  // namespace et::builder
