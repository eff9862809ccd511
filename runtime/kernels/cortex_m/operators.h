#pragma once

#include "runtime/kernels/registry.h"

#include <span>

// Operators of Arm's Cortex-M backend, one table per family: int8, bit-exact with the fixed-point arithmetic
// of CMSIS-NN (definitions: backends/cortex_m/ops of ExecuTorch, arm_nnsupportfunctions.h of CMSIS-NN).
// Scratch tensor arguments are not used.
namespace et::kernels::cortex_m {

[[nodiscard]] std::span<const KernelEntry> elementwiseEntries();  ///< quantize, add, mul, softmax, tables, …
[[nodiscard]] std::span<const KernelEntry> productEntries();      ///< linear, batch matmul
[[nodiscard]] std::span<const KernelEntry> imageEntries();        ///< convolutions, pooling, padding

}  // namespace et::kernels::cortex_m
