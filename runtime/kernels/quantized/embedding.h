#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>
#include <optional>

namespace et::kernels::quantized {

/// The stored weight of an embedding: `bits` per element, 8 (int8 or uint8), 4 or 2 (packed in uint8).
struct QuantizedEmbedding {
    const Tensor& weight;      ///< [rows, elements of a row * bits / 8]
    const Tensor& scales;      ///< [rows] or [rows, groups]
    const Tensor* zeroPoints;  ///< may be null; shape as `scales`
    int bits;
};

/// Writes the dequantized rows given by `indices` (int64 or int32) to `out` [indices..., elements of a row].
/// All row-major. Errors: InvalidArgument (shapes, dtypes, an index out of range), Unsupported.
[[nodiscard]] core::Result<> embed(KernelContext& context, const QuantizedEmbedding& embedding,
                                   const Tensor& indices, std::optional<ScalarType> dtype, Tensor& out);

}  // namespace et::kernels::quantized
