#pragma once

#include "runtime/core/release.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace et::inspector {

/// Libraries of ExecuTorch that contain kernels.
enum class KernelLibrary : std::uint8_t {
    Runtime,    ///< prim operators, in every build
    Portable,   ///< portable and optimized kernels
    Quantized,  ///< kernels/quantized
    Llm,        ///< extension/llm/custom_ops
    Torchao,    ///< low-bit kernels of torchao
    Aten,       ///< only in ATen mode, which links PyTorch
    CortexM,
    Cadence,
};
[[nodiscard]] std::string_view name(KernelLibrary library);  ///< "portable", used in JSON

struct ReleasedOperator {
    KernelLibrary library = KernelLibrary::Portable;
    core::ReleaseRange releases{};
};

/// Library and releases of an operator; empty if no release contains a kernel of that name.
[[nodiscard]] std::optional<ReleasedOperator> findReleasedOperator(std::string_view fullName);

/// Origin of the operators of a namespace: "delegates only: the host keeps the cache" for
/// "kvcache::update_and_attend". Empty for a namespace that ExecuTorch does not define.
[[nodiscard]] std::string_view namespaceOrigin(std::string_view fullName);

}  // namespace et::inspector
