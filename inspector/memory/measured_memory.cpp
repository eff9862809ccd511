#include "inspector/memory/measured_memory.h"

#include "inspector/detail/places.h"
#include "inspector/report/event_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace et::inspector {

std::vector<AllocatorUse> allocationsOf(const EventBlocks& blocks, const program::Method& method,
                                        bool onlyMethod) {
    struct Found {
        AllocatorUse use;
        const etdump::Run* lastRun = nullptr;
    };
    const etdump::Trace& trace = blocks.trace();
    std::map<std::string, Found> byName;
    for (const Block& block : blocks.blocks()) {
        if (!detail::isOf(block, method, onlyMethod)) {
            continue;
        }
        for (const etdump::EventIndex event : block.allocations) {
            const etdump::Run& run = report::runOf(trace, event);
            const std::uint64_t id = trace.events().start[event];
            const std::string_view known = trace.text(run.allocatorName(id));
            const std::string name = known.empty() ? fmt::format("allocator {}", id) : std::string(known);
            auto& [use, lastRun] = byName[name];
            use.name = name;
            ++use.allocations;
            use.bytes += trace.events().end[event];
            use.runs += lastRun == &run ? 0 : 1;
            lastRun = &run;
        }
    }
    std::vector<AllocatorUse> out;
    for (auto& [name, found] : byName) {
        out.push_back(std::move(found.use));
    }
    std::ranges::stable_sort(out, std::ranges::greater{}, &AllocatorUse::bytes);
    return out;
}

}  // namespace et::inspector
