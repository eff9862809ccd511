#pragma once

#include "app/tasks/soak/value_watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace et::tasks {

/// First occurrence of each number kind in a run traced with values, on any device.
struct TracedOrigins {
    std::vector<KindOrigin> origins;  ///< one per kind that occurs
    std::size_t values = 0;           ///< number of values inspected
};

/// Inspects the values in a debug buffer, of the instructions of a trace and of the operators of its
/// delegates, in execution order. Errors: those of both files, as inspector::valuesOf().
[[nodiscard]] core::Result<TracedOrigins> tracedOrigins(const std::filesystem::path& trace,
                                                        const std::filesystem::path& debugBuffer);

}  // namespace et::tasks
