#include "visualizers/tables/events_in_range.h"

#include <algorithm>

namespace et::visualizers {

EventsInRange::EventsInRange(const inspector::EventBlocks& blocks, TickRange range) {
    const etdump::EventColumns& columns = blocks.trace().events();
    const auto touches = [&](etdump::EventIndex sample) {
        return columns.start[sample] <= range.last && columns.end[sample] >= range.first;
    };
    for (const inspector::Block& block : blocks.blocks()) {
        std::vector<bool>& events = touched.emplace_back();
        events.reserve(block.events.size());
        for (const inspector::Event& event : block.events) {
            events.push_back(std::ranges::any_of(event.profileEvents, touches));
        }
    }
}

}  // namespace et::visualizers
