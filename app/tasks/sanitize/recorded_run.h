#pragma once

#include "app/tasks/sanitize/guarded_heap.h"
#include "runtime/core/result.h"

#include <functional>
#include <span>

namespace et::tasks {

/// A call whose forbidden accesses were recorded.
struct RecordedRun {
    core::Result<> done;
    bool hasCrashed = false;
    std::span<const MemoryFault> faults;  ///< valid until the next run
};

[[nodiscard]] RecordedRun runRecorded(GuardedHeap& heap, const std::function<core::Result<>()>& run);

}  // namespace et::tasks
