#pragma once

#include "visualizers/timeline/timeline_scene.h"

#include <QString>

#include <cstdint>

namespace et::visualizers {

/// A time in ticks in the unit of the events table.
[[nodiscard]] QString timeText(const Timeline& timeline, double ticks);

/// "5 matches, 1.2 ms": what is searched, in the first timeline; empty where nothing is.
[[nodiscard]] QString matchText(const TimelineScene& scene);

/// What the stretch between two times, in ticks from the timeline's origin, holds: runs, and the events of
/// each kind of lanes.
[[nodiscard]] QString stretchText(const Timeline& timeline, std::uint64_t from, std::uint64_t to);

/// An event in a line, with its row's median beside it.
[[nodiscard]] QString spanText(const TimelineScene& scene, const SpanPlace& place);

/// Between the parts of such a line.
[[nodiscard]] inline QString timelineSeparator() {
    return QStringLiteral("   ·   ");
}

}  // namespace et::visualizers
