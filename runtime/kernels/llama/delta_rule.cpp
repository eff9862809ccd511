#include "runtime/kernels/llama/delta_rule.h"

#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace et::kernels::llama {
namespace {

struct RuleExtents {
    std::size_t heads;  ///< heads of all batches
    std::size_t tokens;
    std::size_t keys;
    std::size_t values;
};

core::Result<> check(const Tensor& tensor, const Sizes& sizes) {
    if (tensor.dtype() != ScalarType::Float || tensor.sizes() != sizes || !tensor.isContiguous()) {
        return invalid(fmt::format("expected a row-major tensor float32 {}, got {}", core::sizesText(sizes),
                                   core::describe(tensor)));
    }
    return {};
}

core::Result<RuleExtents> computeExtents(const Tensor& query, const Tensor& key, const Tensor& value,
                                         const Tensor& beta, const Tensor& state) {
    if (query.dim() != 4 || value.dim() != 4) {
        return invalid(fmt::format("expected a query and values of 4 dimensions, got {} and {}",
                                   core::sizesText(query.sizes()), core::sizesText(value.sizes())));
    }
    const std::int64_t batch = query.size(0);
    const std::int64_t heads = query.size(1);
    const std::int64_t tokens = query.size(2);
    ET_TRY(check(query, query.sizes()));
    ET_TRY(check(key, query.sizes()));
    ET_TRY(check(value, {batch, heads, tokens, value.size(3)}));
    ET_TRY(check(beta, {batch, heads, tokens}));
    ET_TRY(check(state, {batch, heads, query.size(3), value.size(3)}));
    return RuleExtents{.heads = static_cast<std::size_t>(batch * heads),
                       .tokens = static_cast<std::size_t>(tokens),
                       .keys = static_cast<std::size_t>(query.size(3)),
                       .values = static_cast<std::size_t>(value.size(3))};
}

/// One token of one head.
struct Token {
    const float* query;
    const float* key;
    const float* value;
    float beta;
    float* out;
};

/// `decayOf(k)`: decay factor of row k of the state.
template <class DecayOf>
void learn(const Token& token, const RuleExtents& extents, DecayOf decayOf, float* state,
           std::span<float> change) {
    std::ranges::fill(change, 0.0F);
    for (std::size_t k = 0; k < extents.keys; ++k) {
        float* row = state + k * extents.values;
        const float decay = decayOf(k);
        for (std::size_t v = 0; v < extents.values; ++v) {
            row[v] *= decay;
            change[v] += row[v] * token.key[k];
        }
    }
    for (std::size_t v = 0; v < extents.values; ++v) {
        change[v] = (token.value[v] - change[v]) * token.beta;
        token.out[v] = 0;
    }
    for (std::size_t k = 0; k < extents.keys; ++k) {
        float* row = state + k * extents.values;
        for (std::size_t v = 0; v < extents.values; ++v) {
            row[v] += token.key[k] * change[v];
            token.out[v] += row[v] * token.query[k];
        }
    }
}

/// `decayOf(token, k)`: `token` is counted over all heads.
template <class DecayOf>
core::Result<> run(KernelContext& context, const RuleExtents& extents, const Tensor& query, const Tensor& key,
                   const Tensor& value, const Tensor& beta, DecayOf decayOf, Tensor& state, Tensor& out) {
    if (value.numel() == 0) {
        return {};
    }
    ET_ASSIGN(const auto changes, context.scratch<float>(extents.heads * extents.values));
    context.threads().parallelFor(extents.heads, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t head = begin; head < end; ++head) {
            float* headState = state.mutableData<float>() + head * extents.keys * extents.values;
            for (std::size_t t = head * extents.tokens; t < (head + 1) * extents.tokens; ++t) {
                const Token token{.query = query.data<float>() + t * extents.keys,
                                  .key = key.data<float>() + t * extents.keys,
                                  .value = value.data<float>() + t * extents.values,
                                  .beta = beta.data<float>()[t],
                                  .out = out.mutableData<float>() + t * extents.values};
                learn(
                    token, extents, [&](std::size_t k) { return decayOf(t, k); }, headState,
                    changes.subspan(head * extents.values, extents.values));
            }
        }
    });
    return {};
}

}  // namespace

core::Result<> recurrentDeltaRule(KernelContext& context, const Tensor& query, const Tensor& key,
                                  const Tensor& value, const Tensor& logDecay, const Tensor& beta,
                                  Tensor& state, Tensor& out) {
    ET_ASSIGN(const RuleExtents extents, computeExtents(query, key, value, beta, state));
    ET_TRY(check(logDecay, beta.sizes()));
    ET_TRY(out.resize(value.sizes()));
    ET_TRY(check(out, value.sizes()));
    ET_ASSIGN(const auto decay, context.scratch<float>(extents.heads * extents.tokens));
    std::ranges::transform(std::span(logDecay.data<float>(), decay.size()), decay.begin(),
                           [](float number) { return std::exp(number); });
    return run(
        context, extents, query, key, value, beta, [&](std::size_t t, std::size_t) { return decay[t]; },
        state, out);
}

core::Result<> channelwiseDeltaRule(KernelContext& context, const Tensor& query, const Tensor& key,
                                    const Tensor& value, const Tensor& decay, const Tensor& beta,
                                    const Tensor& initialState, Tensor& out, Tensor& finalState) {
    ET_ASSIGN(const RuleExtents extents, computeExtents(query, key, value, beta, initialState));
    ET_TRY(check(decay, query.sizes()));
    ET_TRY(out.resize(value.sizes()));
    ET_TRY(check(out, value.sizes()));
    ET_TRY(finalState.resize(initialState.sizes()));
    ET_TRY(check(finalState, initialState.sizes()));
    if (initialState.bytes() != 0) {
        std::memmove(finalState.raw(), initialState.raw(), initialState.bytes());
    }
    const auto* decays = decay.data<float>();
    return run(
        context, extents, query, key, value, beta,
        [&](std::size_t t, std::size_t k) { return decays[t * extents.keys + k]; }, finalState, out);
}

}  // namespace et::kernels::llama
