#pragma once

#include "visualizers/selection.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace et::visualizers {

/// A position of a trace marked by the user: an event, in all of its runs, or a time range.
struct TimelinePin {
    std::optional<EventRef> row{};     ///< in the first timeline
    std::optional<TickRange> range{};  ///< in ticks of the trace's clock; only without a row
    QString text{};
    std::optional<std::uint64_t> start{};  ///< ticks from the timeline's origin; nothing: not on the timeline
};

}  // namespace et::visualizers
