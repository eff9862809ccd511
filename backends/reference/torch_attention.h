#pragma once

#include "backends/reference/composing.h"

#include <optional>

namespace et::backends::reference {

/// aten.scaled_dot_product_attention as the flash kernel of PyTorch rounds it on a CPU with AVX2: blocks of
/// keys, sums of BLAS, a fast exponential function (aten/src/ATen/native/cpu/FlashAttentionKernel.cpp, and
/// exp_u20 of its vectors). `mask` is what is added to the scores, of [batch or 1, heads or 1, queries or 1,
/// keys or 1], null: none. Nothing where PyTorch would not take that kernel (other dtypes or ranks than
/// float32 of 4 dimensions), or where the precision is not that of the export. Errors: Limit.
[[nodiscard]] core::Result<std::optional<ReferenceTensor>> torchAttention(
    Calls& calls, const ReferenceTensor& query, const ReferenceTensor& key, const ReferenceTensor& value,
    const ReferenceTensor* mask, bool isCausal, double scale);

}  // namespace et::backends::reference
