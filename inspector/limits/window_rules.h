#pragma once

#include "inspector/limits/operator_call.h"

#include <optional>

// Operations of what moves a window over an image. Programs have channels before height and width, delegates
// behind.
namespace et::inspector::detail {

/// Convolutions, depthwise and transposed ones among them: two operations for each product.
[[nodiscard]] std::optional<double> convolutionOperations(const OperatorCall& call);
/// One for each element that a window sees.
[[nodiscard]] std::optional<double> poolingOperations(const OperatorCall& call);
/// The same, and one for each output.
[[nodiscard]] std::optional<double> averagePoolingOperations(const OperatorCall& call);

}  // namespace et::inspector::detail
