#include "visualizers/timeline/executions.h"

#include "runtime/core/event_names.h"

#include <algorithm>
#include <cstddef>

namespace et::visualizers {

std::vector<Span> executionsOf(const etdump::Trace& trace, std::uint64_t origin) {
    const etdump::EventColumns& events = trace.events();
    std::vector<Span> runs;
    for (std::size_t run = 0; run < trace.runs().size(); ++run) {
        const etdump::Run& info = trace.runs()[run];
        for (std::size_t i = info.firstEvent; i < info.firstEvent + info.eventCount; ++i) {
            if (events.kind[i] == etdump::EventKind::Profile && events.end[i] >= events.start[i] &&
                trace.text(events.name[i]) == core::event_name::methodExecute) {
                runs.push_back(
                    {events.start[i] - origin, events.end[i] - origin, static_cast<etdump::EventIndex>(run)});
            }
        }
    }
    std::ranges::sort(runs, {}, &Span::start);
    std::vector<Span> apart;
    for (const Span& run : runs) {
        if (apart.empty() || apart.back().end <= run.start) {
            apart.push_back(run);
        }
    }
    return apart;
}

}  // namespace et::visualizers
