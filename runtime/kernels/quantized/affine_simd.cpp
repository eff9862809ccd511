#include "runtime/kernels/quantized/affine_simd.h"

#include "runtime/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/quantized/affine_simd.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace et::kernels::quantized::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::VFromD<hn::RebindToSigned<D>> integers(D d, hn::VFromD<D> x, const QuantizeStep& step) {
    const auto zeroPoint = hn::Set(d, step.zeroPoint);
    auto scaled = hn::Mul(x, hn::Set(d, step.inverseScale));
    scaled = step.roundLast ? hn::Round(hn::Add(scaled, zeroPoint)) : hn::Add(hn::Round(scaled), zeroPoint);
    const auto inRange = hn::Clamp(scaled, hn::Set(d, step.low), hn::Set(d, step.high));
    return hn::ConvertTo(hn::RebindToSigned<D>(), hn::IfThenElseZero(hn::Not(hn::IsNaN(scaled)), inRange));
}

/// Narrows integers to T, whose range they fit.
template <class T, class V>
HWY_INLINE auto narrowed(V numbers) {
    if constexpr (sizeof(T) == sizeof(float)) {
        return numbers;
    } else {
        return hn::DemoteTo(hn::Rebind<T, hn::DFromV<V>>(), numbers);
    }
}

template <class T>
void quantizeAll(const float* HWY_RESTRICT from, std::size_t count, const QuantizeStep& step,
                 T* HWY_RESTRICT to) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<T, decltype(d)> narrow;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(narrowed<T>(integers(d, hn::LoadU(d, from + i), step)), narrow, to + i);
    }
    if (i < count) {
        hn::StoreN(narrowed<T>(integers(d, hn::LoadN(d, from + i, count - i), step)), narrow, to + i,
                   count - i);
    }
}

template <class T>
void dequantizeAll(const T* HWY_RESTRICT from, std::size_t count, float scale, float zeroPoint,
                   float* HWY_RESTRICT to) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> whole;
    const hn::Rebind<T, decltype(d)> narrow;
    const std::size_t lanes = hn::Lanes(d);
    const auto scales = hn::Set(d, scale);
    const auto zeroPoints = hn::Set(d, zeroPoint);
    const auto floats = [&](hn::VFromD<decltype(narrow)> numbers) {
        if constexpr (sizeof(T) == sizeof(float)) {
            return hn::Mul(hn::Sub(hn::ConvertTo(d, numbers), zeroPoints), scales);
        } else {
            return hn::Mul(hn::Sub(hn::ConvertTo(d, hn::PromoteTo(whole, numbers)), zeroPoints), scales);
        }
    };
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(floats(hn::LoadU(narrow, from + i)), d, to + i);
    }
    if (i < count) {
        hn::StoreN(floats(hn::LoadN(narrow, from + i, count - i)), d, to + i, count - i);
    }
}

void quantizeInt8(const float* from, std::size_t count, const QuantizeStep& step, std::int8_t* to) {
    quantizeAll(from, count, step, to);
}
void quantizeUint8(const float* from, std::size_t count, const QuantizeStep& step, std::uint8_t* to) {
    quantizeAll(from, count, step, to);
}
void quantizeInt16(const float* from, std::size_t count, const QuantizeStep& step, std::int16_t* to) {
    quantizeAll(from, count, step, to);
}
void quantizeInt32(const float* from, std::size_t count, const QuantizeStep& step, std::int32_t* to) {
    quantizeAll(from, count, step, to);
}
void dequantizeInt8(const std::int8_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    dequantizeAll(from, count, scale, zeroPoint, to);
}
void dequantizeUint8(const std::uint8_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    dequantizeAll(from, count, scale, zeroPoint, to);
}
void dequantizeInt16(const std::int16_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    dequantizeAll(from, count, scale, zeroPoint, to);
}
void dequantizeInt32(const std::int32_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    dequantizeAll(from, count, scale, zeroPoint, to);
}

}  // namespace
}  // namespace et::kernels::quantized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::quantized {

HWY_EXPORT(quantizeInt8);
HWY_EXPORT(quantizeUint8);
HWY_EXPORT(quantizeInt16);
HWY_EXPORT(quantizeInt32);
HWY_EXPORT(dequantizeInt8);
HWY_EXPORT(dequantizeUint8);
HWY_EXPORT(dequantizeInt16);
HWY_EXPORT(dequantizeInt32);

template <>
void quantize(const float* from, std::size_t count, const QuantizeStep& step, std::int8_t* to) {
    HWY_DYNAMIC_DISPATCH(quantizeInt8)(from, count, step, to);
}
template <>
void quantize(const float* from, std::size_t count, const QuantizeStep& step, std::uint8_t* to) {
    HWY_DYNAMIC_DISPATCH(quantizeUint8)(from, count, step, to);
}
template <>
void quantize(const float* from, std::size_t count, const QuantizeStep& step, std::int16_t* to) {
    HWY_DYNAMIC_DISPATCH(quantizeInt16)(from, count, step, to);
}
template <>
void quantize(const float* from, std::size_t count, const QuantizeStep& step, std::int32_t* to) {
    HWY_DYNAMIC_DISPATCH(quantizeInt32)(from, count, step, to);
}
template <>
void dequantize(const std::int8_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    HWY_DYNAMIC_DISPATCH(dequantizeInt8)(from, count, scale, zeroPoint, to);
}
template <>
void dequantize(const std::uint8_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    HWY_DYNAMIC_DISPATCH(dequantizeUint8)(from, count, scale, zeroPoint, to);
}
template <>
void dequantize(const std::int16_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    HWY_DYNAMIC_DISPATCH(dequantizeInt16)(from, count, scale, zeroPoint, to);
}
template <>
void dequantize(const std::int32_t* from, std::size_t count, float scale, float zeroPoint, float* to) {
    HWY_DYNAMIC_DISPATCH(dequantizeInt32)(from, count, scale, zeroPoint, to);
}

}  // namespace et::kernels::quantized
#endif
