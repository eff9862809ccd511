#pragma once

#include "backends/lowering/partitioner.h"

namespace et::backends::xnnpack {

/// Partitioner for nodes that XNNPACK computes as in ExecuTorch's delegate: operators of operator_rules.h
/// that satisfy their rules, in as few parts as the other nodes allow.
[[nodiscard]] lowering::Partitioner makePartitioner();

}  // namespace et::backends::xnnpack
