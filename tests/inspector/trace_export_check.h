#pragma once

#include "inspector/join/event_blocks.h"
#include "tests/inspector/report_support.h"

#include <string>
#include <string_view>

namespace et::test {

/// Returns Chrome trace JSON of the blocks.
[[nodiscard]] std::string exported(const inspector::EventBlocks& blocks);

/// Returns the first non-metadata event of this name; fails the test if there is none.
[[nodiscard]] simdjson::dom::element findSlice(simdjson::dom::element document, std::string_view name);

/// Fails the test unless the export is valid JSON with as many slices and allocations as the trace, and
/// nested slices on every track.
void checkExport(const inspector::EventBlocks& blocks);

}  // namespace et::test
