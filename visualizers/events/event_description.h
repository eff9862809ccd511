#pragma once

#include "inspector/events/event_rows.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/description.h"

#include <span>

namespace et::visualizers {

/// Describes an event of `blocks` with all data of its trace and record. Long lists (raw values, debug
/// values, stack traces, metadata) are cut, with the number of omitted items. `missing`: the file that would
/// name the operators inside delegates, as a request to add it; empty: none.
[[nodiscard]] Description describeEvent(const inspector::EventBlocks& blocks, EventRef event,
                                        const QString& missing = {});

/// Describes several events of `blocks`: count, time and share of a run. An event nested in another one
/// counts once. `rows` are those of `blocks`.
[[nodiscard]] Description describeEvents(const inspector::EventBlocks& blocks,
                                         const inspector::events::EventRows& rows,
                                         std::span<const EventRef> events);

}  // namespace et::visualizers
