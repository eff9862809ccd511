#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace et::builder {

/// Planning algorithm.
enum class PlanStrategy : std::uint8_t {
    Naive,  ///< no sharing: consecutive offsets
    Greedy  ///< largest first, each at the lowest offset that is free during its lifetime
};

/// Memory needed during an inclusive range of a method's steps.
struct MemoryBlock {
    std::uint64_t bytes = 0;
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    std::optional<std::uint64_t> offset{};  ///< given offset, which the planner keeps
};

struct MemoryPlan {
    std::vector<std::uint64_t> offsets;  ///< in bytes, one per block
    std::uint64_t bytes = 0;             ///< the end of the last block, rounded up to the alignment
};

/// Default alignment of planned blocks in bytes.
inline constexpr std::uint64_t planAlignment = 16;

/// Places all blocks; blocks alive at the same time do not overlap (unless both have given offsets).
/// `alignment`, in bytes, must not be 0. Errors: Limit (more than program::Program::maxPlannedBytes).
[[nodiscard]] core::Result<MemoryPlan> planMemory(std::span<const MemoryBlock> blocks, PlanStrategy strategy,
                                                  std::uint64_t alignment = planAlignment);

}  // namespace et::builder
