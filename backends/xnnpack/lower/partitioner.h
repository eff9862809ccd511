#pragma once

#include "backends/lowering/partitioner.h"
#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"

#include <functional>

namespace et::backends::xnnpack {

/// Called before a delegated node is converted; an error ends the conversion. Empty: not called.
using NodeWatch = std::function<core::Result<>()>;

/// Partitioner for nodes that XNNPACK computes as in ExecuTorch's delegate: operators of operator_rows.h
/// that satisfy their rules, in as few parts as the other nodes allow. `kernels` compute constants and must
/// outlive it.
[[nodiscard]] lowering::Partitioner makePartitioner(const kernels::KernelRegistry& kernels,
                                                    NodeWatch watch = {});

}  // namespace et::backends::xnnpack
