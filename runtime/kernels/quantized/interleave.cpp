#include "runtime/kernels/quantized/interleave.h"

#include "runtime/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/quantized/interleave.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace et::kernels::quantized::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Returns the number of bytes done per plane: whole vectors.
std::size_t interleaveVectors(const std::uint8_t* from, std::size_t planes, std::size_t count,
                              std::uint8_t* to) {
    const hn::ScalableTag<std::uint8_t> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto first = hn::LoadU(d, from + i);
        const auto second = hn::LoadU(d, from + count + i);
        std::uint8_t* const at = to + i * planes;
        if (planes == 2) {
            hn::StoreInterleaved2(first, second, d, at);
            continue;
        }
        const auto third = hn::LoadU(d, from + 2 * count + i);
        if (planes == 3) {
            hn::StoreInterleaved3(first, second, third, d, at);
        } else {
            hn::StoreInterleaved4(first, second, third, hn::LoadU(d, from + 3 * count + i), d, at);
        }
    }
    return i;
}

}  // namespace
}  // namespace et::kernels::quantized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::quantized {

HWY_EXPORT(interleaveVectors);

void interleave(const std::uint8_t* from, std::size_t planes, std::size_t count, std::uint8_t* to) {
    for (std::size_t i = HWY_DYNAMIC_DISPATCH(interleaveVectors)(from, planes, count, to); i < count; ++i) {
        for (std::size_t plane = 0; plane < planes; ++plane) {
            to[i * planes + plane] = from[plane * count + i];
        }
    }
}

}  // namespace et::kernels::quantized
#endif
