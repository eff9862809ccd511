#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"

#include <iosfwd>

namespace et::inspector::events {

/// Writes a trace as Chrome trace JSON (the "JSON Object Format" of the Trace Event Format, which Perfetto,
/// chrome://tracing and speedscope load): one slice per run with its events below it, operators inside a
/// delegate call on a separate track, allocations as counters. Times are microseconds of the source clock; a
/// cycle is written as one microsecond, which the metadata states. Memory use is bounded: events are written
/// run by run. Build `blocks` with JoinOptions::everyRepeat, so that every iteration of a loop has its
/// operator. Errors: Io (the stream fails).
[[nodiscard]] core::Result<> writeChromeTrace(const EventBlocks& blocks, std::ostream& out);

}  // namespace et::inspector::events
