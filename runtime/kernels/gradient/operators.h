#pragma once

#include "runtime/kernels/registry.h"

#include <span>

// Operators of backward passes, one table per family. ExecuTorch's own kernels have only those of convolution
// and max pooling (dense/, spatial/).
namespace et::kernels::gradient {

[[nodiscard]] std::span<const KernelEntry> elementEntries();  ///< activations
[[nodiscard]] std::span<const KernelEntry> lossEntries();     ///< losses, and their gradients
[[nodiscard]] std::span<const KernelEntry> rowEntries();      ///< softmax, layer norm, embedding
[[nodiscard]] std::span<const KernelEntry> poolingEntries();  ///< average pooling

}  // namespace et::kernels::gradient
