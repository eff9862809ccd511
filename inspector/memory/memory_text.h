#pragma once

#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_timeline.h"

#include <string>

// What pictures and tables of a memory plan say alike.
namespace et::inspector {

/// A method's memory and what a record says of its instructions.
struct MemoryView {
    const MemoryTimeline& timeline;
    const InstructionNodes& nodes;
};

/// "float32 [1, 16, 48, 48]", with "up to" where the sizes are bounds.
[[nodiscard]] std::string tensorText(const program::TensorInfo& tensor);

/// "3-7", "start-7", "3-end", "never".
[[nodiscard]] std::string lifeText(const PlannedTensor& tensor, const MemoryTimeline& timeline);

/// What people call who first writes it: "conv2d", "VulkanBackend"; "input" and the other kinds where nobody
/// does.
[[nodiscard]] std::string readableWriter(const PlannedTensor& tensor);

/// A few lines: what it is, where it lies, when it lives, who writes it and which Python that was.
[[nodiscard]] std::string describe(const PlannedTensor& tensor, const MemoryView& view);

/// "1.0 MiB planned, 0.9 MiB alive at the peak (at instruction 4), 10.0 % of the plan lie idle even then".
[[nodiscard]] std::string describe(const ArenaTimeline& arena, const MemoryTimeline& timeline);

/// The step of an axis of about so many parts: a power of 2 times a power of `base`, at least 1.
[[nodiscard]] double niceStep(double range, int parts, double base);

}  // namespace et::inspector
