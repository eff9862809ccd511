#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/join/event_blocks.h"
#include "inspector/limits/machine_profile.h"

#include <cstddef>
#include <memory>
#include <string>

namespace et::app {

/// What the machine that a trace is of can do.
struct PageMachine {
    inspector::MachineProfile machine;
    std::size_t threads = 1;  ///< that the trace ran with
    /// What the events have to do; null: nobody knows, as without the program.
    std::shared_ptr<const inspector::report::EventLimits> events;
};

/// The operators of a trace below what the machine can do, and at most `top` of them as a table, those first
/// that could win most. Empty where no operator has a limit, and for traces in cycles.
[[nodiscard]] std::string pageLimits(const inspector::EventBlocks& blocks, const PageMachine& machine,
                                     std::size_t top);

}  // namespace et::app
