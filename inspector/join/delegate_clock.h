#pragma once

#include "etdump/trace.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/inner_handles.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::join::detail {

/// Returns the backend of a delegate call of a run; empty if it is unknown.
using BackendOfCall = std::function<std::string_view(std::uint32_t run, const CallPlace& place)>;

/// A trace whose delegate events are in the time of their calls.
struct AlignedTrace {
    std::shared_ptr<const etdump::Trace> trace;
    std::vector<std::string> warnings;
};

/// Converts the times of delegate events to ticks of the trace, by options.clock.delegates, and moves those
/// of another clock (outside their DELEGATE_CALL, by up to centuries) into their calls: by one offset per run
/// and backend if that is possible, otherwise call by call. Durations change only by the scales. Returns the
/// trace itself if nothing changes. Warns of clocks that were moved, and of units that do not fit the calls.
[[nodiscard]] AlignedTrace alignDelegateClocks(std::shared_ptr<const etdump::Trace> trace,
                                               const JoinOptions& options, const BackendOfCall& backendOf);

}  // namespace et::inspector::join::detail
