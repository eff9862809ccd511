#pragma once

#include "app/tasks/sanitize/guarded_heap.h"
#include "app/tasks/sanitize/memory_finding.h"
#include "app/tasks/sanitize/value_storages.h"
#include "etrecord/record.h"
#include "runtime/executor/memory_guard.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace et::tasks {

/// Checks the memory accesses of kernels and delegates. Each value is in its own memory between inaccessible
/// pages, and a call can access only its arguments. Calls run twice, in copies of the values whose unwritten
/// memory differs, so that a result that depends on it differs, too.
class Sanitizer final : public executor::MemoryGuard {
  public:
    static constexpr std::size_t maxFindings = 200;

    /// `record` may be null; both give findings their Python lines.
    Sanitizer(std::shared_ptr<const program::Program> of, std::shared_ptr<const etrecord::Record> from)
        : program(std::move(of)), record(std::move(from)) {}

    [[nodiscard]] core::Result<std::unique_ptr<executor::MethodGuard>> load(
        const void* module, const program::Method& method, std::span<core::Value> values) override;

    /// In the order of their first occurrence; a repeated error counts in MemoryFinding::times.
    [[nodiscard]] std::span<const MemoryFinding> findings() const { return all; }
    void add(MemoryFinding finding);

    using CrashReport = std::function<void(std::span<const MemoryFinding>)>;
    /// Called after a crash in a kernel of any sanitizer. The process must end then: its threads are lost.
    static void onCrash(CrashReport report);
    void crash() const;

    [[nodiscard]] GuardedHeap& heap() { return memory; }

    /// Lets executions other than 1, 2, 4, 8 and so on of each method run calls only once, which is faster.
    void allowLightExecutions() { allowsLight = true; }
    [[nodiscard]] bool allowsLightExecutions() const { return allowsLight; }
    /// Number of executions in which calls ran only once, of all methods.
    [[nodiscard]] std::uint64_t lightExecutions() const { return light; }
    void addLightExecution() { ++light; }

  private:
    std::shared_ptr<const program::Program> program;
    std::shared_ptr<const etrecord::Record> record;
    GuardedHeap memory;
    std::map<const void*, SharedStorages> shared;  ///< by module
    std::vector<MemoryFinding> all;
    bool allowsLight = false;
    std::uint64_t light = 0;
};

}  // namespace et::tasks
