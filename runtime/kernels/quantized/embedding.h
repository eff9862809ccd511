#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>
#include <optional>

namespace et::kernels::quantized {

/// The weight of an embedding as it is stored: `bits` a number, 8 (int8 or uint8), 4 or 2 (packed in uint8).
struct QuantizedEmbedding {
    const Tensor& weight;      ///< [rows, numbers of a row * bits / 8]
    const Tensor& scales;      ///< [rows] or [rows, groups]
    const Tensor* zeroPoints;  ///< null, or as `scales`
    int bits;
};

/// `out` [indices..., numbers of a row] gets the rows that `indices` (int64 or int32) name, dequantized. All
/// row-major. Errors: InvalidArgument (shapes, dtypes, an index out of range), Unsupported.
[[nodiscard]] core::Result<> embed(KernelContext& context, const QuantizedEmbedding& embedding,
                                   const Tensor& indices, std::optional<ScalarType> dtype, Tensor& out);

}  // namespace et::kernels::quantized
