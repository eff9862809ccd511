#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace et::inspector {

/// Display name of an operator: "conv2d" for "convolution" with an output of four dimensions, "linear" for
/// "addmm", "permute" for "permute_copy". Accepts the name without library and overload, as returned by
/// detail::nodeOperator() and detail::kernelOperator(). `rank` is the number of dimensions of the output, 0
/// if unknown.
[[nodiscard]] std::string plainOperator(std::string_view name, std::size_t rank = 0);

/// True for operators that only change the number format: quantize, dequantize, choose parameters.
[[nodiscard]] bool isQuantization(std::string_view name);

/// True for operators that only move data: "view_copy", "cat".
[[nodiscard]] bool isDataMovement(std::string_view name);

}  // namespace et::inspector
