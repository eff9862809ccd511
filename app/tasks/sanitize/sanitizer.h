#pragma once

#include "app/tasks/sanitize/guarded_heap.h"
#include "app/tasks/sanitize/memory_finding.h"
#include "app/tasks/sanitize/value_storages.h"
#include "runtime/executor/memory_guard.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace et::tasks {

/// Checks the memory accesses of kernels and delegates. Each value is in its own memory between inaccessible
/// pages, and a call can access only its arguments. Calls run twice, in copies of the values whose unwritten
/// memory differs, so that a result that depends on it differs, too.
class Sanitizer final : public executor::MemoryGuard {
  public:
    static constexpr std::size_t maxFindings = 200;

    [[nodiscard]] core::Result<std::unique_ptr<executor::MethodGuard>> load(
        const void* module, const program::Method& method, std::span<core::Value> values) override;

    /// In the order of their first occurrence; a repeated error counts in MemoryFinding::times.
    [[nodiscard]] std::span<const MemoryFinding> findings() const { return all; }
    void add(MemoryFinding finding);

    /// Called after a crash in a kernel. The process must end then: its threads are lost.
    void onCrash(std::function<void()> report) { crashReport = std::move(report); }
    void crash();

    [[nodiscard]] GuardedHeap& heap() { return memory; }

  private:
    GuardedHeap memory;
    std::map<const void*, SharedStorages> shared;  ///< by module
    std::vector<MemoryFinding> all;
    std::function<void()> crashReport;
};

}  // namespace et::tasks
