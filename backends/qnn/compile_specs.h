#pragma once

#include "backends/compile_spec_rules.h"

#include <span>

namespace et::backends::qnn {

/// Compile specs of QnnBackend: one flatbuffer with the chip and the options of Qualcomm's compiler and
/// runtime. Fields and enums: backends/qualcomm of ExecuTorch, with its versions from March 2024 to August
/// 2026.
[[nodiscard]] std::span<const SpecRule> specs();

}  // namespace et::backends::qnn
