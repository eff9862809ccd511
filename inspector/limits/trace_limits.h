#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/join/event_blocks.h"
#include "inspector/limits/machine_profile.h"
#include "inspector/limits/operator_cost.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>

namespace et::inspector {

/// What to ask for.
struct LimitSources {
    const program::Program& program;                       ///< that ran
    std::span<const executor::Backend* const> backends{};  ///< who may tell what is inside of delegates
    const MachineProfile* machine = nullptr;  ///< that it ran on; null: unknown, there are no least times
    std::size_t threads = 1;                  ///< that it ran with
};

/// What each event has to do: kernel calls, calls of delegates, and operators in these whose nodes are known.
/// Not there: events without a rule, with shapes that are only known at run time, and what the runtime does
/// around them.
[[nodiscard]] std::map<const Event*, OperatorCost> eventCosts(const EventBlocks& blocks,
                                                              const LimitSources& sources);

/// The same with least times, in the unit of the blocks.
[[nodiscard]] report::EventLimits eventLimits(const EventBlocks& blocks, const LimitSources& sources);

}  // namespace et::inspector
