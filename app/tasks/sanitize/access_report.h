#pragma once

#include "app/tasks/sanitize/checked_call.h"
#include "app/tasks/sanitize/guarded_heap.h"
#include "app/tasks/sanitize/memory_finding.h"

#include <cstddef>
#include <span>

namespace et::tasks {

/// Reports forbidden accesses of calls.
class AccessReport {
  public:
    explicit AccessReport(const CheckContext& shared) : context(shared) {}

    /// Reports the accesses that the protection of pages prevented.
    void faults(const CheckedCall& call, std::size_t world, std::span<const MemoryFault> found) const;
    /// Reports writes next to the outputs and the temporary memory, on accessible pages.
    void pads(const CheckedCall& call, std::size_t world) const;
    /// Reports writes beyond the shapes of outputs; call after both runs.
    void tails(const CheckedCall& call) const;

  private:
    void fault(const CheckedCall& call, std::size_t world, const MemoryFault& found) const;
    [[nodiscard]] MemoryFinding onStorage(const CheckedCall& call, std::size_t world,
                                          const MemoryFault& found, std::size_t storage) const;
    [[nodiscard]] MemoryFinding onScratch(const CheckedCall& call, const MemoryFault& found) const;
    [[nodiscard]] MemoryFinding outside(const CheckedCall& call, std::size_t world,
                                        const MemoryFault& found) const;

    const CheckContext& context;
};

}  // namespace et::tasks
