#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>
#include <string_view>

namespace et::kernels::torchao {

/// Arguments of llama::quantized_moe_ffn.out: a router, and experts that are feed-forward networks with
/// packed weights. Definition: extension/llm/custom_ops/op_moe.h of ExecuTorch.
struct Experts {
    const Tensor& x;           ///< float32 [tokens, dim]
    const Tensor& gateWeight;  ///< float32 [experts, dim]
    const Tensor& expertBias;  ///< float32 [experts], added to choose experts; or empty
    const Tensor& packedUp;    ///< packed_w13: uint8 [experts, bytes]: weights [2 hidden, dim]
    const Tensor& packedDown;  ///< packed_w2: likewise, [dim, hidden]
    std::int64_t chosen;       ///< experts per token
    std::int64_t count;
    std::int64_t hidden;
    std::int64_t dim;
    std::int64_t groupSize;
    std::int64_t bits;         ///< 4 or 8
    std::string_view scoring;  ///< "sigmoid" or "softmax"
    double routeScale;         ///< factor of the weights of experts with "sigmoid"
};

/// out = the sum over the chosen experts of weight * down(silu(up) * gate), in float32. Errors:
/// InvalidArgument (names the argument), Unsupported, Limit.
[[nodiscard]] core::Result<> runExperts(KernelContext& context, const Experts& experts, Tensor& out);

}  // namespace et::kernels::torchao
