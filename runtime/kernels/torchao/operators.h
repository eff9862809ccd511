#pragma once

#include "runtime/kernels/registry.h"

#include <span>

namespace et::kernels::torchao {

/// The operators of this folder.
[[nodiscard]] std::span<const KernelEntry> entries();

}  // namespace et::kernels::torchao
