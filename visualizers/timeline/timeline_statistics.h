#pragma once

#include "visualizers/timeline/timeline.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// Time of the spans of one name, module or delegate within a range.
struct NamedTime {
    std::string_view name;    ///< owned by the timeline
    std::uint64_t ticks = 0;  ///< inside the range and not covered by nested spans
    std::size_t count = 0;
    Span longest{};  ///< the span with the most of these ticks
};

/// Statistics of a range of a timeline.
struct StretchStatistics {
    std::vector<Lane::Use> lanes;  ///< one per lane
    std::size_t runs = 0;          ///< number of executions that start in it
    /// Largest sums first; empty if the range has more than `maxSpans` spans. The three lists have the same
    /// total.
    std::vector<NamedTime> names;
    std::vector<NamedTime> modules;    ///< an empty name: no module
    std::vector<NamedTime> delegates;  ///< by backend; an empty name: no delegate

    static constexpr std::size_t maxSpans = 100'000;
};

/// Times are ticks from the timeline's origin, both inclusive.
[[nodiscard]] StretchStatistics computeStatistics(const Timeline& timeline, std::uint64_t from,
                                                  std::uint64_t to);
/// Same as computeStatistics() without sums, at negligible cost.
[[nodiscard]] StretchStatistics computeUse(const Timeline& timeline, std::uint64_t from, std::uint64_t to);

}  // namespace et::visualizers
