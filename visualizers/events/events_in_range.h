#pragma once

#include "inspector/join/event_blocks.h"
#include "visualizers/selection.h"

#include <vector>

namespace et::visualizers {

/// Events with a sample that overlaps a range of the trace's clock.
class EventsInRange {
  public:
    EventsInRange(const inspector::EventBlocks& blocks, TickRange range);

    [[nodiscard]] bool contains(EventRef event) const {
        return event.block < touched.size() && touched[event.block][event.event];
    }

  private:
    std::vector<std::vector<bool>> touched;  ///< by block and event
};

}  // namespace et::visualizers
