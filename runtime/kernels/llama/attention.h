#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>
#include <optional>

namespace et::kernels::llama {

/// int8 numbers that stand for floats: a scale and a zero point for each position and head, sizes as the
/// tensor's with a last one of 1.
struct HeadParameters {
    const Tensor* zeroPoints = nullptr;
    const Tensor* scales = nullptr;
};

/// Softmax(query * keys * scale + mask) * values, as extension/llm/custom_ops of ExecuTorch defines it.
/// Tensors are [batch, positions, heads, depth], or [batch, heads, positions, depth]; keys and values may
/// have fewer heads, which several heads of the query share, and more positions than are used: those that the
/// mask has, else `startPos` and those of the query.
struct Attention {
    const Tensor& query;
    const Tensor& key;
    const Tensor& value;
    std::int64_t startPos;  ///< of the query among the keys
    const Tensor*
        mask;     ///< null, or [query's positions, keys]: added (floats), or whether a key counts (bool)
    bool causal;  ///< a position of the query takes no keys behind it; not together with a mask
    std::optional<double> scale;   ///< default: 1 / sqrt(depth)
    bool positionsAtDim2 = false;  ///< the order of dimensions
    HeadParameters queryParameters{};
    HeadParameters keyParameters{};
    HeadParameters valueParameters{};
};

/// `out` gets the sizes of the query. Floating dtypes but float64, or int8 with parameters; computes in
/// float. A position without any key gives 0. Errors: InvalidArgument (shapes, dtypes, a position out of
/// range), Unsupported, Limit.
[[nodiscard]] core::Result<> attend(KernelContext& context, const Attention& attention, Tensor& out);

}  // namespace et::kernels::llama
