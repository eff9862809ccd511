#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Builds the display name of several operators computed together: "conv2d + hardtanh".
class JoinedOperators {
  public:
    /// Arguments as for plainOperator().
    void add(std::string_view name, std::size_t rank = 0);

    /// The distinct names in insertion order; quantization operators appear only if there are no others.
    /// Empty if nothing was added, or too many operators for one name.
    [[nodiscard]] std::string text() const;

  private:
    std::vector<std::string> plain;
    std::string storage;
};

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
