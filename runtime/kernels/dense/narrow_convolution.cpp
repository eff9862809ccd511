#include "runtime/kernels/dense/narrow_convolution.h"

#include "runtime/kernels/simd_targets.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/kernels/dense/narrow_convolution.cpp"
// Must precede highway.h.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ET_NARROW_CONVOLUTION_TILE
#define ET_NARROW_CONVOLUTION_TILE
namespace et::kernels::dense {
namespace {

/// Adjacent tiles. `rows` point to the first pixels that the first tile reads under each row of the kernel.
struct Tiles {
    std::size_t count;
    const float* const* rows;  ///< null: a row of padding
    std::size_t rowCount;
    std::size_t taps;       ///< taps per row
    std::size_t tapStep;    ///< floats between taps
    std::size_t pixelStep;  ///< floats between the first taps of adjacent pixels
    std::size_t channels;
    const float* weights;
    const float* bias;
    float low;
    float high;
    float* output;
    std::size_t outputs;  ///< channels per pixel
    std::size_t first;    ///< first pixel of each tile to write
    std::size_t end;      ///< end of the pixels to write
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

/// Sums of three pixels. Separate variables keep each in a register.
struct Group {
    V first;
    V second;
    V third;

    HWY_INLINE void add(const float* pixel, std::size_t step, V weight) {
        const Floats d;
        first = hn::MulAdd(hn::Set(d, pixel[0]), weight, first);
        second = hn::MulAdd(hn::Set(d, pixel[step]), weight, second);
        third = hn::MulAdd(hn::Set(d, pixel[2 * step]), weight, third);
    }
};

/// Writes the pixels that are within the bounds of a tile.
class Writer {
  public:
    HWY_INLINE explicit Writer(const Tiles& tiles)
        : outputs(tiles.outputs),
          first(tiles.first),
          end(tiles.end),
          low(hn::Set(Floats(), tiles.low)),
          high(hn::Set(Floats(), tiles.high)) {}

    HWY_INLINE void write(const Group& group, std::size_t pixel, float* to) const {
        write(group.first, pixel, to);
        write(group.second, pixel + 1, to);
        write(group.third, pixel + 2, to);
    }

  private:
    HWY_INLINE void write(V sum, std::size_t pixel, float* to) const {
        const Floats d;
        if (pixel < first || pixel >= end) {
            return;
        }
        // In this order NaN is preserved.
        const V result = hn::Min(high, hn::Max(low, sum));
        if (outputs == hn::Lanes(d)) {
            hn::StoreU(result, d, to + pixel * outputs);
        } else {
            hn::StoreN(result, d, to + pixel * outputs, outputs);
        }
    }

    std::size_t outputs;
    std::size_t first;
    std::size_t end;
    V low;
    V high;
};

HWY_INLINE void computeTile(const Tiles& tiles, std::size_t shift, V bias, const Writer& writer, float* to) {
    const Floats d;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t step = tiles.pixelStep;
    const std::size_t groupStep = tileGroupPixels * step;
    Group group0{bias, bias, bias};
    Group group1 = group0;
    Group group2 = group0;
    Group group3 = group0;
    const float* weights = tiles.weights;
    for (std::size_t row = 0; row < tiles.rowCount; ++row) {
        if (tiles.rows[row] == nullptr) {
            weights += tiles.taps * tiles.channels * lanes;
            continue;
        }
        for (std::size_t tap = 0; tap < tiles.taps; ++tap) {
            const float* pixel = tiles.rows[row] + shift + tap * tiles.tapStep;
            for (std::size_t channel = 0; channel < tiles.channels; ++channel) {
                const V weight = hn::LoadU(d, weights);
                weights += lanes;
                group0.add(pixel, step, weight);
                group1.add(pixel + groupStep, step, weight);
                group2.add(pixel + 2 * groupStep, step, weight);
                group3.add(pixel + 3 * groupStep, step, weight);
                ++pixel;
            }
        }
    }
    writer.write(group0, 0, to);
    writer.write(group1, tileGroupPixels, to);
    writer.write(group2, 2 * tileGroupPixels, to);
    writer.write(group3, 3 * tileGroupPixels, to);
}

void computeTiles(const Tiles& tiles) {
    const V bias = hn::LoadU(Floats(), tiles.bias);
    const Writer writer(tiles);
    for (std::size_t tile = 0; tile < tiles.count; ++tile) {
        computeTile(tiles, tile * tilePixels * tiles.pixelStep, bias, writer,
                    tiles.output + tile * tilePixels * tiles.outputs);
    }
}

std::size_t lanesOfFloats() {
#if HWY_ARCH_X86_64
    const std::size_t lanes = hn::Lanes(Floats());
    return lanes > 4 ? lanes : 0;
#else
    return 0;
#endif
}

}  // namespace
}  // namespace et::kernels::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace et::kernels::dense {

HWY_EXPORT(computeTiles);
HWY_EXPORT(lanesOfFloats);

namespace {

/// Number of pixels of an input row that a tile reads.
std::size_t patchPixels(const ImageConvolution::Axis& width) {
    return (tilePixels - 1) * width.stride + (width.kernel - 1) * width.dilation + 1;
}

/// Computes output rows of an image.
class RowMaker {
  public:
    RowMaker(const ImageConvolution& shape, const Tiles& all, float* memory)
        : form(shape), base(all), scratch(memory) {}

    /// Computes row `y` of the image at `image` into `to`.
    void make(const float* image, std::size_t y, float* to) {
        for (std::size_t tap = 0; tap < form.height.kernel; ++tap) {
            const std::size_t at = y * form.height.stride + tap * form.height.dilation;
            const bool isInside = at >= form.height.padding && at - form.height.padding < form.height.input;
            rows[tap] = isInside ? image + (at - form.height.padding) * form.width.input * form.inputChannels
                                 : nullptr;
        }
        const std::size_t width = form.width.output;
        for (std::size_t x = 0; x < width;) {
            std::size_t count = 0;
            while (x + (count + 1) * tilePixels <= width && isInside(x + count * tilePixels)) {
                ++count;
            }
            if (count > 0) {
                makeTiles(x, x, count, to);
            } else {
                // The last tile ends at the end of the row; pixels already written by the previous tile are
                // skipped.
                makeTiles(x, width >= tilePixels ? std::min(x, width - tilePixels) : 0, 1, to);
                count = 1;
            }
            x += count * tilePixels;
        }
    }

  private:
    /// True if the tile reads no horizontal padding.
    [[nodiscard]] bool isInside(std::size_t x) const {
        const std::size_t left = x * form.width.stride;
        return left >= form.width.padding &&
               left - form.width.padding + patchPixels(form.width) <= form.width.input;
    }

    /// Computes tiles starting at pixel `start`; pixels before `x` are not written.
    void makeTiles(std::size_t x, std::size_t start, std::size_t count, float* to) {
        const std::size_t left = start * form.width.stride;  // including the padding before the row
        const bool isDirect = isInside(start);
        for (std::size_t tap = 0; tap < form.height.kernel; ++tap) {
            starts[tap] = rows[tap] == nullptr ? nullptr
                          : isDirect           ? rows[tap] + (left - form.width.padding) * form.inputChannels
                                               : patch(tap, left);
        }
        Tiles tiles = base;
        tiles.count = count;
        tiles.rows = starts.data();
        tiles.output = to + start * form.outputChannels;
        tiles.first = x - start;
        tiles.end = std::min(tilePixels, form.width.output - start);
        HWY_DYNAMIC_DISPATCH(computeTiles)(tiles);
    }

    /// Copies the part of a row that a tile reads, with zeros for padding.
    const float* patch(std::size_t tap, std::size_t left) {
        const std::size_t channels = form.inputChannels;
        const std::size_t pixels = patchPixels(form.width);
        const std::size_t padding = form.width.padding;
        const std::size_t before = std::min(pixels, padding - std::min(left, padding));
        const std::size_t from = left + before - padding;
        const std::size_t inside =
            std::min(pixels - before, form.width.input - std::min(from, form.width.input));
        float* const made = scratch + tap * pixels * channels;
        float* const next = std::fill_n(made, before * channels, 0.0F);
        float* const behind = std::copy_n(rows[tap] + from * channels, inside * channels, next);
        std::fill(behind, made + pixels * channels, 0.0F);
        return made;
    }

    const ImageConvolution& form;
    const Tiles base;
    float* scratch;
    std::array<const float*, maxNarrowKernel> rows{};    ///< input rows of this output row; null: padding
    std::array<const float*, maxNarrowKernel> starts{};  ///< first pixel of this tile in each row
};

}  // namespace

std::size_t narrowChannels() {
    return HWY_DYNAMIC_DISPATCH(lanesOfFloats)();
}

NarrowConvolution::NarrowConvolution(const ImageConvolution& shape, const float* filter, const float* bias,
                                     float low, float high)
    : form(shape), biases(narrowChannels()), lowest(low), highest(high) {
    const std::size_t lanes = narrowChannels();
    const std::size_t depth = shape.height.kernel * shape.width.kernel * shape.inputChannels;
    weights.resize(depth * lanes);
    for (std::size_t output = 0; output < shape.outputChannels; ++output) {
        for (std::size_t k = 0; k < depth; ++k) {
            weights[k * lanes + output] = filter[output * depth + k];
        }
    }
    if (bias != nullptr) {
        std::copy_n(bias, shape.outputChannels, biases.begin());
    }
}

std::size_t NarrowConvolution::scratchElements(const ImageConvolution& shape) {
    return shape.height.kernel * patchPixels(shape.width) * shape.inputChannels;
}

std::size_t NarrowConvolution::packedBytes() const {
    return (weights.size() + biases.size()) * sizeof(float);
}

void NarrowConvolution::computeRows(const float* input, float* output, std::size_t begin, std::size_t end,
                                    float* scratch) const {
    // Contiguous pixels are treated as one tap: long loops are faster.
    const std::size_t joined = form.width.dilation == 1 ? form.width.kernel : 1;
    const Tiles tiles{.count = 0,
                      .rows = nullptr,
                      .rowCount = form.height.kernel,
                      .taps = form.width.kernel / joined,
                      .tapStep = form.width.dilation * form.inputChannels,
                      .pixelStep = form.width.stride * form.inputChannels,
                      .channels = joined * form.inputChannels,
                      .weights = weights.data(),
                      .bias = biases.data(),
                      .low = lowest,
                      .high = highest,
                      .output = nullptr,
                      .outputs = form.outputChannels,
                      .first = 0,
                      .end = 0};
    RowMaker rows(form, tiles, scratch);
    for (std::size_t row = begin; row < end; ++row) {
        rows.make(input + row / form.height.output * form.inputElements(), row % form.height.output,
                  output + row * form.rowElements());
    }
}

}  // namespace et::kernels::dense
#endif
