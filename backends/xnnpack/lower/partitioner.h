#pragma once

#include "backends/lowering/partitioner.h"

namespace et::backends::xnnpack {

/// Takes what XNNPACK computes as ExecuTorch's delegate runs it: the operators of operator_rules.h that keep
/// their rules, as few parts as the nodes between them let.
[[nodiscard]] lowering::Partitioner makePartitioner();

}  // namespace et::backends::xnnpack
