#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace et::etdump::detail {

/// The delegate metadata of one event, stored in the file.
struct EventMetadata {
    EventIndex event = 0;
    core::Bytes bytes;
};

/// Data of a Trace.
struct TraceData {
    std::shared_ptr<const core::MappedFile> file;
    std::uint32_t version = 0;
    std::vector<Run> runs;
    EventColumns events;
    std::vector<std::string_view> names;  ///< by NameId
    std::vector<DebugValue> debugValues;  ///< indexed by EventColumns::start of Debug events
    std::vector<EventMetadata> metadata;  ///< ascending by event; events without metadata are omitted
};

/// Verifies the file and converts it to columns, in one pass over the events. Errors: as Trace::parse,
/// without the file's name.
[[nodiscard]] core::Result<TraceData> buildTrace(std::shared_ptr<const core::MappedFile> file);

}  // namespace et::etdump::detail
