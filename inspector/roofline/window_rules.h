#pragma once

#include "inspector/roofline/operator_call.h"

#include <optional>

// Operation counts of operators that move a window over an image: [batch, channels, height, width] in
// programs (any number of axes), and [batch, height, width, channels] with padding on four sides in delegates
// (nhwc).
namespace et::inspector::roofline::detail {

/// Convolutions, including depthwise and transposed ones: two operations per product.
[[nodiscard]] std::optional<double> convolutionOperations(const OperatorCall& call);
/// Convolutions, including depthwise ones.
[[nodiscard]] std::optional<double> nhwcConvolutionOperations(const OperatorCall& call);
[[nodiscard]] std::optional<double> nhwcTransposedConvolutionOperations(const OperatorCall& call);
/// One operation per element that a window covers.
[[nodiscard]] std::optional<double> poolingOperations(const OperatorCall& call);
[[nodiscard]] std::optional<double> nhwcPoolingOperations(const OperatorCall& call);

}  // namespace et::inspector::roofline::detail
