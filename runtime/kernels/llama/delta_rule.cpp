#include "runtime/kernels/llama/delta_rule.h"

#include "runtime/kernels/llama/delta_rule_simd.h"
#include "runtime/kernels/tensor_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace et::kernels::llama {
namespace {

struct DeltaRule {
    const Tensor& query;
    const Tensor& key;
    const Tensor& value;
    const Tensor& beta;
    const Tensor& state;
    std::string_view stateName = "initial_state";
};

core::Result<> check(const DeltaRule& rule) {
    ET_TRY(expectRank("query", rule.query, ScalarType::Float, 4));
    ET_TRY(expectRank("key", rule.key, ScalarType::Float, 4));
    ET_TRY(expectRank("value", rule.value, ScalarType::Float, 4));
    const std::int64_t batch = rule.key.size(0);
    const std::int64_t heads = rule.key.size(1);
    const std::int64_t tokens = rule.key.size(2);
    const std::int64_t keys = rule.key.size(3);
    if (heads == 0 || rule.query.size(1) == 0 || rule.query.size(1) % heads != 0) {
        return invalid(fmt::format("query: expected a multiple of the {} heads of key, got {}", heads,
                                   rule.query.size(1)));
    }
    ET_TRY(expectTensor("query", rule.query, ScalarType::Float, {batch, rule.query.size(1), tokens, keys}));
    ET_TRY(expectTensor("value", rule.value, ScalarType::Float, {batch, heads, tokens, rule.value.size(3)}));
    ET_TRY(expectTensor("beta", rule.beta, ScalarType::Float, {batch, heads, tokens}));
    return expectTensor(rule.stateName, rule.state, ScalarType::Float,
                        {batch, heads, keys, rule.value.size(3)});
}

core::Result<> checkDecay(const Tensor& decay, const Tensor& key) {
    const auto sizes = std::span<const std::int64_t>(key.sizes());
    return expectTensor("decay", decay, ScalarType::Float, decay.dim() == 3 ? sizes.first(3) : sizes);
}

/// `decay`: a factor per token, or per token and key.
core::Result<> advanceStates(KernelContext& context, const DeltaRule& rule, const float* decay,
                             bool isDecayPerKey, Tensor& finalState, Tensor& out) {
    const auto heads = static_cast<std::size_t>(rule.key.size(0) * rule.key.size(1));
    const auto tokens = static_cast<std::size_t>(rule.key.size(2));
    const auto keys = static_cast<std::size_t>(rule.key.size(3));
    const auto values = static_cast<std::size_t>(rule.value.size(3));
    if (out.numel() == 0 && finalState.numel() == 0) {
        return {};
    }
    const auto shared = static_cast<std::size_t>(rule.query.size(1) / rule.key.size(1));
    const std::size_t columns = deltaRuleColumns(values);
    const std::size_t blocks = (values + columns - 1) / columns;
    const std::size_t parts = tokens == 0 ? 1 : (shared + maxQueryHeads - 1) / maxQueryHeads;
    const std::size_t items = heads * parts * blocks;
    ET_ASSIGN(const auto memory, context.scratch<float>(items * keys * columns));
    context.threads().parallelFor(items, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t item = begin; item < end; ++item) {
            const std::size_t head = item / (parts * blocks);
            const std::size_t part = item / blocks % parts;
            const std::size_t first = item % blocks * columns;
            const std::size_t queryHead = head * shared + part * maxQueryHeads;
            const std::size_t stateStart = head * keys * values + first;
            advanceColumns({.tokens = tokens,
                            .keys = keys,
                            .values = values,
                            .columns = std::min(columns, values - first),
                            .queryHeads = std::min(maxQueryHeads, shared - part * maxQueryHeads),
                            .query = rule.query.data<float>() + queryHead * tokens * keys,
                            .key = rule.key.data<float>() + head * tokens * keys,
                            .value = rule.value.data<float>() + head * tokens * values + first,
                            .decay = decay + head * tokens * (isDecayPerKey ? keys : 1),
                            .decayStep = isDecayPerKey ? 1U : 0U,
                            .beta = rule.beta.data<float>() + head * tokens,
                            .initial = rule.state.data<float>() + stateStart,
                            .last = part == 0 ? finalState.mutableData<float>() + stateStart : nullptr,
                            .out = out.mutableData<float>() + queryHead * tokens * values + first,
                            .block = memory.data() + item * keys * columns});
        }
    });
    return {};
}

}  // namespace

core::Result<> recurrentDeltaRule(KernelContext& context, const Tensor& query, const Tensor& key,
                                  const Tensor& value, const Tensor& logDecay, const Tensor& beta,
                                  Tensor& state, Tensor& out) {
    const DeltaRule rule{.query = query,
                         .key = key,
                         .value = value,
                         .beta = beta,
                         .state = state,
                         .stateName = "recurrent_state"};
    ET_TRY(check(rule));
    ET_TRY(expectTensor("query", query, ScalarType::Float, key.sizes()));
    ET_TRY(expectTensor("g", logDecay, ScalarType::Float, beta.sizes()));
    ET_TRY(resizeResult(out, ScalarType::Float, value.sizes()));
    ET_ASSIGN(const auto decay, context.scratch<float>(static_cast<std::size_t>(logDecay.numel())));
    std::ranges::transform(std::span(logDecay.data<float>(), decay.size()), decay.begin(),
                           [](float number) { return std::exp(number); });
    return advanceStates(context, rule, decay.data(), false, state, out);
}

core::Result<> gatedDeltaRule(KernelContext& context, const Tensor& query, const Tensor& key,
                              const Tensor& value, const Tensor& decay, const Tensor& beta,
                              const Tensor& initialState, Tensor& out, Tensor& finalState) {
    const DeltaRule rule{.query = query, .key = key, .value = value, .beta = beta, .state = initialState};
    ET_TRY(check(rule));
    ET_TRY(checkDecay(decay, key));
    ET_TRY(
        resizeResult(out, ScalarType::Float, {query.size(0), query.size(1), query.size(2), value.size(3)}));
    ET_TRY(resizeResult(finalState, ScalarType::Float, initialState.sizes()));
    return advanceStates(context, rule, decay.data<float>(), decay.dim() == 4, finalState, out);
}

}  // namespace et::kernels::llama
