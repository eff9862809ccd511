#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/join/event_blocks.h"
#include "inspector/roofline/machine_profile.h"
#include "inspector/roofline/operator_cost.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
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

/// Inputs of the cost computation.
struct LimitSources {
    const program::Program& program;                       ///< that ran
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe delegates
    const MachineProfile* machine = nullptr;  ///< the machine it ran on; null: unknown, and no least times
    std::size_t threads = 1;                  ///< number of threads it ran with
};

/// Computes the cost of each event: kernel calls, delegate calls, and operators in these whose nodes are
/// known. Omits events without a rule or with shapes known only at run time, and runtime events outside
/// instructions.
[[nodiscard]] std::map<const Event*, OperatorCost> eventCosts(const EventBlocks& blocks,
                                                              const LimitSources& sources);

/// As eventCosts(), with least times in the unit of the blocks.
[[nodiscard]] events::EventLimits eventLimits(const EventBlocks& blocks, const LimitSources& sources);

}  // namespace et::inspector
