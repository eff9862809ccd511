#pragma once

#include "visualizers/timeline/timeline_scene.h"

#include <QString>

#include <cstdint>

namespace et::visualizers {

/// A time given in ticks, in the unit of the events table.
[[nodiscard]] QString timeText(const Timeline& timeline, double ticks);

/// "5 matches, 1.2 ms" for the search in the first timeline; empty without a search.
[[nodiscard]] QString matchText(const TimelineScene& scene);

/// Describes a range between two times in ticks from the timeline's origin: runs, and the events of each kind
/// of lane.
[[nodiscard]] QString stretchText(const Timeline& timeline, std::uint64_t from, std::uint64_t to);

/// One-line description of an event with its row's median.
[[nodiscard]] QString spanText(const TimelineScene& scene, const SpanRef& place);

/// Separator of such a line.
[[nodiscard]] inline QString timelineSeparator() {
    return QStringLiteral("   ·   ");
}

}  // namespace et::visualizers
