#pragma once

#include "runtime/kernels/registry.h"

#include <span>

namespace et::kernels {

/// All operators included in the runtime.
[[nodiscard]] const KernelRegistry& builtin();

// One table per operator family, each in the file or folder of its name.
[[nodiscard]] std::span<const KernelEntry> mathKernels();
[[nodiscard]] std::span<const KernelEntry> activationKernels();
[[nodiscard]] std::span<const KernelEntry> arithmeticKernels();
[[nodiscard]] std::span<const KernelEntry> divisionKernels();
[[nodiscard]] std::span<const KernelEntry> powerKernels();
[[nodiscard]] std::span<const KernelEntry> bitwiseKernels();
[[nodiscard]] std::span<const KernelEntry> comparisonKernels();
[[nodiscard]] std::span<const KernelEntry> clampKernels();
[[nodiscard]] std::span<const KernelEntry> selectionKernels();
[[nodiscard]] std::span<const KernelEntry> reductionKernels();
[[nodiscard]] std::span<const KernelEntry> normalizationKernels();
[[nodiscard]] std::span<const KernelEntry> shapeKernels();
[[nodiscard]] std::span<const KernelEntry> joinKernels();
[[nodiscard]] std::span<const KernelEntry> rearrangeKernels();
[[nodiscard]] std::span<const KernelEntry> paddingKernels();
[[nodiscard]] std::span<const KernelEntry> copyKernels();
[[nodiscard]] std::span<const KernelEntry> indexKernels();
[[nodiscard]] std::span<const KernelEntry> gatherKernels();
[[nodiscard]] std::span<const KernelEntry> maskKernels();
[[nodiscard]] std::span<const KernelEntry> creationKernels();
[[nodiscard]] std::span<const KernelEntry> randomKernels();
[[nodiscard]] std::span<const KernelEntry> denseKernels();
[[nodiscard]] std::span<const KernelEntry> convolutionKernels();
[[nodiscard]] std::span<const KernelEntry> poolingKernels();
[[nodiscard]] std::span<const KernelEntry> samplingKernels();
[[nodiscard]] std::span<const KernelEntry> fourierKernels();
[[nodiscard]] std::span<const KernelEntry> quantizedKernels();
[[nodiscard]] std::span<const KernelEntry> llamaKernels();
[[nodiscard]] std::span<const KernelEntry> kvCacheKernels();
[[nodiscard]] std::span<const KernelEntry> primKernels();

}  // namespace et::kernels
