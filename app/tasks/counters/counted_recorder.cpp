#include "app/tasks/counters/counted_recorder.h"

namespace et::tasks {

core::TraceName CountedRecorder::name(std::string_view text) {
    const core::TraceName known = recorder->name(text);
    if (known.value >= countedAs.size()) {
        countedAs.resize(std::size_t{known.value} + 1);
    }
    countedAs[known.value] = counting.name(text);
    return known;
}

void CountedRecorder::beginRun(std::string_view blockName) {
    recorder->beginRun(blockName);
    executes = blockName == "Execute";
    counting.beginRun(blockName);
}

void CountedRecorder::endRun() {
    recorder->endRun();
    if (executes) {
        counting.endRun();
    }
}

/// Excludes the recorder's own work from the counts of instructions.
void CountedRecorder::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start,
                              std::uint64_t end, core::Bytes metadata) {
    const core::TraceName counted =
        event.value < countedAs.size() ? countedAs[event.value] : core::TraceName{0};
    const bool ends = executes && CountingTracer::endsInstruction(counted, ids);
    if (ends) {
        counting.profile(counted, ids, start, end, {});
    }
    recorder->profile(event, ids, start, end, metadata);
    if (ends) {
        counting.resume();
    }
}

}  // namespace et::tasks
