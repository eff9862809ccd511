#pragma once

#include "inspector/roofline/operator_call.h"

#include <optional>

// Operation counts of operators that move a window over an image. Programs have channels before height and
// width, delegates after.
namespace et::inspector::roofline::detail {

/// Convolutions, including depthwise and transposed ones: two operations per product.
[[nodiscard]] std::optional<double> convolutionOperations(const OperatorCall& call);
/// One operation per element that a window covers.
[[nodiscard]] std::optional<double> poolingOperations(const OperatorCall& call);
/// As poolingOperations(), plus one per output.
[[nodiscard]] std::optional<double> averagePoolingOperations(const OperatorCall& call);

}  // namespace et::inspector::roofline::detail
