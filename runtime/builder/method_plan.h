#pragma once

#include "runtime/builder/memory_planner.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <map>
#include <vector>

namespace et::builder {

/// Memory requirements of a method's tensors before planning, by value id.
struct MemoryHints {
    std::map<std::uint32_t, program::ArenaId> planned;    ///< tensors to plan
    std::map<std::uint32_t, program::Allocation> byHand;  ///< fixed allocations, unchecked
    std::map<std::uint32_t, std::uint32_t> aliases;       ///< value -> tensor whose memory it shares
    std::vector<std::uint32_t> states;                    ///< planned tensors that persist between executions
    std::map<std::uint32_t, program::Arena> arenas;       ///< arenas with a fixed size, unchecked
};

/// Assigns allocations to tensors and arenas to the method (0 is reserved and empty). Tensors alive at the
/// same time do not overlap, except fixed allocations, for which the caller is responsible. A method without
/// chains contains only constants: its tensors are alive from start to end. Errors: Limit (as planMemory()).
[[nodiscard]] core::Result<> planMethod(program::Method& method, const MemoryHints& wishes,
                                        PlanStrategy strategy);

}  // namespace et::builder
