#pragma once

#include "bundled_program/tolerance.h"
#include "runtime/core/tensor.h"

#include <optional>

namespace et::bundled_program::detail {

/// The share of rows, along the last dimension, whose largest element is where the row to expect has it, or
/// has one that is as large but for `slack`. Both are of the same real dtype and sizes. Nothing: there is no
/// choice (rows of fewer than two elements, another dtype). A row with a NaN agrees with none.
[[nodiscard]] std::optional<double> top1Agreement(const core::Tensor& given, const core::Tensor& expected,
                                                  const Tolerance& slack);

}  // namespace et::bundled_program::detail
