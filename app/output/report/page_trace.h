#pragma once

#include "app/output/report/page_texts.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/json_writer.h"

#include <cstddef>
#include <string_view>

namespace et::output {

/// Writes a trace as one value: its events with their typical times, and its runs with their timeline slices,
/// at most `maxSlices`. `firstEvent`: number of its first event in the table `events`. Returns the number of
/// its events.
std::size_t writePageTrace(core::JsonWriter& out, PageTexts& texts, const inspector::EventBlocks& blocks,
                           std::string_view name, std::size_t firstEvent, std::size_t maxSlices);

}  // namespace et::output
