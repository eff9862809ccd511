#pragma once

#include "runtime/kernels/boxing.h"

namespace et::kernels::llama {

/// Linear attention with a gated state [batch, heads, k, v] (https://arxiv.org/abs/2412.06464), token by
/// token: S = decay * S, S += key x beta (value - S^T key), out = S^T query. All float32 and row-major; key
/// is [batch, heads, tokens, k], value [batch, heads, tokens, v], beta [batch, heads, tokens]. Errors:
/// InvalidArgument (shapes, dtypes, dim orders), Limit.

/// llama::recurrent_gated_delta_rule.out: query has the sizes of key and `out` those of value; decay is
/// exp(logDecay), [batch, heads, tokens]; `state` is updated in place.
[[nodiscard]] core::Result<> recurrentDeltaRule(KernelContext& context, const Tensor& query,
                                                const Tensor& key, const Tensor& value,
                                                const Tensor& logDecay, const Tensor& beta, Tensor& state,
                                                Tensor& out);

/// llama::gated_delta_rule.out: decay is [batch, heads, tokens, k], one factor per row of the state, or
/// [batch, heads, tokens]. Query is [batch, query heads, tokens, k] and `out` [batch, query heads, tokens,
/// v]: consecutive query heads share a state.
[[nodiscard]] core::Result<> gatedDeltaRule(KernelContext& context, const Tensor& query, const Tensor& key,
                                            const Tensor& value, const Tensor& decay, const Tensor& beta,
                                            const Tensor& initialState, Tensor& out, Tensor& finalState);

}  // namespace et::kernels::llama
