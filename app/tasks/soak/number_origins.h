#pragma once

#include "app/tasks/soak/value_watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace et::app {

/// Where numbers of each kind appear first in a run that was traced with its values, on whatever device.
struct TracedOrigins {
    std::vector<KindOrigin> origins;  ///< one for each kind that there is
    std::size_t values = 0;           ///< that were looked at
};

/// Looks at the values that a debug buffer holds of the instructions of a trace and of the operators of its
/// delegates, in the order of execution. Errors: those of both files, as inspector::valuesOf().
[[nodiscard]] core::Result<TracedOrigins> tracedOrigins(const std::filesystem::path& trace,
                                                        const std::filesystem::path& debugBuffer);

}  // namespace et::app
