#include "runtime/kernels/llama/attention_simd.h"

#include "runtime/kernels/simd_targets.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/llama/attention_simd.cpp"
// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace et::kernels::llama::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// Computes the products with `rows` keys at once, so the query is loaded once for all of them.
template <std::size_t rows>
HWY_INLINE void scoreRows(const float* HWY_RESTRICT query, const float* keys, std::ptrdiff_t stride,
                          std::size_t depth, float* scores) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    V sums[rows];
    for (std::size_t row = 0; row < rows; ++row) {
        sums[row] = hn::Zero(d);
    }
    std::size_t i = 0;
    for (; i + lanes <= depth; i += lanes) {
        const V factor = hn::LoadU(d, query + i);
        for (std::size_t row = 0; row < rows; ++row) {
            const float* key = keys + static_cast<std::ptrdiff_t>(row) * stride;
            sums[row] = hn::MulAdd(factor, hn::LoadU(d, key + i), sums[row]);
        }
    }
    if (i < depth) {
        const V factor = hn::LoadN(d, query + i, depth - i);
        for (std::size_t row = 0; row < rows; ++row) {
            const float* key = keys + static_cast<std::ptrdiff_t>(row) * stride;
            sums[row] = hn::MulAdd(factor, hn::LoadN(d, key + i, depth - i), sums[row]);
        }
    }
    for (std::size_t row = 0; row < rows; ++row) {
        scores[row] = hn::ReduceSum(d, sums[row]);
    }
}

void scoreAll(const float* query, const float* keys, std::ptrdiff_t stride, std::size_t count,
              std::size_t depth, float* scores) {
    constexpr std::size_t together = 4;
    std::size_t j = 0;
    for (; j + together <= count; j += together) {
        scoreRows<together>(query, keys + static_cast<std::ptrdiff_t>(j) * stride, stride, depth, scores + j);
    }
    for (; j < count; ++j) {
        scoreRows<1>(query, keys + static_cast<std::ptrdiff_t>(j) * stride, stride, depth, scores + j);
    }
}

float scaleAll(float* scores, std::size_t count, float scale, const float* mask) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    const V scales = hn::Set(d, scale);
    const V lowest = hn::Set(d, -std::numeric_limits<float>::infinity());
    V max = lowest;
    auto nan = hn::MaskFalse(d);
    for (std::size_t i = 0; i < count; i += lanes) {
        const std::size_t valid = HWY_MIN(lanes, count - i);
        V scaled = hn::Mul(hn::LoadN(d, scores + i, valid), scales);
        if (mask != nullptr) {
            scaled = hn::Add(scaled, hn::LoadN(d, mask + i, valid));
        }
        hn::StoreN(scaled, d, scores + i, valid);
        const V counted = hn::IfThenElse(hn::FirstN(d, valid), scaled, lowest);
        const auto isNan = hn::IsNaN(counted);
        nan = hn::Or(nan, isNan);
        max = hn::Max(max, hn::IfThenElse(isNan, lowest, counted));
    }
    return hn::AllFalse(d, nan) ? hn::ReduceMax(d, max) : std::numeric_limits<float>::quiet_NaN();
}

float exponentiateAll(float* scores, std::size_t count, float max) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    const V shift = hn::Set(d, max);
    V sum = hn::Zero(d);
    for (std::size_t i = 0; i < count; i += lanes) {
        const std::size_t valid = HWY_MIN(lanes, count - i);
        const V power = hn::Sub(hn::LoadN(d, scores + i, valid), shift);
        // hn::Exp() does not propagate NaN.
        const V result = hn::IfThenElse(hn::IsNaN(power), power, hn::Exp(d, power));
        hn::StoreN(result, d, scores + i, valid);
        sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(d, valid), result));
    }
    return hn::ReduceSum(d, sum);
}

/// Updates `vectors` whole vectors of the sums, which stay in registers.
template <std::size_t vectors>
HWY_INLINE void mixVectors(const float* weights, const float* values, std::ptrdiff_t stride,
                           std::size_t count, float factor, float* sums) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    V mixed[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        mixed[v] = factor == 0 ? hn::Zero(d) : hn::Mul(hn::LoadU(d, sums + v * lanes), hn::Set(d, factor));
    }
    for (std::size_t j = 0; j < count; ++j) {
        const float* value = values + static_cast<std::ptrdiff_t>(j) * stride;
        const V weight = hn::Set(d, weights[j]);
        for (std::size_t v = 0; v < vectors; ++v) {
            mixed[v] = hn::MulAdd(weight, hn::LoadU(d, value + v * lanes), mixed[v]);
        }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(mixed[v], d, sums + v * lanes);
    }
}

void mixAll(const float* weights, const float* values, std::ptrdiff_t stride, std::size_t count,
            std::size_t depth, float factor, float* sums) {
    constexpr std::size_t together = 4;
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + together * lanes <= depth; i += together * lanes) {
        mixVectors<together>(weights, values + i, stride, count, factor, sums + i);
    }
    for (; i + lanes <= depth; i += lanes) {
        mixVectors<1>(weights, values + i, stride, count, factor, sums + i);
    }
    if (i < depth) {
        const std::size_t valid = depth - i;
        V mixed = factor == 0 ? hn::Zero(d) : hn::Mul(hn::LoadN(d, sums + i, valid), hn::Set(d, factor));
        for (std::size_t j = 0; j < count; ++j) {
            const float* value = values + static_cast<std::ptrdiff_t>(j) * stride + i;
            mixed = hn::MulAdd(hn::Set(d, weights[j]), hn::LoadN(d, value, valid), mixed);
        }
        hn::StoreN(mixed, d, sums + i, valid);
    }
}

}  // namespace
}  // namespace et::kernels::llama::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::llama {

HWY_EXPORT(scoreAll);
HWY_EXPORT(scaleAll);
HWY_EXPORT(exponentiateAll);
HWY_EXPORT(mixAll);

void score(const float* query, const float* keys, std::ptrdiff_t stride, std::size_t count, std::size_t depth,
           float* scores) {
    HWY_DYNAMIC_DISPATCH(scoreAll)(query, keys, stride, count, depth, scores);
}

float scaleScores(float* scores, std::size_t count, float scale, const float* mask) {
    return HWY_DYNAMIC_DISPATCH(scaleAll)(scores, count, scale, mask);
}

float exponentiate(float* scores, std::size_t count, float max) {
    return HWY_DYNAMIC_DISPATCH(exponentiateAll)(scores, count, max);
}

void mix(const float* weights, const float* values, std::ptrdiff_t stride, std::size_t count,
         std::size_t depth, float factor, float* sums) {
    HWY_DYNAMIC_DISPATCH(mixAll)(weights, values, stride, count, depth, factor, sums);
}

}  // namespace et::kernels::llama
#endif
