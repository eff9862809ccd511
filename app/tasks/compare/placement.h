#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <vector>

namespace et::app {

/// Where a process that measures lies in memory and which processors it runs on. Times depend on it (caches,
/// pages, alignment), so each launch draws its own. See Mytkowicz et al., "Producing wrong data without doing
/// anything obviously wrong!", 2009.
struct Placement {
    std::size_t stackBytes = 0;     ///< that lie unused below what it does
    std::size_t heapBytes = 0;      ///< likewise, before all else that it takes from the heap
    std::size_t mappedPages = 0;    ///< likewise, of addresses
    std::vector<int> processors{};  ///< that it may run on; empty: all that there are
};

/// So many of the processors that this process may run on, at random; empty where it has no more.
[[nodiscard]] std::vector<int> drawProcessors(std::mt19937_64& random, std::size_t threads);
/// Anywhere within two huge pages.
[[nodiscard]] Placement drawPlacement(std::mt19937_64& random, std::vector<int> processors);

/// Does `body` there, for a new process. What cannot be had (a processor that has gone) is left out.
void doPlaced(const Placement& placement, const std::function<void()>& body);

}  // namespace et::app
