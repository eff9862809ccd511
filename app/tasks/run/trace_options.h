#pragma once

#include "etdump/recorder.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Selects the recorded data of a run.
struct TraceOptions {
    std::string trace;
    std::string debugBuffer;
    std::optional<core::DebugLevel> debugLevel;
    std::vector<std::string> debugFilter;
    std::string taps;
    std::string record;
    std::optional<std::size_t> maxEvents;
    bool allocations = false;
    bool counters = false;  ///< count the work of each instruction (counters/count_run.h)
};

/// Adds the options of the trace.
void addTraceOptions(OptionList& options, TraceOptions& trace);

/// Nothing if no trace is requested. `method`: the method that runs, if named. Errors: InvalidArgument
/// (conflicting options, an invalid filter), those of the record, NotFound (a debug handle that it does not
/// have).
[[nodiscard]] core::Result<std::optional<etdump::RecorderOptions>> recorderOptions(
    const TraceOptions& options, const std::string& method);

}  // namespace et::tasks
