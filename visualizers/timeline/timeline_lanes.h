#pragma once

#include "visualizers/timeline/timeline.h"

#include <vector>

namespace et::visualizers {

/// Lanes with a label each.
struct LabelledLanes {
    std::vector<Lane> lanes;
    std::vector<LaneLabel> labels;
};

/// Sorts spans into lanes by kind and delegate, and within these places each span below all spans that are
/// active when it starts. An OPERATOR_CALL whose kernel is present is dropped.
[[nodiscard]] LabelledLanes makeLanes(const inspector::EventBlocks& joined, const TimelineNames& naming,
                                      std::vector<Span> spans);

}  // namespace et::visualizers
