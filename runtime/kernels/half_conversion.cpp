#include "runtime/kernels/half_conversion.h"

#include "runtime/kernels/simd_targets.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/half_conversion.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace et::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

/// Reads and writes as many lanes at a time as Floats has; `convert` converts vectors of From to vectors of
/// To.
template <class From, class To, class Convert>
HWY_INLINE void convertAll(const hn::TFromD<From>* in, hn::TFromD<To>* out, std::size_t count,
                           Convert convert) {
    const From from;
    const To to;
    const std::size_t lanes = hn::Lanes(Floats());
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::StoreU(convert(hn::LoadU(from, in + i)), to, out + i);
    }
    if (i < count) {
        hn::StoreN(convert(hn::LoadN(from, in + i, count - i)), to, out + i, count - i);
    }
}

using Halfs = hn::Rebind<hwy::float16_t, Floats>;
using Shorts = hn::Rebind<std::uint16_t, Floats>;
using Words = hn::RebindToUnsigned<Floats>;

/// Highway's fallback, for CPUs without such an instruction, treats infinity and NaN as numbers with a large
/// exponent.
void halfToFloat(const hwy::float16_t* from, float* to, std::size_t count) {
    convertAll<Halfs, Floats>(from, to, count, [](auto half) HWY_ATTR {
        const Words words;
        const auto exponent =
            hn::And(hn::PromoteTo(words, hn::BitCast(Shorts(), half)), hn::Set(words, 0x7C00));
        const auto number = hn::BitCast(words, hn::PromoteTo(Floats(), half));
        const auto beyond = hn::Or(number, hn::Set(words, 0x7F800000));
        return hn::BitCast(Floats(),
                           hn::IfThenElse(hn::Eq(exponent, hn::Set(words, 0x7C00)), beyond, number));
    });
}

void floatToHalf(const float* from, hwy::float16_t* to, std::size_t count) {
    convertAll<Floats, Halfs>(from, to, count,
                              [](auto wide) HWY_ATTR { return hn::DemoteTo(Halfs(), wide); });
}

/// A bfloat16 is the upper half of a float.
void bfloat16ToFloat(const std::uint16_t* from, float* to, std::size_t count) {
    convertAll<Shorts, Floats>(from, to, count, [](auto upper) HWY_ATTR {
        return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(Words(), upper)));
    });
}

void floatToBfloat16(const float* from, std::uint16_t* to, std::size_t count) {
    convertAll<Floats, Shorts>(from, to, count, [](auto wide) HWY_ATTR {
        const Words words;
        const auto bits = hn::BitCast(words, wide);
        const auto even = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1));
        const auto rounded = hn::Add(bits, hn::Add(even, hn::Set(words, 0x7FFF)));
        // Rounding could carry a NaN's payload into its exponent.
        const auto quiet = hn::Or(bits, hn::Set(words, 0x400000));
        const auto isNan = hn::MaskFromVec(hn::BitCast(words, hn::VecFromMask(Floats(), hn::IsNaN(wide))));
        return hn::TruncateTo(Shorts(), hn::ShiftRight<16>(hn::IfThenElse(isNan, quiet, rounded)));
    });
}

}  // namespace
}  // namespace et::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels {

HWY_EXPORT(halfToFloat);
HWY_EXPORT(floatToHalf);
HWY_EXPORT(bfloat16ToFloat);
HWY_EXPORT(floatToBfloat16);

void floatsFrom(const core::Half* from, float* to, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(halfToFloat)(reinterpret_cast<const hwy::float16_t*>(from), to, count);
}

void floatsTo(const float* from, core::Half* to, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(floatToHalf)(from, reinterpret_cast<hwy::float16_t*>(to), count);
}

void floatsFrom(const core::BFloat16* from, float* to, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(bfloat16ToFloat)(reinterpret_cast<const std::uint16_t*>(from), to, count);
}

void floatsTo(const float* from, core::BFloat16* to, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(floatToBfloat16)(from, reinterpret_cast<std::uint16_t*>(to), count);
}

}  // namespace et::kernels
#endif
