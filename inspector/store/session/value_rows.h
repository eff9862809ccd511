#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/store/row_writer.h"

#include <cstddef>
#include <optional>
#include <span>

namespace et::inspector::store {

/// Debug events of a trace.
struct LoggedValues {
    std::span<const etdump::EventIndex> values;
    std::optional<std::size_t> event{};  ///< `events.event` that logged them; nothing: outputs of the method
    std::size_t firstRun = 0;            ///< `runs.run` of the trace's first run
};

/// Adds a row of `logged_values` for each value.
[[nodiscard]] core::Result<> addLoggedValues(RowWriter& rows, const EventBlocks& blocks,
                                             const LoggedValues& logged);

}  // namespace et::inspector::store
