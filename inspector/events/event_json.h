#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/format/table.h"
#include "inspector/join/event_blocks.h"

#include <string>

/// The JSON documents of docs/json.md. Keys are stable: a change of meaning raises "schema".
namespace et::inspector::report {

/// Everything that is known of every event, by block.
[[nodiscard]] std::string eventsJson(const EventBlocks& blocks);

/// The rows of a table in the same envelope. `module`: the total of --module, left out when empty.
[[nodiscard]] std::string rowsJson(const EventRows& rows, const Table& table, const Dict& module);

}  // namespace et::inspector::report
