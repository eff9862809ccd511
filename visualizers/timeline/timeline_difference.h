#pragma once

#include "visualizers/timeline/timeline.h"

#include <optional>
#include <vector>

namespace et::visualizers {

/// How long each event of a timeline takes elsewhere: in another trace, or in the middle one of all runs. A
/// span is slower or faster than that.
class TimelineDifference {
  public:
    TimelineDifference() = default;
    /// Against the medians of `other`, by instruction and name; of a timeline of the same trace those of its
    /// own events.
    TimelineDifference(const Timeline& of, const Timeline& other);

    /// The median elsewhere in ticks of the timeline; nothing: there is none.
    [[nodiscard]] std::optional<double> ticksOf(const Timeline& of, const Span& span) const;
    /// The part by which a span is longer (or shorter: negative) than elsewhere; 0.5: half as long again.
    [[nodiscard]] std::optional<double> changeOf(const Timeline& of, const Span& span) const;

  private:
    std::vector<std::vector<double>> ticks;  ///< by block and event; 0: none
};

}  // namespace et::visualizers
