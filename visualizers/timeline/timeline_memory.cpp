#include "visualizers/timeline/timeline_memory.h"

#include "inspector/memory/memory_timeline.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::MemoryTimeline;

/// Live bytes of all arenas by chain and instruction.
using LiveBytes = std::map<std::pair<std::int64_t, std::int32_t>, std::uint64_t>;

LiveBytes liveBytes(const MemoryTimeline& plan) {
    LiveBytes live;
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
        std::uint64_t sum = 0;
        for (const inspector::ArenaTimeline& arena : plan.arenas) {
            // The first entry is for step -1.
            sum += step + 1 < arena.liveBytes.size() ? arena.liveBytes[step + 1] : 0;
        }
        live[{static_cast<std::int64_t>(plan.steps[step].chain), plan.steps[step].instruction.value}] = sum;
    }
    return live;
}

void addBlock(TimelineMemory& memory, const inspector::Block& block, const LiveBytes& live) {
    for (const inspector::Event& event : block.events) {
        const auto found = live.find({event.chain, event.instruction.value});
        if (event.delegated || event.chain < 0 || found == live.end()) {
            continue;
        }
        for (const etdump::EventIndex sample : event.profileEvents) {
            memory.bytes[sample] = found->second;
        }
        memory.peak = std::max(memory.peak, found->second);
    }
}

}  // namespace

const program::Method* methodOf(const inspector::Session& session, const inspector::Block& block) {
    const auto& methods = session.program->methods;
    const auto found = std::ranges::find(methods, block.method, &program::Method::name);
    if (found != methods.end()) {
        return &*found;
    }
    return methods.size() == 1 && block.method.empty() ? &methods.front() : nullptr;
}

std::shared_ptr<const TimelineMemory> TimelineMemory::build(const Timeline& timeline,
                                                            const inspector::Session& session) {
    if (!session.program) {
        return nullptr;
    }
    auto memory = std::make_shared<TimelineMemory>();
    memory->bytes.assign(timeline.blocks->trace().eventCount(), unknown);
    std::map<const program::Method*, LiveBytes> known;
    for (const inspector::Block& block : timeline.blocks->blocks()) {
        const program::Method* const method = methodOf(session, block);
        if (method == nullptr) {
            continue;
        }
        auto found = known.find(method);
        if (found == known.end()) {
            const auto plan = MemoryTimeline::build(*session.program, *method);
            found = known.emplace(method, plan ? liveBytes(*plan) : LiveBytes()).first;
        }
        addBlock(*memory, block, found->second);
    }
    for (std::size_t lane = 0; lane < timeline.labels.size(); ++lane) {
        if (timeline.labels[lane].kind == LaneKind::Steps) {
            memory->stepLanes.push_back(lane);
        }
    }
    return memory->peak > 0 && !memory->stepLanes.empty() ? memory : nullptr;
}

}  // namespace et::visualizers
