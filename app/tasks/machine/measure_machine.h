#pragma once

#include "inspector/roofline/machine_profile.h"
#include "runtime/core/result.h"

#include <functional>

namespace et::tasks {

/// Measures this machine for up to half a minute with all cores busy. All measurements alternate, so that
/// each is spread over the whole time, until the two best rates of every measurement agree within 1 % or the
/// time is over. The second best rate is the result, and the difference of the two is reported as the spread.
/// Arrays for caches use different memory in each round. `progress`: fraction done, 0 to 1; may be empty.
/// Errors: Cancelled (`cancelled` returned true).
[[nodiscard]] core::Result<inspector::MachineProfile> measureMachine(
    const std::function<void(double)>& progress = {}, const std::function<bool()>& cancelled = {});

}  // namespace et::tasks
