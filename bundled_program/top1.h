#pragma once

#include "bundled_program/tolerance.h"
#include "runtime/core/tensor.h"

#include <optional>

namespace et::bundled_program::detail {

/// Share of rows, along the last dimension, whose largest element is at the expected index, or that have one
/// as large within `slack`. Both tensors have the same real dtype and sizes. Empty if it is not defined (rows
/// of fewer than two elements, another dtype). A row with a NaN never agrees.
[[nodiscard]] std::optional<double> top1Agreement(const core::Tensor& given, const core::Tensor& expected,
                                                  const Tolerance& slack);

}  // namespace et::bundled_program::detail
