#include "runtime/kernels/dense/depthwise_channel.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/depthwise_channel.cpp"
// Must come before highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// For each instruction set, like the rest.
#include "runtime/kernels/result_steps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `vectors` vectors that lie `step` elements apart in `image` and `resultStep` apart in the result, the last
/// of which (where it ends a row, all of them) has `columns` elements: result[j] = bias + sum over taps of
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

/// Rows of results that are computed together where the kernel is 3x3: their sums, the kernel's weights and
/// what is read fit the registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr std::size_t rowsTogether = SmallKernel::maxRows;
#else
constexpr std::size_t rowsTogether = 2;
#endif

/// The weights of a kernel of 3x3, each in a whole vector.
template <class V>
using SmallWeights = V[SmallKernel::size][SmallKernel::size];

/// A vector of each of `rows` rows of results. What is read serves all of them that need it.
template <std::size_t rows, std::size_t stride, class D, class V>
HWY_INLINE void filterSmallBlock(D d, const DepthwiseFilter& filter, const SmallWeights<V>& weights,
                                 const float* image, float* result, std::size_t resultStep,
                                 std::size_t columns) {
    constexpr std::size_t size = SmallKernel::size;
    V results[1][rows];  // all of one channel
    auto& sums = results[0];
    for (V& sum : sums) {
        sum = hn::Set(d, filter.bias);
    }
#pragma GCC unroll 16
    for (std::size_t y = 0; y < (rows - 1) * stride + size; ++y) {
        const float* const row = image + filter.small.rows[y];
#pragma GCC unroll 4
        for (std::size_t x = 0; x < size; ++x) {
            const V numbers = hn::LoadU(d, row + filter.small.columns[x]);
#pragma GCC unroll 4
            for (std::size_t r = 0; r < rows; ++r) {
                if (y >= r * stride && y - r * stride < size) {
                    sums[r] = hn::MulAdd(weights[y - r * stride][x], numbers, sums[r]);
                }
            }
        }
    }
    kernels::HWY_NAMESPACE::doSteps(d, filter.steps, filter.channel, results);
    for (std::size_t r = 0; r < rows; ++r) {
        if (columns == hn::Lanes(d)) {
            hn::StoreU(sums[r], d, result + r * resultStep);
        } else {
            hn::StoreN(sums[r], d, result + r * resultStep, columns);
        }
    }
}

template <std::size_t rows, std::size_t stride, class D, class V>
HWY_INLINE void filterSmallRows(D d, const DepthwiseFilter& filter, const SmallWeights<V>& weights,
                                const float* image, float* result, std::size_t columns) {
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t column = 0; column < columns; column += lanes) {
        filterSmallBlock<rows, stride>(d, filter, weights, image + column, result + column, columns,
                                       std::min(lanes, columns - column));
    }
}

/// One image of results with a kernel of 3x3.
template <std::size_t stride>
void filterSmall(const DepthwiseFilter& filter, const float* image, std::size_t pitch, float* result,
                 std::size_t rows, std::size_t columns) {
    const hn::ScalableTag<float> d;
    hn::Vec<decltype(d)> weights[SmallKernel::size][SmallKernel::size];
    for (std::size_t tap = 0; tap < filter.taps; ++tap) {
        weights[tap / SmallKernel::size][tap % SmallKernel::size] = hn::Set(d, filter.weights[tap]);
    }
    std::size_t row = 0;
    for (; row + rowsTogether <= rows; row += rowsTogether) {
        filterSmallRows<rowsTogether, stride>(d, filter, weights, image + row * pitch, result + row * columns,
                                              columns);
    }
    for (; row < rows; ++row) {
        filterSmallRows<1, stride>(d, filter, weights, image + row * pitch, result + row * columns, columns);
    }
}

/// One image of results.
void filterImage(const DepthwiseFilter& filter, const float* image, std::size_t pitch, float* result,
                 std::size_t rows, std::size_t columns) {
    if (filter.small.stride != 0) {
        return filter.small.stride == 1 ? filterSmall<1>(filter, image, pitch, result, rows, columns)
                                        : filterSmall<2>(filter, image, pitch, result, rows, columns);
    }
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
