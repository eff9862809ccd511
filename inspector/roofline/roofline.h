#pragma once

#include "inspector/roofline/machine_profile.h"
#include "inspector/roofline/operator_cost.h"

#include <string>

// Least execution time on a machine, by the roofline model (Williams, Waterman, Patterson: Roofline, 2009)
// with one bandwidth roof for each cache level.
namespace et::inspector {

struct LeastTime {
    double seconds = 0;  ///< the larger of the two below
    double computing = 0;
    double moving = 0;
    std::string boundBy{};  ///< "compute", or the level with most of the transfer time: "L2", "memory"
};

/// Computes the least time of one call with this number of threads. Bytes are assigned to the caches as far
/// as they fit, fastest first, a lower bound for any real access order. Zero if the profile has no rates.
[[nodiscard]] LeastTime leastTime(const OperatorCost& cost, const MachineProfile& profile,
                                  std::size_t threads);

}  // namespace et::inspector
