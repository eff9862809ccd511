#pragma once

#include "inspector/limits/machine_profile.h"
#include "inspector/limits/operator_cost.h"

#include <string>

// The least time that a machine needs. Definition: Williams, Waterman, Patterson: Roofline, 2009; with one
// roof of bandwidth for each level of the caches.
namespace et::inspector {

struct LeastTime {
    double seconds = 0;  ///< the larger one of the two below
    double computing = 0;
    double moving = 0;
    std::string boundBy{};  ///< "compute", or the level that most of the time of moving is of: "L2", "memory"
};

/// Of one call on so many threads. Bytes are taken to lie in the caches as far as they fit, the fastest
/// first, which no real order of accesses can beat. Zero where the profile has no rates.
[[nodiscard]] LeastTime leastTime(const OperatorCost& cost, const MachineProfile& profile,
                                  std::size_t threads);

}  // namespace et::inspector
