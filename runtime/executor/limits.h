#pragma once

#include "runtime/core/result.h"

#include <atomic>
#include <cstdint>

namespace et::executor {

/// Resource limits of a program. Programs are untrusted; the limits keep a hostile one from exhausting the
/// machine.
struct Limits {
    /// Maximum for planned memory, unplanned inputs and outputs, growing tensors and copied data of all
    /// methods of a module.
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;
    /// Maximum temporary memory of one instruction.
    std::uint64_t temporaryBytes = std::uint64_t{2} << 30;
    /// Maximum instructions per execution: more indicates an endless loop.
    std::uint64_t instructions = 1'000'000;
};

/// Counts memory against Limits::memoryBytes. One per module.
class MemoryBudget {
  public:
    explicit MemoryBudget(std::uint64_t limitBytes) : limit(limitBytes) {}

    /// Errors: Limit.
    [[nodiscard]] core::Result<> take(std::uint64_t bytes);
    void give(std::uint64_t bytes) { used -= bytes; }

  private:
    std::uint64_t limit;
    std::uint64_t used = 0;
};

}  // namespace et::executor
