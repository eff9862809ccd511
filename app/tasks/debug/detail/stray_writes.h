#pragma once

#include "app/tasks/debug/arena_range.h"
#include "runtime/executor/method.h"
#include "runtime/program/value.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::tasks {

/// Finds values that the kernel of a plugin changed besides its results, by writing beyond them.
class StrayWrites {
  public:
    /// Copies the planned memory before the instruction.
    explicit StrayWrites(executor::Method& method);
    /// After the instruction: values in changed bytes outside the results.
    [[nodiscard]] std::vector<program::ValueId> find(std::span<const program::ValueId> results) const;

  private:
    executor::Method& method;
    std::vector<std::vector<std::byte>> before;
};

}  // namespace et::tasks
