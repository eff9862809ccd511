#pragma once

#include "inspector/events/event_rows.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/description.h"

#include <span>

namespace et::visualizers {

/// Everything that a trace and its record say of one event, which must be one of `blocks`. Long lists (raw
/// values, debug values, stack traces, metadata) are cut, and say how much is left out.
[[nodiscard]] Description describeEvent(const inspector::EventBlocks& blocks, EventRef event);

/// What several events, which must be of `blocks`, come to: how many, their time and their share of a run.
/// One that lies within another of them counts once. `rows` are those of `blocks`.
[[nodiscard]] Description describeEvents(const inspector::EventBlocks& blocks,
                                         const inspector::report::EventRows& rows,
                                         std::span<const EventRef> events);

}  // namespace et::visualizers
