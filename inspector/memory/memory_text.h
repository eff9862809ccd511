#pragma once

#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_timeline.h"

#include <string>

// Texts shared by pictures and tables of a memory plan.
namespace et::inspector {

/// A method's memory timeline and the record's data about its instructions.
struct MemoryView {
    const MemoryTimeline& timeline;
    const InstructionNodes& nodes;
};

/// "float32 [1, 16, 48, 48]", with "up to" if the sizes are bounds.
[[nodiscard]] std::string tensorText(const program::TensorInfo& tensor);

/// "3-7", "start-7", "3-end", "never".
[[nodiscard]] std::string lifeText(const PlannedTensor& tensor, const MemoryTimeline& timeline);

/// Display name of the first writer: "conv2d", "VulkanBackend"; "input" or another kind if no instruction
/// writes it.
[[nodiscard]] std::string readableWriter(const PlannedTensor& tensor);

/// A few lines: the tensor, its position, its lifetime, its writer and the writer's Python source.
[[nodiscard]] std::string describe(const PlannedTensor& tensor, const MemoryView& view);

/// "1.0 MiB planned, 0.9 MiB alive at the peak (at instruction 4), 10.0 % of the plan unused at the peak".
[[nodiscard]] std::string describe(const ArenaTimeline& arena, const MemoryTimeline& timeline);

}  // namespace et::inspector
