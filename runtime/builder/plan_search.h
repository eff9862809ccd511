#pragma once

#include "runtime/builder/memory_planner.h"
#include "runtime/core/result.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace et::builder {

/// Limits of the search for a smaller plan.
struct PlanEffort {
    std::chrono::milliseconds time{1'000};  ///< search time; plans with few blocks need less
    std::size_t rounds = 20'000;  ///< maximum number; without a timeout, equal blocks yield equal plans
    const std::atomic<bool>* cancel = nullptr;  ///< true: return the best plan so far
};

/// The smallest plan found, and a lower bound.
struct SearchedPlan {
    MemoryPlan plan;
    std::uint64_t lowerBound = 0;  ///< in bytes, for any plan of these blocks with this alignment
    bool smallest = false;         ///< proven optimal: it reaches the bound, or all orders were tried
};

/// Lower bound of any plan in bytes: the maximum over all steps of the total size of live blocks, each
/// rounded up to `alignment`.
[[nodiscard]] std::uint64_t planLowerBound(std::span<const MemoryBlock> blocks, std::uint64_t alignment);

/// Searches for the smallest plan: several orders of placing blocks at their lowest free offset, all orders
/// for few blocks, else exchanges in the best order (the problem is dynamic storage allocation, which is
/// NP-hard). Given offsets are kept. `alignment`, in bytes, must not be 0. Errors: as planMemory().
[[nodiscard]] core::Result<SearchedPlan> searchPlan(std::span<const MemoryBlock> blocks,
                                                    std::uint64_t alignment, const PlanEffort& effort);

}  // namespace et::builder
