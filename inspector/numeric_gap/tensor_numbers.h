#pragma once

#include "backends/reference/reference_value.h"
#include "inspector/numeric_gap/metrics.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <cstdint>
#include <span>
#include <vector>

/// Tensors of either side in the form in which they are compared.
namespace et::inspector {

using backends::reference::ReferenceTensor;

/// A row-major copy. Errors: Unsupported (quantized dtypes without numbers of their own).
[[nodiscard]] core::Result<ReferenceTensor> rowMajorCopy(const core::Tensor& tensor);

/// A row-major copy of another dtype. Errors: Unsupported.
[[nodiscard]] core::Result<ReferenceTensor> converted(const core::Tensor& tensor, core::ScalarType dtype);

/// The tensor with its dimensions in another order, as a row-major copy: dimension i of the result is
/// dimension order[i], which must be a permutation of its dimensions.
[[nodiscard]] core::Result<ReferenceTensor> permutedCopy(const core::Tensor& tensor,
                                                         std::span<const std::uint8_t> order);

/// All elements in row-major order. Errors: Unsupported (complex and quantized dtypes).
[[nodiscard]] core::Result<std::vector<double>> numbersOf(const core::Tensor& tensor);
/// The same in place of what `numbers` has, whose memory is used again.
[[nodiscard]] core::Result<> numbersInto(const core::Tensor& tensor, std::vector<double>& numbers);

/// The elements where they lie, of a tensor of row-major float32; nothing for others.
[[nodiscard]] std::optional<std::span<const float>> plainFloats(const core::Tensor& tensor);

[[nodiscard]] bool sameSizes(const core::Tensor& left, const core::Tensor& right);

/// Sum of the squared differences over the power of `expected`; infinite where they cannot be compared.
[[nodiscard]] double distanceOf(const core::Tensor& given, const core::Tensor& expected);

/// Real numbers of whole ones, float32 and row-major; computed in float32, as kernels do.
[[nodiscard]] core::Result<ReferenceTensor> dequantized(const core::Tensor& whole,
                                                        const QuantizationParameters& parameters);

/// Both stand for the same numbers, but for a small part of a step: tools that write a scale as text lose
/// some of its digits.
[[nodiscard]] bool agree(const QuantizationParameters& left, const QuantizationParameters& right);

[[nodiscard]] FloatFormat floatFormat(core::ScalarType type);

}  // namespace et::inspector
