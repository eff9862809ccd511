#include "runtime/kernels/dense/half_dot.h"

// The disabled targets compile to the same code here as the next older one; vectors without a fixed size
// cannot be stored in arrays.
#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_ALL_SVE | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/half_dot.cpp"
// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;

/// Adds products of whole `step`s starting at `begin` into `sums` running sums, folds these, and sets `begin`
/// to the first remaining element.
template <std::size_t sums, std::size_t step>
HWY_INLINE float sumInSteps(const float* HWY_RESTRICT left, const float* HWY_RESTRICT row, std::size_t depth,
                            std::size_t& begin) {
    constexpr std::size_t lanes = HWY_MAX_LANES_D(D);
    constexpr std::size_t vectors = sums / lanes;
    const D d;
    V running[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
        running[v] = hn::Zero(d);
    }
    for (; begin + step <= depth; begin += step) {
        for (std::size_t i = 0; i < step / lanes; ++i) {
            const std::size_t at = begin + i * lanes;
            V& sum = running[i % vectors];
            sum = hn::MulAdd(hn::LoadU(d, left + at), hn::LoadU(d, row + at), sum);
        }
    }
    float folded[sums];
    for (std::size_t v = 0; v < vectors; ++v) {
        hn::StoreU(running[v], d, folded + v * lanes);
    }
    for (std::size_t half = sums / 2; half != 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) {
            folded[i] += folded[half + i];
        }
    }
    return folded[0];
}

void dotAll(const float* left, const float* rows, std::ptrdiff_t stride, std::size_t count, std::size_t depth,
            float* results) {
    for (std::size_t j = 0; j < count; ++j) {
        const float* row = rows + static_cast<std::ptrdiff_t>(j) * stride;
        std::size_t begin = 0;
        float sum = sumInSteps<64, 64>(left, row, depth, begin);
        sum += sumInSteps<8, 16>(left, row, depth, begin);
        for (; begin < depth; ++begin) {
            sum += left[begin] * row[begin];
        }
        results[j] = sum;
    }
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {

HWY_EXPORT(dotAll);

void dotRows(const float* left, const float* rows, std::ptrdiff_t stride, std::size_t count,
             std::size_t depth, float* results) {
    HWY_DYNAMIC_DISPATCH(dotAll)(left, rows, stride, count, depth, results);
}

}  // namespace et::kernels::dense
#endif
