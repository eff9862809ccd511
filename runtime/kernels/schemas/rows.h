#pragma once

#include "runtime/kernels/operator_schema.h"

#include <span>

// The rows of the table of operators; see operator_schema.h.
namespace et::kernels::schemas {

[[nodiscard]] std::span<const OperatorSchema> aten();
/// ExecuTorch's own operators, and those of its backends for Cadence and Cortex-M.
[[nodiscard]] std::span<const OperatorSchema> libraries();

}  // namespace et::kernels::schemas
