#pragma once

#include "inspector/memory/detail/value_uses.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/program/method.h"

#include <vector>

namespace et::inspector::memory::detail {

/// The planned tensors of a method: values that are views of one another become one tensor with a joint
/// lifetime.
[[nodiscard]] std::vector<PlannedTensor> plannedTensors(const program::Method& method,
                                                        const MethodUses& uses);

/// "float32 [1, 16, 48, 48]", with "up to" if the sizes are bounds.
[[nodiscard]] std::string tensorType(const program::TensorInfo& tensor);

}  // namespace et::inspector::memory::detail
