#include "runtime/kernels/llama/delta_rule_simd.h"

#include "runtime/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/llama/delta_rule_simd.cpp"
// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace et::kernels::llama::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

constexpr std::size_t maxVectors = 2;

std::size_t columnsTogether(std::size_t values) {
    const std::size_t lanes = hn::Lanes(D());
    return values > lanes ? maxVectors * lanes : lanes;
}

/// The block of the state, padded with zeros to whole vectors.
template <std::size_t vectors>
struct StateBlock {
    const DeltaRuleColumns& of;
    const std::size_t lanes = hn::Lanes(D());

    /// Number of columns of a vector that exist.
    HWY_INLINE std::size_t valid(std::size_t vector) const {
        const std::size_t first = vector * lanes;
        return first < of.columns ? HWY_MIN(lanes, of.columns - first) : 0;
    }
    HWY_INLINE float* at(std::size_t key, std::size_t vector) const {
        return of.block + (key * vectors + vector) * lanes;
    }
    HWY_INLINE V loadValid(const float* from, std::size_t vector) const {
        const std::size_t count = valid(vector);
        return count == lanes ? hn::LoadU(D(), from + vector * lanes)
               : count == 0   ? hn::Zero(D())
                              : hn::LoadN(D(), from + vector * lanes, count);
    }
    HWY_INLINE void storeValid(V numbers, float* to, std::size_t vector) const {
        const std::size_t count = valid(vector);
        if (count == lanes) {
            hn::StoreU(numbers, D(), to + vector * lanes);
        } else if (count != 0) {
            hn::StoreN(numbers, D(), to + vector * lanes, count);
        }
    }

    void load() const {
        for (std::size_t k = 0; k < of.keys; ++k) {
            for (std::size_t v = 0; v < vectors; ++v) {
                hn::StoreU(loadValid(of.initial + k * of.values, v), D(), at(k, v));
            }
        }
    }
    void store() const {
        for (std::size_t k = 0; k < of.keys; ++k) {
            for (std::size_t v = 0; v < vectors; ++v) {
                storeValid(hn::LoadU(D(), at(k, v)), of.last + k * of.values, v);
            }
        }
    }
};

/// Decays the state for the first token. Returns the values that it predicts for the token's key.
template <std::size_t vectors>
HWY_INLINE void decayFirst(const DeltaRuleColumns& of, const StateBlock<vectors>& state, V* predicted) {
    const D d;
    for (std::size_t v = 0; v < vectors; ++v) {
        predicted[v] = hn::Zero(d);
    }
    for (std::size_t k = 0; k < of.keys; ++k) {
        const V decay = hn::Set(d, of.decay[k * of.decayStep]);
        const V key = hn::Set(d, of.key[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            const V decayed = hn::Mul(hn::LoadU(d, state.at(k, v)), decay);
            hn::StoreU(decayed, d, state.at(k, v));
            predicted[v] = hn::MulAdd(decayed, key, predicted[v]);
        }
    }
}

/// Adds the change of token t to the state and computes the outputs. Unless it is the last, also decays the
/// state for the next token, so the state is read once per token.
template <std::size_t vectors, std::size_t heads, bool isLast>
HWY_INLINE void advanceToken(const DeltaRuleColumns& of, const StateBlock<vectors>& state, std::size_t t,
                             V* predicted) {
    const D d;
    V change[vectors];
    V next[vectors];
    V out[heads][vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        const V value = state.loadValid(of.value + t * of.values, v);
        change[v] = hn::Mul(hn::Sub(value, predicted[v]), hn::Set(d, of.beta[t]));
        next[v] = hn::Zero(d);
        for (std::size_t head = 0; head < heads; ++head) {
            out[head][v] = hn::Zero(d);
        }
    }
    const float* key = of.key + t * of.keys;
    const float* query = of.query + t * of.keys;
    const float* decay = of.decay + (t + 1) * (of.decayStep == 0 ? 1 : of.keys);
    for (std::size_t k = 0; k < of.keys; ++k) {
        const V factor = hn::Set(d, key[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            const V changed = hn::MulAdd(factor, change[v], hn::LoadU(d, state.at(k, v)));
            for (std::size_t head = 0; head < heads; ++head) {
                out[head][v] =
                    hn::MulAdd(changed, hn::Set(d, query[head * of.tokens * of.keys + k]), out[head][v]);
            }
            if constexpr (isLast) {
                hn::StoreU(changed, d, state.at(k, v));
            } else {
                const V decayed = hn::Mul(changed, hn::Set(d, decay[k * of.decayStep]));
                hn::StoreU(decayed, d, state.at(k, v));
                next[v] = hn::MulAdd(decayed, hn::Set(d, key[of.keys + k]), next[v]);
            }
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        predicted[v] = next[v];
        for (std::size_t head = 0; head < heads; ++head) {
            state.storeValid(out[head][v], of.out + (head * of.tokens + t) * of.values, v);
        }
    }
}

/// Advances by one token: reads the state twice and writes it once, in place.
template <std::size_t vectors, std::size_t heads>
void advanceOnce(const DeltaRuleColumns& of) {
    const D d;
    const StateBlock<vectors> state{of};
    V predicted[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        predicted[v] = hn::Zero(d);
    }
    for (std::size_t k = 0; k < of.keys; ++k) {
        const V factor = hn::Set(d, of.decay[k * of.decayStep] * of.key[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            predicted[v] = hn::MulAdd(state.loadValid(of.initial + k * of.values, v), factor, predicted[v]);
        }
    }
    V change[vectors];
    V out[heads][vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        change[v] = hn::Mul(hn::Sub(state.loadValid(of.value, v), predicted[v]), hn::Set(d, of.beta[0]));
        for (std::size_t head = 0; head < heads; ++head) {
            out[head][v] = hn::Zero(d);
        }
    }
    for (std::size_t k = 0; k < of.keys; ++k) {
        const V decay = hn::Set(d, of.decay[k * of.decayStep]);
        const V key = hn::Set(d, of.key[k]);
        for (std::size_t v = 0; v < vectors; ++v) {
            const V decayed = hn::Mul(state.loadValid(of.initial + k * of.values, v), decay);
            const V changed = hn::MulAdd(key, change[v], decayed);
            if (of.last != nullptr) {
                state.storeValid(changed, of.last + k * of.values, v);
            }
            for (std::size_t head = 0; head < heads; ++head) {
                out[head][v] = hn::MulAdd(changed, hn::Set(d, of.query[head * of.keys + k]), out[head][v]);
            }
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        for (std::size_t head = 0; head < heads; ++head) {
            state.storeValid(out[head][v], of.out + head * of.values, v);
        }
    }
}

template <std::size_t vectors, std::size_t heads>
void advance(const DeltaRuleColumns& of) {
    if (of.tokens == 1) {
        advanceOnce<vectors, heads>(of);
        return;
    }
    const StateBlock<vectors> state{of};
    state.load();
    if (of.tokens > 0) {
        V predicted[vectors];
        decayFirst<vectors>(of, state, predicted);
        for (std::size_t t = 0; t + 1 < of.tokens; ++t) {
            advanceToken<vectors, heads, false>(of, state, t, predicted);
        }
        advanceToken<vectors, heads, true>(of, state, of.tokens - 1, predicted);
    }
    if (of.last != nullptr) {
        state.store();
    }
}

template <std::size_t vectors>
void advanceHeads(const DeltaRuleColumns& of) {
    switch (of.queryHeads) {
        case 1:
            return advance<vectors, 1>(of);
        case 2:
            return advance<vectors, 2>(of);
        case 3:
            return advance<vectors, 3>(of);
        default:
            return advance<vectors, maxQueryHeads>(of);
    }
}

void advanceAll(const DeltaRuleColumns& of) {
    if (of.values > hn::Lanes(D())) {
        advanceHeads<maxVectors>(of);
    } else {
        advanceHeads<1>(of);
    }
}

}  // namespace
}  // namespace et::kernels::llama::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::llama {

HWY_EXPORT(columnsTogether);
HWY_EXPORT(advanceAll);

std::size_t deltaRuleColumns(std::size_t values) {
    return HWY_DYNAMIC_DISPATCH(columnsTogether)(values);
}

void advanceColumns(const DeltaRuleColumns& columns) {
    HWY_DYNAMIC_DISPATCH(advanceAll)(columns);
}

}  // namespace et::kernels::llama
#endif
