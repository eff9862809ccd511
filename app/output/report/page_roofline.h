#pragma once

#include "inspector/events/event_limits.h"
#include "inspector/join/event_blocks.h"
#include "inspector/roofline/machine_profile.h"

#include <cstddef>
#include <memory>
#include <string>

namespace et::output {

/// Performance limits of the machine on which a trace was recorded.
struct PageMachine {
    inspector::MachineProfile machine;
    std::size_t threads = 1;  ///< number of threads of the trace
    /// Work of the events; null if unknown, as without the program.
    std::shared_ptr<const inspector::events::EventLimits> events;
};

/// The operators of a trace compared with the machine's limits: a plot and a table of at most `top` of them,
/// largest possible gain first. Empty if no operator has a limit, and for traces in cycles.
[[nodiscard]] std::string pageRoofline(const inspector::EventBlocks& blocks, const PageMachine& machine,
                                       std::size_t top);

}  // namespace et::output
