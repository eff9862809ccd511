#pragma once

#include "inspector/limits/machine_profile.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::app {

/// Measures this machine: a few seconds in which all of its cores work. Rounds over all measurements are
/// repeated until the best of every other round agree within 1 %, at most `mostRounds` times; what they are
/// apart is said as the spread. `progress`: part that is done, 0 to 1; may be empty. Errors: Cancelled
/// (`cancelled` says so).
[[nodiscard]] core::Result<inspector::MachineProfile> measureMachine(
    const std::function<void(double)>& progress = {}, const std::function<bool()>& cancelled = {});

}  // namespace et::app
