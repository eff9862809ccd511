#pragma once

#include "backends/lowering/partitioner.h"
#include "runtime/kernels/registry.h"

namespace et::backends::xnnpack {

/// Partitioner for nodes that XNNPACK computes as in ExecuTorch's delegate: operators of operator_rows.h
/// that satisfy their rules, in as few parts as the other nodes allow. `kernels` compute constants and must
/// outlive it.
[[nodiscard]] lowering::Partitioner makePartitioner(const kernels::KernelRegistry& kernels);

}  // namespace et::backends::xnnpack
