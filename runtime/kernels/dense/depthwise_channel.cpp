#include "runtime/kernels/dense/depthwise_channel.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/depthwise_channel.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Compiled for each instruction set.
#include "runtime/kernels/result_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Computes `vectors` vectors, `step` elements apart in `image` and `resultStep` apart in the result. The
/// last one (all of them, if it ends a row) has `columns` elements: result[j] = bias + sum over taps of
/// weights[tap] * image[offsets[tap] + j].
template <std::size_t vectors, class D>
HWY_INLINE void filterBlock(D d, const DepthwiseFilter& filter, const float* image, std::size_t step,
                            float* result, std::size_t resultStep, std::size_t columns) {
    hn::Vec<D> results[1][vectors];
    auto& sums = results[0];
    for (std::size_t v = 0; v < vectors; ++v) {
        sums[v] = hn::Set(d, filter.bias);
    }
    for (std::size_t tap = 0; tap < filter.taps; ++tap) {
        const float* from = image + filter.offsets[tap];
        const auto weight = hn::Set(d, filter.weights[tap]);
        for (std::size_t v = 0; v < vectors; ++v) {
            sums[v] = hn::MulAdd(weight, hn::LoadU(d, from + v * step), sums[v]);
        }
    }
    kernels::HWY_NAMESPACE::doSteps(d, filter.steps, filter.channel, results);
    for (std::size_t v = 0; v < vectors; ++v) {
        if (columns == hn::Lanes(d)) {
            hn::StoreU(sums[v], d, result + v * resultStep);
        } else {
            hn::StoreN(sums[v], d, result + v * resultStep, columns);
        }
    }
}

/// Computes one result image.
void filterImage(const DepthwiseFilter& filter, const float* image, std::size_t pitch, float* result,
                 std::size_t rows, std::size_t columns) {
    const hn::ScalableTag<float> d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t row = 0;
    if (columns <= lanes) {
        for (; row + 4 <= rows; row += 4) {
            filterBlock<4>(d, filter, image + row * pitch, pitch, result + row * columns, columns, columns);
        }
        for (; row + 2 <= rows; row += 2) {
            filterBlock<2>(d, filter, image + row * pitch, pitch, result + row * columns, columns, columns);
        }
    }
    for (; row < rows; ++row) {
        const float* from = image + row * pitch;
        float* to = result + row * columns;
        std::size_t column = 0;
        for (; column + 4 * lanes <= columns; column += 4 * lanes) {
            filterBlock<4>(d, filter, from + column, lanes, to + column, lanes, lanes);
        }
        for (; column + 2 * lanes <= columns; column += 2 * lanes) {
            filterBlock<2>(d, filter, from + column, lanes, to + column, lanes, lanes);
        }
        for (; column < columns; column += lanes) {
            filterBlock<1>(d, filter, from + column, lanes, to + column, lanes,
                           std::min(lanes, columns - column));
        }
    }
}

}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {

HWY_EXPORT(filterImage);

FilterImage filterImageFunction() {
    return HWY_DYNAMIC_POINTER(filterImage);
}

}  // namespace et::kernels::dense
#endif  // HWY_ONCE
