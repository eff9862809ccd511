#include "runtime/kernels/dense/image_depthwise.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/image_depthwise.cpp"
// Must come before highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ET_IMAGE_DEPTHWISE_TILE
#define ET_IMAGE_DEPTHWISE_TILE
namespace et::kernels::dense {
namespace {

/// Pixels of an output row that are computed together.
constexpr std::size_t depthwisePixels = 4;
constexpr std::size_t largestDepthwise = 5;
constexpr std::size_t maxDepthwiseStride = 2;

constexpr std::size_t columnsOf(std::size_t kernel, std::size_t stride) {
    return (depthwisePixels - 1) * stride + kernel;
}

struct DepthwiseTile {
    /// What the tile reads: columns of pixels, each from the top.
    std::array<const float*, columnsOf(largestDepthwise, maxDepthwiseStride) * largestDepthwise> pixels;
    std::size_t channels;
    const float* weights;
    float low;
    float high;
    float* output;
    std::size_t count;  ///< pixels that are written
};

}  // namespace
}  // namespace et::kernels::dense
#endif

HWY_BEFORE_NAMESPACE();
namespace et::kernels::dense::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;

/// Kernel and step, and how many vectors of channels are computed together.
template <std::size_t kernelSize, std::size_t stepSize, std::size_t vectorCount>
struct Kind {
    static constexpr std::size_t kernel = kernelSize;
    static constexpr std::size_t stride = stepSize;
    static constexpr std::size_t vectors = vectorCount;
};

template <class K>
using Sums = V[depthwisePixels][K::vectors];

/// Whether a pixel of the output reads a column, with which column of the kernel.
template <class K>
constexpr bool reads(std::size_t pixel, std::size_t column) {
    return column >= pixel * K::stride && column - pixel * K::stride < K::kernel;
}

/// Adds what the pixels take of `number`, which stands in `column` and `row` of what the tile reads.
template <class K, std::size_t column, std::size_t... pixels>
HWY_INLINE void addNumber(V number, std::size_t row, const float* weights, std::size_t v, Sums<K>& sums,
                          std::index_sequence<pixels...> /*all*/) {
    const Floats d;
    const auto add = [&]<std::size_t pixel>(std::integral_constant<std::size_t, pixel>) HWY_ATTR {
        if constexpr (reads<K>(pixel, column)) {
            const std::size_t tap = (column - pixel * K::stride) * K::kernel + row;
            sums[pixel][v] =
                hn::MulAdd(number, hn::Load(d, weights + (tap + 1) * hn::Lanes(d)), sums[pixel][v]);
        }
    };
    (add(std::integral_constant<std::size_t, pixels>()), ...);
}

/// `last`: channels of the vector, where there is one that is not whole.
template <class K, bool isWhole, std::size_t column>
HWY_INLINE void addColumn(const DepthwiseTile& tile, std::size_t channel, const float* weights,
                          std::size_t last, Sums<K>& sums) {
    const Floats d;
    constexpr std::size_t blockStep = K::kernel * K::kernel + 1;
#pragma GCC unroll 8
    for (std::size_t row = 0; row < K::kernel; ++row) {
        const float* const from = tile.pixels[column * K::kernel + row] + channel;
#pragma GCC unroll 2
        for (std::size_t v = 0; v < K::vectors; ++v) {
            const V number = isWhole ? hn::LoadU(d, from + v * hn::Lanes(d)) : hn::LoadN(d, from, last);
            addNumber<K, column>(number, row, weights + v * blockStep * hn::Lanes(d), v, sums,
                                 std::make_index_sequence<depthwisePixels>());
        }
    }
}

template <class K, bool isWhole, std::size_t... columns>
HWY_INLINE void computeChannels(const DepthwiseTile& tile, std::size_t channel, const float* weights,
                                std::size_t last, std::index_sequence<columns...> /*all*/) {
    const Floats d;
    constexpr std::size_t blockStep = K::kernel * K::kernel + 1;
    Sums<K> sums;
#pragma GCC unroll 2
    for (std::size_t v = 0; v < K::vectors; ++v) {
        const V bias = hn::Load(d, weights + v * blockStep * hn::Lanes(d));
#pragma GCC unroll 4
        for (V(&pixel)[K::vectors] : sums) {
            pixel[v] = bias;
        }
    }
    (addColumn<K, isWhole, columns>(tile, channel, weights, last, sums), ...);
    const V low = hn::Set(d, tile.low);
    const V high = hn::Set(d, tile.high);
#pragma GCC unroll 4
    for (std::size_t pixel = 0; pixel < depthwisePixels; ++pixel) {
        if (pixel >= tile.count) {
            return;
        }
        float* const to = tile.output + pixel * tile.channels + channel;
#pragma GCC unroll 2
        for (std::size_t v = 0; v < K::vectors; ++v) {
            // In this order what is no number stays none.
            const V result = hn::Min(high, hn::Max(low, sums[pixel][v]));
            if constexpr (isWhole) {
                hn::StoreU(result, d, to + v * hn::Lanes(d));
            } else {
                hn::StoreN(result, d, to, last);
            }
        }
    }
}

template <std::size_t kernel, std::size_t stride>
void computeTileOf(const DepthwiseTile& tile) {
    constexpr std::make_index_sequence<columnsOf(kernel, stride)> columns;
    const std::size_t lanes = hn::Lanes(Floats());
    const std::size_t blockStep = (kernel * kernel + 1) * lanes;
    const float* weights = tile.weights;
    std::size_t channel = 0;
    for (; channel + 2 * lanes <= tile.channels; channel += 2 * lanes) {
        computeChannels<Kind<kernel, stride, 2>, true>(tile, channel, weights, lanes, columns);
        weights += 2 * blockStep;
    }
    if (channel + lanes <= tile.channels) {
        computeChannels<Kind<kernel, stride, 1>, true>(tile, channel, weights, lanes, columns);
        weights += blockStep;
        channel += lanes;
    }
    if (channel < tile.channels) {
        computeChannels<Kind<kernel, stride, 1>, false>(tile, channel, weights, tile.channels - channel,
                                                        columns);
    }
}

void computeDepthwiseTile(const DepthwiseTile& tile, std::size_t kernel, std::size_t stride) {
    if (kernel == 3) {
        computeTileOf<3, 1>(tile);
    } else {
        stride == 1 ? computeTileOf<5, 1>(tile) : computeTileOf<5, 2>(tile);
    }
}

std::size_t depthwiseLanes() {
#if HWY_ARCH_X86_64
    const std::size_t lanes = hn::Lanes(Floats());
    return lanes >= 16 ? lanes : 0;  // with fewer registers it was not measured
#else
    return 0;
#endif
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {

HWY_EXPORT(computeDepthwiseTile);
HWY_EXPORT(depthwiseLanes);

bool ImageDepthwise::takes(const ImageConvolution& shape) {
    const std::size_t kernel = shape.width.kernel;
    const std::size_t stride = shape.width.stride;
    const bool isKnown = (kernel == 3 && stride == 1) ||
                         (kernel == largestDepthwise && stride >= 1 && stride <= maxDepthwiseStride);
    return isKnown && shape.height.kernel == kernel && shape.width.dilation == 1 &&
           shape.height.dilation == 1 && HWY_DYNAMIC_DISPATCH(depthwiseLanes)() != 0;
}

ImageDepthwise::ImageDepthwise(const ImageConvolution& shape, const float* filter, const float* bias,
                               float low, float high)
    : form(shape), zeros(shape.outputChannels), lowest(low), highest(high) {
    const std::size_t lanes = HWY_DYNAMIC_DISPATCH(depthwiseLanes)();
    const std::size_t kernel = shape.width.kernel;
    const std::size_t blocks = (shape.outputChannels + lanes - 1) / lanes;
    constexpr std::size_t lineFloats = sizeof(CacheLine) / sizeof(float);
    weights.resize((blocks * (kernel * kernel + 1) * lanes + lineFloats - 1) / lineFloats);
    float* const numbers = weights.front().numbers;
    for (std::size_t channel = 0; channel < shape.outputChannels; ++channel) {
        float* const block = numbers + channel / lanes * (kernel * kernel + 1) * lanes + channel % lanes;
        *block = bias == nullptr ? 0 : bias[channel];
        for (std::size_t column = 0; column < kernel; ++column) {
            for (std::size_t row = 0; row < kernel; ++row) {
                block[(column * kernel + row + 1) * lanes] =
                    filter[(row * kernel + column) * shape.outputChannels + channel];
            }
        }
    }
}

std::size_t ImageDepthwise::packedBytes() const {
    return weights.size() * sizeof(CacheLine) + zeros.size() * sizeof(float);
}

void ImageDepthwise::computeRows(const float* input, float* output, std::size_t begin, std::size_t end,
                                 float* /*scratch*/) const {
    const std::size_t kernel = form.width.kernel;
    const std::size_t columns = columnsOf(kernel, form.width.stride);
    DepthwiseTile tile{.pixels = {},
                       .channels = form.outputChannels,
                       .weights = weights.front().numbers,
                       .low = lowest,
                       .high = highest,
                       .output = nullptr,
                       .count = 0};
    for (std::size_t row = begin; row < end; ++row) {
        const float* const image = input + row / form.height.output * form.inputElements();
        const std::size_t top = row % form.height.output * form.height.stride;
        for (std::size_t x = 0; x < form.width.output; x += depthwisePixels) {
            tile.count = std::min(depthwisePixels, form.width.output - x);
            tile.output = output + row * form.rowElements() + x * form.outputChannels;
            for (std::size_t i = 0; i < columns * kernel; ++i) {
                // Below zero is far above the size.
                const std::size_t atX = x * form.width.stride + i / kernel - form.width.padding;
                const std::size_t atY = top + i % kernel - form.height.padding;
                tile.pixels[i] = atX < form.width.input && atY < form.height.input
                                     ? image + (atY * form.width.input + atX) * form.inputChannels
                                     : zeros.data();
            }
            HWY_DYNAMIC_DISPATCH(computeDepthwiseTile)(tile, kernel, form.width.stride);
        }
    }
}

}  // namespace et::kernels::dense
#endif
