#pragma once

#include "backends/reference/reference_value.h"
#include "inspector/numeric_gap/metrics.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

/// Conversions of tensors of either side to the form in which they are compared.
namespace et::inspector {

using backends::reference::ReferenceTensor;

/// A row-major copy. Errors: Unsupported (quantized dtypes without plain numbers).
[[nodiscard]] core::Result<ReferenceTensor> rowMajorCopy(const core::Tensor& tensor);

/// A row-major copy with another dtype. Errors: Unsupported.
[[nodiscard]] core::Result<ReferenceTensor> converted(const core::Tensor& tensor, core::ScalarType dtype);

/// A row-major copy with permuted dimensions: dimension i of the result is dimension order[i]. `order` must
/// be a permutation of the dimensions.
[[nodiscard]] core::Result<ReferenceTensor> permutedCopy(const core::Tensor& tensor,
                                                         std::span<const std::uint8_t> order);

/// All elements in row-major order. Errors: Unsupported (complex and quantized dtypes).
[[nodiscard]] core::Result<std::vector<double>> numbersOf(const core::Tensor& tensor);
/// As numbersOf(), replacing the contents of `numbers` and reusing its memory.
[[nodiscard]] core::Result<> numbersInto(const core::Tensor& tensor, std::vector<double>& numbers);

/// A view of the elements of a row-major float32 tensor; nothing for others.
[[nodiscard]] std::optional<std::span<const float>> plainFloats(const core::Tensor& tensor);

[[nodiscard]] bool sameSizes(const core::Tensor& left, const core::Tensor& right);

/// Sum of the squared differences divided by the power of `expected`; infinite if they cannot be compared.
[[nodiscard]] double computeDistance(const core::Tensor& given, const core::Tensor& expected);

/// Dequantizes to row-major float32; computed in float32, as kernels do.
[[nodiscard]] core::Result<ReferenceTensor> dequantized(const core::Tensor& whole,
                                                        const QuantizationParameters& parameters);

/// Whether the parameters are equal up to a small fraction of a step: tools that write a scale as text lose
/// some of its digits.
[[nodiscard]] bool agree(const QuantizationParameters& left, const QuantizationParameters& right);

[[nodiscard]] FloatFormat floatFormat(core::ScalarType type);

}  // namespace et::inspector
