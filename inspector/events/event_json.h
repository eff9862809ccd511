#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/format/table.h"
#include "inspector/join/event_blocks.h"

#include <string>

/// JSON documents of docs/reference/json.md. Keys are stable: a change of meaning raises "schema".
namespace et::inspector::events {

/// All information about every event, by block.
[[nodiscard]] std::string eventsJson(const EventBlocks& blocks);

/// The rows of a table in the same envelope. `module`: the total of --module, omitted if empty.
[[nodiscard]] std::string rowsJson(const EventRows& rows, const format::Table& table,
                                   const format::Dict& module);

}  // namespace et::inspector::events
