#include "app/tasks/sanitize/recorded_run.h"

#include "app/tasks/sanitize/fault_signals.h"

#include <csetjmp>

namespace et::tasks {
namespace {

/// False if the call crashed.
[[gnu::noinline]] bool completes(const std::function<core::Result<>()>& run, core::Result<>& done) {
    sigjmp_buf place;
    const CrashExit crash(place);
    // The handler blocks no signals, so there is no mask to save.
    if (sigsetjmp(place, 0) != 0) {
        return false;
    }
    done = run();
    return true;
}

}  // namespace

RecordedRun runRecorded(GuardedHeap& heap, const std::function<core::Result<>()>& run) {
    RecordedRun out;
    heap.beginCall();
    out.hasCrashed = !completes(run, out.done);
    out.faults = heap.endCall();
    return out;
}

}  // namespace et::tasks
