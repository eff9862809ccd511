#pragma once

#include "visualizers/selection.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace et::visualizers {

/// A place of a trace that somebody marked: an event, in all of its runs, or a range of time.
struct TimelinePin {
    std::optional<EventRef> row{};     ///< of the first timeline
    std::optional<TickRange> range{};  ///< in ticks of the trace's clock; without a row
    QString text{};
    std::optional<std::uint64_t> start{};  ///< ticks from the timeline's origin; nothing: not on the timeline
};

}  // namespace et::visualizers
