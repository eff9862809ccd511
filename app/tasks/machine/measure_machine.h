#pragma once

#include "inspector/limits/machine_profile.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::app {

/// Measures this machine: up to half a minute in which all of its cores work. All measurements take turns, so
/// that each is spread over the whole time, until the two best turns of every one agree within 1 % or the
/// time is over; the second best counts, and what they are apart is said as the spread. Arrays of caches lie
/// in other memory from round to round. `progress`: part that is done, 0 to 1; may be empty. Errors:
/// Cancelled (`cancelled` says so).
[[nodiscard]] core::Result<inspector::MachineProfile> measureMachine(
    const std::function<void(double)>& progress = {}, const std::function<bool()>& cancelled = {});

}  // namespace et::app
