#include "app/tasks/counters/counting_tracer.h"

#include "runtime/core/event_names.h"

namespace et::tasks {

core::TraceName CountingTracer::name(std::string_view text) {
    return text.starts_with(core::event_name::kernelPrefix) ? kernel : other;
}

void CountingTracer::beginRun(std::string_view /*blockName*/) {
    last = set->read();
}

void CountingTracer::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start,
                             std::uint64_t end, core::Bytes /*metadata*/) {
    if (!endsInstruction(event, ids)) {
        return;
    }
    const CounterSet::Readings now = set->read();
    CountedInstruction& site = sites[{.chain = ids.chain, .instruction = ids.instruction}];
    ++site.calls;
    site.nanoseconds += end - start;
    for (std::size_t i = 0; i < counterKinds; ++i) {
        site.counted[i] += now[i].since(last[i]);
    }
    last = set->read();
}

}  // namespace et::tasks
