#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

namespace et::tasks {

/// Memory placement and processors of a measuring process. They affect times (caches, pages, alignment), so
/// each launch uses random ones. See Mytkowicz et al., "Producing wrong data without doing anything obviously
/// wrong!", 2009.
struct Placement {
    std::size_t stackBytes = 0;     ///< unused bytes of stack above its frames
    std::size_t heapBytes = 0;      ///< unused bytes of heap before its allocations
    std::size_t mappedPages = 0;    ///< unused pages of address space
    std::vector<int> processors{};  ///< allowed processors; empty: all
};

/// Draws random processors from those that this process may use; empty if there are no more than that.
[[nodiscard]] std::vector<int> drawProcessors(std::mt19937_64& random, std::size_t threads);
/// Draws offsets of up to two huge pages.
[[nodiscard]] Placement drawPlacement(std::mt19937_64& random, std::vector<int> processors);

/// Calls `body` with this placement, in a new process. Parts that are not available (such as an offline
/// processor) are ignored.
void doPlaced(const Placement& placement, const std::function<void()>& body);

}  // namespace et::tasks
