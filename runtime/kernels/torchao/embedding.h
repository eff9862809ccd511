#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>

// Embeddings with packed low-bit weights. Indices are int32 or int64 [n], `out` is float32 [n, depth].
// Errors: InvalidArgument (dtypes, sizes, another header, an index out of range), Unsupported, Limit.
namespace et::kernels::torchao {

/// Arguments of torchao::_embedding_Nbit.out.
struct LowBitEmbedding {
    const Tensor& packed;  ///< a header (magic number, 2, 1, bits, 32, 128), then a row per embedding
    std::int64_t rows;
    std::int64_t depth;
    const Tensor& scales;      ///< float32 [rows, groups]
    const Tensor& zeroPoints;  ///< int8, likewise
};
[[nodiscard]] core::Result<> embedLowBits(KernelContext& context, int bits, const LowBitEmbedding& embedding,
                                          const Tensor& indices, Tensor& out);

/// torchao::_shared_embedding_Nbit.out: rows of the packed weights of a linear layer.
[[nodiscard]] core::Result<> embedShared(KernelContext& context, int bits, const Tensor& packedWeights,
                                         std::int64_t groupSize, std::int64_t rows, std::int64_t depth,
                                         const Tensor& indices, Tensor& out);

}  // namespace et::kernels::torchao
