#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>
#include <optional>

namespace et::kernels::llama {

/// Quantization parameters of int8 keys and values: a scale and a zero point per position and head. Sizes are
/// those of the tensor, with a last size of 1.
struct HeadParameters {
    const Tensor* zeroPoints = nullptr;
    const Tensor* scales = nullptr;
};

/// Softmax(query * keys * scale + mask) * values, as defined by extension/llm/custom_ops of ExecuTorch.
/// Tensors are [batch, positions, heads, depth], or [batch, heads, positions, depth]. Keys and values may
/// have fewer heads, each shared by several query heads, and more positions than are used: the number used is
/// that of the mask, otherwise `startPos` plus the positions of the query.
struct Attention {
    const Tensor& query;
    const Tensor& key;
    const Tensor& value;
    std::int64_t startPos;  ///< position of the query among the keys
    const Tensor*
        mask;  ///< may be null; [query's positions, keys]: addends (float), or whether a key is used (bool)
    bool causal;                   ///< a query position ignores later keys; not combined with a mask
    std::optional<double> scale;   ///< default: 1 / sqrt(depth)
    bool positionsAtDim2 = false;  ///< tensors are [batch, heads, positions, depth]
    HeadParameters queryParameters{};
    HeadParameters keyParameters{};
    HeadParameters valueParameters{};
};

/// Resizes `out` to the sizes of the query. Floating dtypes except float64, or int8 with parameters; computes
/// in float. A position without any key yields 0. Errors: InvalidArgument (shapes, dtypes, a position out of
/// range), Unsupported, Limit.
[[nodiscard]] core::Result<> attend(KernelContext& context, const Attention& attention, Tensor& out);

}  // namespace et::kernels::llama
