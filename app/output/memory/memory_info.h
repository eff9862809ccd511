#pragma once

#include "app/output/cells.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/memory/memory_timeline.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::output {

/// Level of detail and format of memory information.
struct MemoryInfoOptions {
    bool forPeople = true;  ///< list only the largest tensors, instead of all with the bytes alive at each
                            ///< step
    std::size_t top = 10;   ///< number of largest tensors
    bool record = false;    ///< include modules and source lines
    const std::vector<inspector::AlternativePlan>& alternativePlans;
    std::span<const inspector::MeasuredBytes> measured{};    ///< empty: not recorded
    std::span<const inspector::AllocatorUse> allocations{};  ///< of other runtimes
    std::uint64_t context = 0;  ///< context length of a language model, in positions; 0: unknown
};

/// Memory of one method, as values that print as text and as JSON (docs/reference/json.md).
[[nodiscard]] Dict memoryInfo(const inspector::MemoryTimeline& timeline,
                              const inspector::InstructionNodes& nodes, const MemoryInfoOptions& options);

/// One row per planned tensor.
[[nodiscard]] Table tensorTable();
void addRows(Table& table, const inspector::MemoryTimeline& timeline,
             const inspector::InstructionNodes& nodes);

}  // namespace et::output
