#pragma once

#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/core/result.h"

namespace et::inspector {

/// Whether one shape is the other with neighboring dimensions merged: [3, 5, 20] and [15, 20].
[[nodiscard]] bool haveMergedSizes(const core::Tensor& left, const core::Tensor& right);

/// Returns the tensor in the shape and order that the graph expects, if they differ only in the order of an
/// image's dimensions or in the division into dimensions; otherwise unchanged.
[[nodiscard]] core::Result<ReferenceTensor> fitted(const ReferenceTensor& tensor,
                                                   const ReferenceTensor& expected);

}  // namespace et::inspector
