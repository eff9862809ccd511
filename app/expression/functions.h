#pragma once

#include "app/expression/expression.h"
#include "runtime/core/result.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace et::expression {

/// The function with this name.
[[nodiscard]] std::optional<Function> functionNamed(std::string_view name);
[[nodiscard]] const FunctionInfo& infoOf(Function function);

/// Smallest normal number of a floating dtype; 0 for others, which have no denormal numbers.
[[nodiscard]] double smallestNormal(core::ScalarType type);
/// Ends of the range of a dtype that stores quantized values; nothing for other dtypes.
[[nodiscard]] std::optional<std::pair<double, double>> endsOfRange(core::ScalarType type);
/// Function::Saturated.
[[nodiscard]] double saturatedShare(const Array& array);

/// Computes a function that reads no other version of a value. Errors: InvalidArgument.
[[nodiscard]] core::Result<Operand> compute(Function function, std::span<const Operand> arguments);
/// Function::Error, Snr and Changed of a value and its other version. Errors: InvalidArgument (sizes differ).
[[nodiscard]] core::Result<Operand> computeDifference(Function function, const Operand& value,
                                                      const Operand& other);

}  // namespace et::expression
