#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace et::builder {

/// How tensors share memory.
enum class PlanStrategy : std::uint8_t {
    Naive,  ///< not at all: one after the other
    Greedy  ///< the largest first, each at the lowest place that is free while it lives
};

/// Memory that something needs from one step of a method to another, both included.
struct MemoryBlock {
    std::uint64_t bytes = 0;
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    std::optional<std::uint64_t> offset{};  ///< placed by hand: the planner leaves it there
};

struct MemoryPlan {
    std::vector<std::uint64_t> offsets;  ///< in bytes, one a block
    std::uint64_t bytes = 0;             ///< the end of the last block, rounded up to the alignment
};

/// Blocks that the planner places start at multiples of it, in bytes, unless it is asked for others.
inline constexpr std::uint64_t planAlignment = 16;

/// Places all blocks; those that live at the same time do not overlap (unless both were placed by hand).
/// `alignment`, in bytes, is not 0. Errors: Limit (more than program::Program::maxPlannedBytes).
[[nodiscard]] core::Result<MemoryPlan> planMemory(std::span<const MemoryBlock> blocks, PlanStrategy strategy,
                                                  std::uint64_t alignment = planAlignment);

}  // namespace et::builder
