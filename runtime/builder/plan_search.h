#pragma once

#include "runtime/builder/memory_planner.h"
#include "runtime/core/result.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace et::builder {

/// How long to look for a smaller plan.
struct PlanEffort {
    std::chrono::milliseconds time{1'000};  ///< for the search; plans of few blocks need less
    std::size_t rounds = 20'000;  ///< at most; the same blocks then give the same plan, if time is left
    const std::atomic<bool>* cancel = nullptr;  ///< true: return the best plan so far
};

/// The smallest plan that was found, and how small any plan can be.
struct SearchedPlan {
    MemoryPlan plan;
    std::uint64_t lowerBound = 0;  ///< bytes; no plan of these blocks with this alignment has less
    bool smallest = false;         ///< none is smaller: it reaches the bound, or all others were tried
};

/// Bytes that any plan needs: the most that blocks, each rounded up to `alignment`, take at one step.
[[nodiscard]] std::uint64_t planLowerBound(std::span<const MemoryBlock> blocks, std::uint64_t alignment);

/// Looks for the smallest plan: several orders of placing blocks at their lowest free place, all orders where
/// there are few blocks, else exchanges in the best order (the problem is dynamic storage allocation, which
/// is NP-hard). Blocks placed by hand stay. `alignment`, in bytes, is not 0. Errors: as planMemory().
[[nodiscard]] core::Result<SearchedPlan> searchPlan(std::span<const MemoryBlock> blocks,
                                                    std::uint64_t alignment, const PlanEffort& effort);

}  // namespace et::builder
