#pragma once

#include "etdump/recorder.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// What is recorded of a run.
struct TraceOptions {
    std::string trace;
    std::string debugBuffer;
    std::optional<core::DebugLevel> debugLevel;
    std::vector<std::string> debugFilter;
    std::string taps;
    std::string record;
    std::optional<std::size_t> maxEvents;
    bool allocations = false;
    bool counters = false;  ///< count what each instruction does (counters/count_run.h)
};

/// Nothing where no trace is asked for. `method` is the one that runs, as far as it was named. Errors:
/// InvalidArgument (options that do not go together, a filter that cannot be parsed), those of the record,
/// NotFound (a debug handle that it does not have).
[[nodiscard]] core::Result<std::optional<etdump::RecorderOptions>> recorderOptions(
    const TraceOptions& options, const std::string& method);

}  // namespace et::app
