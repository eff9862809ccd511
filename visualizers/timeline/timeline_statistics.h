#pragma once

#include "visualizers/timeline/timeline.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// Time of the spans of one name, module or delegate within a stretch.
struct NamedTime {
    std::string_view name;    ///< borrowed from the timeline
    std::uint64_t ticks = 0;  ///< that lie in the stretch and in no span inside of theirs
    std::size_t count = 0;
};

/// What a stretch of a timeline holds.
struct StretchStatistics {
    std::vector<Lane::Use> lanes;  ///< one a lane
    std::size_t runs = 0;          ///< executions that begin in it
    /// Those with most time, largest first; empty where the stretch has more than `maxSpans` spans. Each
    /// three add up to the same.
    std::vector<NamedTime> names;
    std::vector<NamedTime> modules;    ///< an empty name: no module
    std::vector<NamedTime> delegates;  ///< by backend; an empty name: no delegate

    static constexpr std::size_t maxSpans = 100'000;
};

/// Times in ticks from the timeline's origin, both ends included.
[[nodiscard]] StretchStatistics statisticsOf(const Timeline& timeline, std::uint64_t from, std::uint64_t to);
/// The same without sums, which costs next to nothing.
[[nodiscard]] StretchStatistics useOf(const Timeline& timeline, std::uint64_t from, std::uint64_t to);

}  // namespace et::visualizers
