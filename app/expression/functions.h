#pragma once

#include "app/expression/expression.h"
#include "runtime/core/result.h"

#include <optional>
#include <span>
#include <string_view>

namespace et::expression {

/// The function with this name.
[[nodiscard]] std::optional<Function> functionNamed(std::string_view name);
[[nodiscard]] const FunctionInfo& infoOf(Function function);

/// Computes a function of values: not those that read other versions of a value. Errors: InvalidArgument.
[[nodiscard]] core::Result<Operand> compute(Function function, std::span<const Operand> arguments);
/// Function::Error, Snr and Changed of a value and its other version. Errors: InvalidArgument (sizes differ).
[[nodiscard]] core::Result<Operand> computeDifference(Function function, const Operand& value,
                                                      const Operand& other);

}  // namespace et::expression
