#pragma once

#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/core/result.h"

namespace et::inspector {

/// The tensor in the shape and order that the graph expects, where only the order of an image's dimensions is
/// different, or the division into dimensions. Unchanged where more is different.
[[nodiscard]] core::Result<ReferenceTensor> fitted(const ReferenceTensor& tensor,
                                                   const ReferenceTensor& expected);

}  // namespace et::inspector
