#pragma once

#include "runtime/kernels/registry.h"

#include <span>

// Cadence's operators, one table per family. Results match ExecuTorch's own implementations
// (backends/cadence/aot/ref_implementations.py and backends/cadence/generic), except that integer sums are
// exact. Variants for single dtypes ("_asym8sxsym8s_asym8s") compute the same.
namespace et::kernels::cadence {

[[nodiscard]] std::span<const KernelEntry> quantizeEntries();     ///< quantize, dequantize, requantize
[[nodiscard]] std::span<const KernelEntry> productEntries();      ///< linear, fully connected, matmul
[[nodiscard]] std::span<const KernelEntry> convolutionEntries();  ///< including transposed and float
                                                                  ///< convolutions
[[nodiscard]] std::span<const KernelEntry> elementwiseEntries();  ///< add, mul, relu, where
[[nodiscard]] std::span<const KernelEntry> rowEntries();          ///< softmax, norms, rope, embedding
[[nodiscard]] std::span<const KernelEntry> windowEntries();       ///< pooling, im2row
[[nodiscard]] std::span<const KernelEntry> memoryEntries();       ///< copies between memories

}  // namespace et::kernels::cadence
