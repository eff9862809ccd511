#pragma once

#include "visualizers/timeline/timeline.h"

#include <optional>
#include <vector>

namespace et::visualizers {

/// Reference times of a timeline's events: from another trace, or from the median of all runs. Used to show
/// spans as slower or faster.
class TimelineDifference {
  public:
    TimelineDifference() = default;
    /// Compares with the medians of `other`, by instruction and name; for a timeline of the same trace, with
    /// those of its own events.
    TimelineDifference(const Timeline& of, const Timeline& other);

    /// The reference median in ticks of the timeline; nothing if there is none.
    [[nodiscard]] std::optional<double> ticksOf(const Timeline& of, const Span& span) const;
    /// Relative change of a span's length from the reference, negative if shorter; 0.5: half as long again.
    [[nodiscard]] std::optional<double> changeOf(const Timeline& of, const Span& span) const;

  private:
    std::vector<std::vector<double>> ticks;  ///< by block and event; 0: none
};

}  // namespace et::visualizers
