#include "runtime/kernels/elementwise/float_loops.h"

#include "runtime/kernels/simd_targets.h"

#include <cmath>
#include <limits>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/elementwise/float_loops.cpp"
// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace et::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

template <class Function>
HWY_INLINE void mapOne(const float* in, float* out, std::size_t count, Function function) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(function(hn::LoadU(d, in + i)), d, out + i);
    }
    if (i < count) {
        hn::StoreN(function(hn::LoadN(d, in + i, count - i)), d, out + i, count - i);
    }
}

template <class Function>
HWY_INLINE void mapTwo(const float* const* in, float* out, std::size_t count, Function function) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    const float* left = in[0];
    const float* right = in[1];
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(function(hn::LoadU(d, left + i), hn::LoadU(d, right + i)), d, out + i);
    }
    if (i < count) {
        const std::size_t rest = count - i;
        hn::StoreN(function(hn::LoadN(d, left + i, rest), hn::LoadN(d, right + i, rest)), d, out + i, rest);
    }
}

HWY_INLINE V constant(double value) {
    return hn::Set(D(), static_cast<float>(value));
}

/// hn::Exp is accurate only from -inf to 104.
HWY_INLINE V exponentialOf(V x) {
    const D d;
    const V inRange = hn::Exp(d, hn::Min(x, constant(100)));
    return hn::IfThenElse(hn::IsNaN(x), x, hn::IfThenElse(hn::Gt(x, constant(100)), hn::Inf(d), inRange));
}

/// hn::Log is accurate only for finite numbers above 0.
HWY_INLINE V logarithmOf(V x) {
    const D d;
    const V zero = hn::Zero(d);
    const V beyond = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(hn::Inf(d)),
                                    hn::IfThenElse(hn::Eq(x, hn::Inf(d)), x, hn::NaN(d)));
    const auto inRange = hn::And(hn::Gt(x, zero), hn::Lt(x, hn::Inf(d)));
    return hn::IfThenElse(inRange, hn::Log(d, hn::IfThenElse(inRange, x, constant(1))), beyond);
}

HWY_INLINE V sigmoidOf(V x) {
    return hn::Div(constant(1), hn::Add(constant(1), exponentialOf(hn::Neg(x))));
}

/// tanh rounds to 1 from 9.1 on.
HWY_INLINE V tanhOf(V x) {
    const V limit = constant(9.1);
    const V inRange = hn::Tanh(D(), hn::Max(hn::Min(x, limit), hn::Neg(limit)));
    return hn::IfThenElse(hn::IsNaN(x), x, inRange);
}

/// 1 - erf(x) for x >= 0: Abramowitz and Stegun, formula 7.1.26; the absolute error is below 1.5e-7.
HWY_INLINE V erfcTail(V x) {
    const V t = hn::Div(constant(1), hn::MulAdd(x, constant(0.3275911), constant(1)));
    V sum = constant(1.061405429);
    sum = hn::MulAdd(sum, t, constant(-1.453152027));
    sum = hn::MulAdd(sum, t, constant(1.421413741));
    sum = hn::MulAdd(sum, t, constant(-0.284496736));
    sum = hn::MulAdd(sum, t, constant(0.254829592));
    return hn::Mul(hn::Mul(sum, t), hn::Exp(D(), hn::Neg(hn::Mul(x, x))));
}

/// x (1 + erf(x / sqrt(2))) / 2
HWY_INLINE V geluOf(V x) {
    const V half = hn::Mul(constant(0.5), x);
    const V tail = erfcTail(hn::Mul(hn::Abs(x), constant(1 / std::numbers::sqrt2)));
    const V negative = hn::Mul(half, tail);
    const V positive = hn::Mul(half, hn::Sub(constant(2), tail));
    const V result = hn::IfThenElse(hn::Lt(x, constant(0)), negative, positive);
    return hn::IfThenElse(hn::IsNaN(x), x, result);
}

HWY_INLINE V geluTanhOf(V x) {
    const V cubic = hn::Mul(hn::Mul(hn::Mul(x, x), x), constant(0.044715));
    const V inner = hn::Mul(constant(std::numbers::sqrt2 * std::numbers::inv_sqrtpi), hn::Add(x, cubic));
    return hn::Mul(hn::Mul(constant(0.5), x), hn::Add(constant(1), tanhOf(inner)));
}

/// The result of hn::Max and hn::Min for NaN depends on the CPU.
HWY_INLINE V maximumOf(V left, V right) {
    return hn::IfThenElse(hn::IsNaN(left), left, hn::IfThenElse(hn::Gt(left, right), left, right));
}

HWY_INLINE V minimumOf(V left, V right) {
    return hn::IfThenElse(hn::IsNaN(left), left, hn::IfThenElse(hn::Lt(left, right), left, right));
}

/// Clamps negative numbers to 0.
struct Relu {
    HWY_INLINE V operator()(V x) const { return hn::IfThenElse(hn::Lt(x, constant(0)), constant(0), x); }
};

struct Clamp {
    explicit HWY_INLINE Clamp(const Numbers<float>& numbers)
        : low(hn::Set(D(), numbers[0])),
          high(hn::Set(D(), numbers[1])),
          // Comparisons with NaN are false, so a NaN bound applies only through these flags.
          takesLow(hn::IsNaN(low)),
          takesHigh(hn::IsNaN(high)) {}
    HWY_INLINE V operator()(V x) const {
        const V above = hn::IfThenElse(hn::Or(hn::Lt(x, low), takesLow), low, x);
        return hn::IfThenElse(hn::Or(hn::Gt(above, high), takesHigh), high, above);
    }

    V low;
    V high;
    hn::Mask<D> takesLow;
    hn::Mask<D> takesHigh;
};

#define ET_LOOP(name)                                                \
    void name(const float* const* in, float* out, std::size_t count, \
              [[maybe_unused]] const Numbers<float>& numbers)

ET_LOOP(add) {
    mapTwo(in, out, count, [](V a, V b) HWY_ATTR { return hn::Add(a, b); });
}
ET_LOOP(subtract) {
    mapTwo(in, out, count, [](V a, V b) HWY_ATTR { return hn::Sub(a, b); });
}
ET_LOOP(multiply) {
    mapTwo(in, out, count, [](V a, V b) HWY_ATTR { return hn::Mul(a, b); });
}
ET_LOOP(divide) {
    mapTwo(in, out, count, [](V a, V b) HWY_ATTR { return hn::Div(a, b); });
}
ET_LOOP(maximum) {
    mapTwo(in, out, count, [](V a, V b) HWY_ATTR { return maximumOf(a, b); });
}
ET_LOOP(minimum) {
    mapTwo(in, out, count, [](V a, V b) HWY_ATTR { return minimumOf(a, b); });
}
ET_LOOP(relu) {
    mapOne(in[0], out, count, Relu());
}
ET_LOOP(clamp) {
    mapOne(in[0], out, count, Clamp(numbers));
}
ET_LOOP(leakyRelu) {
    const V slope = hn::Set(D(), numbers[0]);
    mapOne(in[0], out, count,
           [slope](V x) HWY_ATTR { return hn::IfThenElse(hn::Gt(x, constant(0)), x, hn::Mul(x, slope)); });
}
ET_LOOP(floor) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return hn::Floor(x); });
}
ET_LOOP(ceil) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return hn::Ceil(x); });
}
ET_LOOP(trunc) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return hn::Trunc(x); });
}
ET_LOOP(round) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return hn::Round(x); });
}
ET_LOOP(sqrt) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return hn::Sqrt(x); });
}
ET_LOOP(rsqrt) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return hn::Div(constant(1), hn::Sqrt(x)); });
}
ET_LOOP(logarithm) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return logarithmOf(x); });
}
ET_LOOP(exponential) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return exponentialOf(x); });
}
ET_LOOP(sigmoid) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return sigmoidOf(x); });
}
ET_LOOP(tanh) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return tanhOf(x); });
}
ET_LOOP(gelu) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return geluOf(x); });
}
ET_LOOP(geluTanh) {
    mapOne(in[0], out, count, [](V x) HWY_ATTR { return geluTanhOf(x); });
}

#undef ET_LOOP

}  // namespace
}  // namespace et::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels {

// Each public loop dispatches to the best version.
#define ET_DISPATCH(name)                                                      \
    HWY_EXPORT(name);                                                          \
    void fast::name(const float* const* inputs, float* out, std::size_t count, \
                    const Numbers<float>& numbers) {                           \
        HWY_DYNAMIC_DISPATCH(name)(inputs, out, count, numbers);               \
    }

ET_DISPATCH(add)
ET_DISPATCH(subtract)
ET_DISPATCH(multiply)
ET_DISPATCH(divide)
ET_DISPATCH(maximum)
ET_DISPATCH(minimum)
ET_DISPATCH(relu)
ET_DISPATCH(clamp)
ET_DISPATCH(leakyRelu)
ET_DISPATCH(floor)
ET_DISPATCH(ceil)
ET_DISPATCH(trunc)
ET_DISPATCH(round)
ET_DISPATCH(sqrt)
ET_DISPATCH(rsqrt)
ET_DISPATCH(logarithm)
ET_DISPATCH(exponential)
ET_DISPATCH(sigmoid)
ET_DISPATCH(tanh)
ET_DISPATCH(gelu)
ET_DISPATCH(geluTanh)

#undef ET_DISPATCH

}  // namespace et::kernels
#endif
