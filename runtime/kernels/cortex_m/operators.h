#pragma once

#include "runtime/kernels/registry.h"

#include <span>

// Operators of Arm's Cortex-M backend, one table a family: int8, with the fixed-point arithmetic of CMSIS-NN
// bit by bit (definitions: backends/cortex_m/ops of ExecuTorch, arm_nnsupportfunctions.h of CMSIS-NN).
// Scratch tensors that the operators take are left alone.
namespace et::kernels::cortex_m {

[[nodiscard]] std::span<const KernelEntry> elementwiseEntries();  ///< quantize, add, mul, softmax, tables, …
[[nodiscard]] std::span<const KernelEntry> productEntries();      ///< linear, batch matmul
[[nodiscard]] std::span<const KernelEntry> imageEntries();        ///< convolutions, pooling, padding

}  // namespace et::kernels::cortex_m
