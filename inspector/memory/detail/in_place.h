#pragma once

#include "inspector/memory/memory_timeline.h"
#include "runtime/program/method.h"

#include <vector>

namespace et::inspector::memory::detail {

/// Pairs of planned tensors that could share memory because an operator reads the first for the last time and
/// fills the second elementwise. Limited to operators whose kernels (ExecuTorch's portable and optimized ones
/// and ours) read each element before they write it, and to tensors with the same arena, dtype, fixed sizes
/// and dim order. Inputs, state and tensors whose views are placed apart from them are excluded as first.
[[nodiscard]] std::vector<InPlaceCandidate> inPlaceChances(const program::Method& method,
                                                           const std::vector<PlannedTensor>& tensors);

/// Marks the tensors whose memory the plan already reuses in place.
void markHandedOn(std::vector<PlannedTensor>& tensors, const std::vector<InPlaceCandidate>& chances);

}  // namespace et::inspector::memory::detail
