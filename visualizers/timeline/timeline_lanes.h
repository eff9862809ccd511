#pragma once

#include "visualizers/timeline/timeline.h"

#include <vector>

namespace et::visualizers {

/// Lanes and what stands beside each.
struct LabelledLanes {
    std::vector<Lane> lanes;
    std::vector<LaneLabel> labels;
};

/// Sorts spans into lanes: by kind and delegate, and within these each span below all that run when it
/// starts. Those of an OPERATOR_CALL whose kernel is there too are left out.
[[nodiscard]] LabelledLanes lanesOf(const inspector::EventBlocks& joined, const TimelineNames& naming,
                                    std::vector<Span> spans);

}  // namespace et::visualizers
