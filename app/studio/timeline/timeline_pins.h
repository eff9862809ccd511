#pragma once

#include "inspector/store/session_store.h"
#include "visualizers/timeline/timeline_widget.h"

#include <optional>
#include <string_view>
#include <vector>

// Pins of a timeline, stored as notes: notes on operators, and notes on the session with a range of ticks.
namespace et::studio {

/// Returns the range at the end of a note's text: "… [ticks 100 to 200]". Nothing if there is none.
[[nodiscard]] std::optional<visualizers::TickRange> rangeIn(std::string_view text);

/// Returns a note on a range, with its length and position in words.
[[nodiscard]] inspector::store::Note noteToRange(const visualizers::Timeline& timeline,
                                                 visualizers::TickRange range);

/// Notes with a position in the trace, in order; with `places`, also their indices in `notes`.
[[nodiscard]] std::vector<visualizers::TimelinePin> collectPins(
    const std::vector<inspector::store::Note>& notes, const inspector::EventBlocks& blocks,
    std::vector<int>* places = nullptr);

}  // namespace et::studio
