#pragma once

#include "runtime/core/result.h"

#include <atomic>
#include <cstdint>

namespace et::executor {

/// What a program may use of the machine. Programs are untrusted; these keep a hostile one from taking it
/// over.
struct Limits {
    /// Planned memory, caller-less inputs and outputs, tensors that grow, copies of data, of all methods of a
    /// module.
    std::uint64_t memoryBytes = std::uint64_t{8} << 30;
    /// Temporary memory of one instruction.
    std::uint64_t temporaryBytes = std::uint64_t{2} << 30;
    /// Instructions of one execution: more means a loop that does not end.
    std::uint64_t instructions = 1'000'000;
};

/// Counts memory against Limits::memoryBytes. One a module.
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
