#pragma once

#include "inspector/store/session_store.h"
#include "visualizers/timeline/timeline_widget.h"

#include <optional>
#include <string_view>
#include <vector>

// Pins of a timeline are notes of the session: those to operators, and those to the session that name a range
// of ticks.
namespace et::studio {

/// The range that a note's text ends with: "… [ticks 100 to 200]". Nothing: it names none.
[[nodiscard]] std::optional<visualizers::TickRange> rangeIn(std::string_view text);

/// A note that marks a range, with its length and place in words.
[[nodiscard]] inspector::store::Note noteToRange(const visualizers::Timeline& timeline,
                                                 visualizers::TickRange range);

/// Notes whose places the trace has, in the order of the notes; with `places`, what each is at in `notes`.
[[nodiscard]] std::vector<visualizers::TimelinePin> pinsOf(const std::vector<inspector::store::Note>& notes,
                                                           const inspector::EventBlocks& blocks,
                                                           std::vector<int>* places = nullptr);

}  // namespace et::studio
