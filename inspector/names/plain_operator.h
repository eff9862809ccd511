#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace et::inspector {

/// What people call an operator: "conv2d" of "convolution" with an output of four dimensions, "linear" of
/// "addmm", "permute" of "permute_copy". Takes the name without library and overload, as
/// detail::nodeOperator() and detail::kernelOperator() give it. `rank` is the number of dimensions of the
/// output, 0 where it is not known.
[[nodiscard]] std::string plainOperator(std::string_view name, std::size_t rank = 0);

/// True for operators that only change how numbers are stored: quantize, dequantize, choose parameters.
[[nodiscard]] bool isQuantization(std::string_view name);

/// True for operators that only move data: "view_copy", "cat".
[[nodiscard]] bool isDataMovement(std::string_view name);

}  // namespace et::inspector
