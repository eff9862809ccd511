#pragma once

#include "inspector/format/table.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::app {

/// The memory of the methods of a session's program, for the parts of a page.
class PageMemory {
  public:
    /// Nothing without a program. Errors: those of MemoryTimeline.
    static core::Result<PageMemory> of(const inspector::Session& session);

    /// The plans as a picture, or a line that says why not; empty where nothing is planned.
    [[nodiscard]] std::string picture() const;
    /// The largest tensors, planned or constant, `most` of them.
    [[nodiscard]] inspector::report::Table largest(std::size_t most) const;
    /// Adds the bytes of weights to a table of delegates that begins with method, number, backend and bytes
    /// of the payload, and puts the largest first.
    void addWeights(inspector::report::Table& delegates) const;

  private:
    std::vector<inspector::MemoryTimeline> timelines{};
    std::vector<inspector::InstructionNodes> nodes{};  ///< one each
};

}  // namespace et::app
