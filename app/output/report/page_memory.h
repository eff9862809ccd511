#pragma once

#include "app/output/cells.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::output {

/// Memory of the methods of a session's program, for the sections of a page.
class PageMemory {
  public:
    /// Returns nothing without a program. Errors: those of MemoryTimeline.
    static core::Result<PageMemory> of(const inspector::Session& session);

    /// The plans as a picture, or a line with the reason why there is none; empty if nothing is planned.
    [[nodiscard]] std::string picture() const;
    /// The `most` largest tensors, planned or constant.
    [[nodiscard]] Table largest(std::size_t most) const;
    /// Adds the bytes of weights to a table of delegates whose first columns are method, number, backend and
    /// payload bytes, and sorts it by size.
    void addWeights(Table& delegates) const;

  private:
    std::vector<inspector::MemoryTimeline> timelines{};
    std::vector<inspector::InstructionNodes> nodes{};  ///< one each
};

}  // namespace et::output
