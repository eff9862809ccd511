#pragma once

#include "backends/compile_spec_rules.h"

#include <span>

// Compile specs of backends whose settings are few (compile_specs.h). Sources: the exporters and runtimes in
// backends/ of ExecuTorch, main branch of 2026-08-22.
namespace et::backends {

[[nodiscard]] std::span<const SpecRule> aotiSpecs();  ///< CUDA and Metal
[[nodiscard]] std::span<const SpecRule> armSpecs();   ///< TOSA, VGF and Ethos-U
[[nodiscard]] std::span<const SpecRule> coremlSpecs();
[[nodiscard]] std::span<const SpecRule> demoSpecs();
[[nodiscard]] std::span<const SpecRule> ennSpecs();  ///< Samsung Exynos
[[nodiscard]] std::span<const SpecRule> mpsSpecs();
[[nodiscard]] std::span<const SpecRule> nativeSpecs();
[[nodiscard]] std::span<const SpecRule> neuropilotSpecs();  ///< MediaTek
[[nodiscard]] std::span<const SpecRule> neutronSpecs();     ///< NXP
[[nodiscard]] std::span<const SpecRule> openvinoSpecs();
[[nodiscard]] std::span<const SpecRule> sharedSpecs();  ///< keys that ExecuTorch itself reads, of any backend
[[nodiscard]] std::span<const SpecRule> tensorrtSpecs();
[[nodiscard]] std::span<const SpecRule> vulkanSpecs();  ///< also WebGPU, whose delegates have Vulkan's name

}  // namespace et::backends
