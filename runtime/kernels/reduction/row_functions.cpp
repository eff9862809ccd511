#include "runtime/kernels/reduction/row_functions.h"

#include "runtime/kernels/simd_targets.h"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/reduction/row_functions.cpp"
#include <hwy/foreach_target.h>
// These two must follow foreach_target.h, which re-includes this file for every instruction set.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace et::kernels::reduction::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums a row in four independent chains: `step(v, chain)` adds a vector's contribution to a chain. A partial
/// vector is filled with `padding`, which contributes 0.
template <class T, class Step>
HWY_INLINE T sumRow(const T* HWY_RESTRICT x, std::size_t count, T padding, Step step) {
    const hn::ScalableTag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    auto a0 = hn::Zero(d);
    auto a1 = a0;
    auto a2 = a0;
    auto a3 = a0;
    std::size_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        a0 = step(hn::LoadU(d, x + i), a0);
        a1 = step(hn::LoadU(d, x + i + lanes), a1);
        a2 = step(hn::LoadU(d, x + i + 2 * lanes), a2);
        a3 = step(hn::LoadU(d, x + i + 3 * lanes), a3);
    }
    for (; i + lanes <= count; i += lanes) {
        a0 = step(hn::LoadU(d, x + i), a0);
    }
    if (i < count) {
        a1 = step(hn::LoadNOr(hn::Set(d, padding), d, x + i, count - i), a1);
    }
    return hn::ReduceSum(d, hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)));
}

/// y = function(x, index) for a row; `function` receives vectors, the last one filled with zeros.
template <class T, class Function>
HWY_INLINE void transformRow(const T* x, std::size_t count, T* y, Function function) {
    const hn::ScalableTag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(function(hn::LoadU(d, x + i), i, lanes), d, y + i);
    }
    if (i < count) {
        hn::StoreN(function(hn::LoadN(d, x + i, count - i), i, count - i), d, y + i, count - i);
    }
}

template <class T>
T sum(const T* x, std::size_t count) {
    return sumRow<T>(x, count, T{}, [](auto v, auto chain) HWY_ATTR { return hn::Add(chain, v); });
}

template <class T>
T squaredDistance(const T* x, std::size_t count, T center) {
    const auto middle = hn::Set(hn::ScalableTag<T>(), center);
    return sumRow<T>(x, count, center, [middle](auto v, auto chain) HWY_ATTR {
        const auto distance = hn::Sub(v, middle);
        return hn::MulAdd(distance, distance, chain);
    });
}

/// `pick` returns the larger or smaller elements of two vectors without NaN, `fold` that of one vector.
template <class T, class Pick, class Fold>
HWY_INLINE T extreme(const T* HWY_RESTRICT x, std::size_t count, T start, Pick pick, Fold fold) {
    const hn::ScalableTag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    auto a0 = hn::Set(d, start);
    auto a1 = a0;
    auto a2 = a0;
    auto a3 = a0;
    auto nan = hn::MaskFalse(d);
    std::size_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        const auto x0 = hn::LoadU(d, x + i);
        const auto x1 = hn::LoadU(d, x + i + lanes);
        const auto x2 = hn::LoadU(d, x + i + 2 * lanes);
        const auto x3 = hn::LoadU(d, x + i + 3 * lanes);
        nan = hn::Or(nan, hn::Or(hn::Or(hn::IsNaN(x0), hn::IsNaN(x1)), hn::Or(hn::IsNaN(x2), hn::IsNaN(x3))));
        a0 = pick(a0, x0);
        a1 = pick(a1, x1);
        a2 = pick(a2, x2);
        a3 = pick(a3, x3);
    }
    for (; i < count; i += lanes) {
        const auto x0 =
            i + lanes <= count ? hn::LoadU(d, x + i) : hn::LoadNOr(hn::Set(d, start), d, x + i, count - i);
        nan = hn::Or(nan, hn::IsNaN(x0));
        a0 = pick(a0, x0);
    }
    return hn::AllFalse(d, nan) ? fold(pick(pick(a0, a1), pick(a2, a3)))
                                : std::numeric_limits<T>::quiet_NaN();
}

template <class T>
T maximum(const T* x, std::size_t count) {
    return extreme<T>(
        x, count, -std::numeric_limits<T>::infinity(), [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); },
        [](auto a) HWY_ATTR { return hn::ReduceMax(hn::ScalableTag<T>(), a); });
}

template <class T>
T minimum(const T* x, std::size_t count) {
    return extreme<T>(
        x, count, std::numeric_limits<T>::infinity(), [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); },
        [](auto a) HWY_ATTR { return hn::ReduceMin(hn::ScalableTag<T>(), a); });
}

template <class T>
void maximumEach(const T* x, std::size_t count, T* extremes) {
    const hn::ScalableTag<T> d;
    transformRow(x, count, extremes, [d, extremes](auto v, std::size_t i, std::size_t valid) HWY_ATTR {
        const auto best = hn::LoadN(d, extremes + i, valid);
        return hn::IfThenElse(hn::Or(hn::Gt(v, best), hn::IsNaN(v)), v, best);
    });
}

template <class T>
void minimumEach(const T* x, std::size_t count, T* extremes) {
    const hn::ScalableTag<T> d;
    transformRow(x, count, extremes, [d, extremes](auto v, std::size_t i, std::size_t valid) HWY_ATTR {
        const auto best = hn::LoadN(d, extremes + i, valid);
        return hn::IfThenElse(hn::Or(hn::Lt(v, best), hn::IsNaN(v)), v, best);
    });
}

template <class T>
void reciprocalRoots(const T* x, std::size_t count, T addend, T* y) {
    const hn::ScalableTag<T> d;
    const auto one = hn::Set(d, T{1});
    const auto addends = hn::Set(d, addend);
    transformRow(x, count, y, [=](auto v, std::size_t, std::size_t) HWY_ATTR {
        return hn::Div(one, hn::Sqrt(hn::Add(v, addends)));
    });
}

/// Highway's exp returns 0 for NaN.
template <class D, class V>
HWY_INLINE V exponential(D d, V x) {
    return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));
}

template <class T>
T exponentials(const T* x, std::size_t count, T shift, T* y) {
    const hn::ScalableTag<T> d;
    const auto shifts = hn::Set(d, shift);
    auto total = hn::Zero(d);
    transformRow(x, count, y, [d, shifts, &total](auto v, std::size_t, std::size_t valid) HWY_ATTR {
        const auto e = exponential(d, hn::Sub(v, shifts));
        total = hn::Add(total, valid == hn::Lanes(d) ? e : hn::IfThenElseZero(hn::FirstN(d, valid), e));
        return e;
    });
    return hn::ReduceSum(d, total);
}

template <class T>
void exponentialsEach(const T* x, std::size_t count, const T* shifts, T* y, T* sums) {
    const hn::ScalableTag<T> d;
    transformRow(x, count, y, [d, shifts, sums](auto v, std::size_t i, std::size_t valid) HWY_ATTR {
        const auto e = exponential(d, hn::Sub(v, hn::LoadN(d, shifts + i, valid)));
        hn::StoreN(hn::Add(hn::LoadN(d, sums + i, valid), e), d, sums + i, valid);
        return e;
    });
}

template <class T>
void affine(const T* x, std::size_t count, T center, T factor, T addend, T* y) {
    const hn::ScalableTag<T> d;
    const auto centers = hn::Set(d, center);
    const auto factors = hn::Set(d, factor);
    const auto addends = hn::Set(d, addend);
    transformRow(x, count, y, [=](auto v, std::size_t, std::size_t) HWY_ATTR {
        return hn::MulAdd(hn::Sub(v, centers), factors, addends);
    });
}

template <class T>
void affineEach(const T* x, std::size_t count, const T* centers, const T* factors, const T* addends, T* y) {
    const hn::ScalableTag<T> d;
    transformRow(x, count, y, [=](auto v, std::size_t i, std::size_t valid) HWY_ATTR {
        if (valid == hn::Lanes(d)) {
            return hn::MulAdd(hn::Sub(v, hn::LoadU(d, centers + i)), hn::LoadU(d, factors + i),
                              hn::LoadU(d, addends + i));
        }
        return hn::MulAdd(hn::Sub(v, hn::LoadN(d, centers + i, valid)), hn::LoadN(d, factors + i, valid),
                          hn::LoadN(d, addends + i, valid));
    });
}

template <class T>
void affineWeighted(const T* x, std::size_t count, T center, T factor, const T* weights, const T* addends,
                    T* y) {
    const hn::ScalableTag<T> d;
    const auto centers = hn::Set(d, center);
    const auto factors = hn::Set(d, factor);
    transformRow(x, count, y, [=](auto v, std::size_t i, std::size_t valid) HWY_ATTR {
        auto result = hn::Mul(hn::Sub(v, centers), factors);
        if (weights != nullptr) {
            result = hn::Mul(result, hn::LoadN(d, weights + i, valid));
        }
        return addends != nullptr ? hn::Add(result, hn::LoadN(d, addends + i, valid)) : result;
    });
}

template <class T>
constexpr RowFunctions<T> functions{.sum = &sum<T>,
                                    .squaredDistance = &squaredDistance<T>,
                                    .maximum = &maximum<T>,
                                    .minimum = &minimum<T>,
                                    .maximumEach = &maximumEach<T>,
                                    .minimumEach = &minimumEach<T>,
                                    .reciprocalRoots = &reciprocalRoots<T>,
                                    .exponentials = &exponentials<T>,
                                    .exponentialsEach = &exponentialsEach<T>,
                                    .affine = &affine<T>,
                                    .affineEach = &affineEach<T>,
                                    .affineWeighted = &affineWeighted<T>};

const RowFunctions<float>& floatFunctions() {
    return functions<float>;
}

const RowFunctions<double>& doubleFunctions() {
    return functions<double>;
}

}  // namespace et::kernels::reduction::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::reduction {

HWY_EXPORT(floatFunctions);
HWY_EXPORT(doubleFunctions);

template <>
const RowFunctions<float>& rowFunctions<float>() {
    return HWY_DYNAMIC_DISPATCH(floatFunctions)();
}

template <>
const RowFunctions<double>& rowFunctions<double>() {
    return HWY_DYNAMIC_DISPATCH(doubleFunctions)();
}

}  // namespace et::kernels::reduction
#endif
