#pragma once

#include "inspector/memory/memory_timeline.h"
#include "runtime/program/method.h"

#include <vector>

namespace et::inspector::detail {

/// Pairs of planned tensors of which an operator reads the first for the last time and fills the second,
/// number by number, so that both may have one memory. Those are operators whose kernels, ExecuTorch's
/// portable and optimized ones and ours, read each element before they write it, and only where nothing
/// moves: one arena, one dtype, the same fixed sizes and dim order. Inputs, state and what lies apart from
/// its views give no memory.
[[nodiscard]] std::vector<InPlaceChance> inPlaceChances(const program::Method& method,
                                                        const std::vector<PlannedTensor>& tensors);

/// Marks the tensors whose memory the plan hands on like that.
void markHandedOn(std::vector<PlannedTensor>& tensors, const std::vector<InPlaceChance>& chances);

}  // namespace et::inspector::detail
