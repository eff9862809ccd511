#include "visualizers/events/events_in_range.h"

#include <algorithm>

namespace et::visualizers {

EventsInRange::EventsInRange(const inspector::EventBlocks& blocks, TickRange range) {
    // Scans the clock once in file order, because the samples of an event are far apart in the file.
    const etdump::EventColumns& columns = blocks.trace().events();
    std::vector<bool> samples(columns.start.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] = columns.start[i] <= range.last && columns.end[i] >= range.first;
    }
    for (const inspector::Block& block : blocks.blocks()) {
        std::vector<bool>& events = touched.emplace_back();
        events.reserve(block.events.size());
        for (const inspector::Event& event : block.events) {
            events.push_back(std::ranges::any_of(event.profileEvents,
                                                 [&](etdump::EventIndex sample) { return samples[sample]; }));
        }
    }
}

}  // namespace et::visualizers
