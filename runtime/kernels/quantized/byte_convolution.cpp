#include "runtime/kernels/quantized/byte_convolution.h"

#include "runtime/kernels/quantized/sign_flipped_row.h"
#include "runtime/kernels/quantized/vnni.h"

#include <algorithm>
#include <cstring>

namespace et::kernels::quantized {
namespace {

using dense::ImageConvolution;
using dense::tileGroupPixels;
using dense::tilePixels;

constexpr std::size_t blockOutputs = 16;

/// Returns the number of 4-byte groups, each multiplied by one instruction, per kernel row.
std::size_t rowQuads(const ImageConvolution& shape) {
    return (shape.width.kernel * shape.inputChannels + quad - 1) / quad;
}

/// Returns the bytes of an input row with its padding and the bytes read after it.
std::size_t rowBytes(const ImageConvolution& shape) {
    // A row narrower than a tile is read with the width of a tile.
    const std::size_t pixels = std::max(shape.width.output, tilePixels);
    return (pixels - 1) * shape.width.stride * shape.inputChannels + rowQuads(shape) * quad;
}

std::size_t blocksOf(const ImageConvolution& shape) {
    return (shape.outputChannels + blockOutputs - 1) / blockOutputs;
}

/// Tiles of an output row, for 16 output channels.
struct Tiles {
    const std::uint8_t* input;  ///< first row under the kernel, with its padding
    std::size_t rowBytes;       ///< bytes between those rows
    std::size_t rows;
    std::size_t quads;  ///< of each
    std::size_t pixelStep;
    const std::int8_t* weights;
    const std::int32_t* biases;
    const float* scales;
    std::int8_t* output;
    std::size_t pixels;      ///< pixels in the row
    std::size_t outputStep;  ///< bytes between output pixels
    std::size_t outputs;     ///< valid channels of these 16
    std::int32_t outputZero;
    std::int8_t low;
    std::int8_t high;
};

#if defined(__x86_64__)
/// Sums of three pixels. Separate variables keep each in a register.
struct Group {
    __m512i first;
    __m512i second;
    __m512i third;

    ET_VNNI_INLINE void add(const std::uint8_t* pixel, std::size_t step, __m512i weight) {
        first = _mm512_dpbusd_epi32(first, fourBytes(pixel), weight);
        second = _mm512_dpbusd_epi32(second, fourBytes(pixel + step), weight);
        third = _mm512_dpbusd_epi32(third, fourBytes(pixel + 2 * step), weight);
    }
};

/// Converts sums to bytes and writes them.
class Writer {
  public:
    ET_VNNI_INLINE explicit Writer(const Tiles& tiles)
        : scale(_mm512_loadu_ps(tiles.scales)),
          high(_mm512_set1_ps(static_cast<float>(tiles.high - tiles.outputZero))),
          zero(_mm256_set1_epi16(static_cast<std::int16_t>(tiles.outputZero))),
          low(_mm_set1_epi8(tiles.low)),
          outputs(static_cast<__mmask16>((1U << tiles.outputs) - 1)),
          step(tiles.outputStep) {}

    ET_VNNI_INLINE void write(const Group& group, std::size_t pixel, std::size_t first, std::size_t end,
                              std::int8_t* to) const {
        write(group.first, pixel, first, end, to);
        write(group.second, pixel + 1, first, end, to);
        write(group.third, pixel + 2, first, end, to);
    }

  private:
    ET_VNNI_INLINE void write(__m512i sum, std::size_t pixel, std::size_t first, std::size_t end,
                              std::int8_t* to) const {
        if (pixel < first || pixel >= end) {
            return;
        }
        const __m512 number = _mm512_min_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale), high);
        const __m256i words = _mm256_adds_epi16(_mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(number)), zero);
        const __m128i bytes = _mm_max_epi8(_mm256_cvtsepi16_epi8(words), low);
        _mm_mask_storeu_epi8(to + pixel * step, outputs, bytes);
    }

    __m512 scale;
    __m512 high;
    __m256i zero;
    __m128i low;
    __mmask16 outputs;
    std::size_t step;
};

/// The last tile ends at the end of the row, so rows of 12 pixels or more have only whole tiles; pixels
/// already written by the previous tile are skipped.
ET_VNNI void computeTiles(const Tiles& tiles) {
    const std::size_t groupStep = tileGroupPixels * tiles.pixelStep;
    const __m512i bias = _mm512_loadu_si512(tiles.biases);
    const Writer writer(tiles);
    for (std::size_t x = 0; x < tiles.pixels; x += tilePixels) {
        const std::size_t start = tiles.pixels >= tilePixels ? std::min(x, tiles.pixels - tilePixels) : 0;
        Group group0{bias, bias, bias};
        Group group1 = group0;
        Group group2 = group0;
        Group group3 = group0;
        const std::int8_t* weights = tiles.weights;
        for (std::size_t row = 0; row < tiles.rows; ++row) {
            const std::uint8_t* pixel = tiles.input + row * tiles.rowBytes + start * tiles.pixelStep;
            for (std::size_t i = 0; i < tiles.quads; ++i) {
                const __m512i weight = _mm512_loadu_si512(weights);
                weights += blockOutputs * quad;
                group0.add(pixel, tiles.pixelStep, weight);
                group1.add(pixel + groupStep, tiles.pixelStep, weight);
                group2.add(pixel + 2 * groupStep, tiles.pixelStep, weight);
                group3.add(pixel + 3 * groupStep, tiles.pixelStep, weight);
                pixel += quad;
            }
        }
        const std::size_t end = std::min(tilePixels, tiles.pixels - start);
        std::int8_t* const to = tiles.output + start * tiles.outputStep;
        writer.write(group0, 0, x - start, end, to);
        writer.write(group1, tileGroupPixels, x - start, end, to);
        writer.write(group2, 2 * tileGroupPixels, x - start, end, to);
        writer.write(group3, 3 * tileGroupPixels, x - start, end, to);
    }
}
#else
void computeTiles(const Tiles&) {
}
#endif

}  // namespace

bool hasFastByteConvolution() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return has;
#else
    return false;
#endif
}

bool hasByteTiles() {
#if defined(__x86_64__)
    static const bool has = __builtin_cpu_supports("amx-int8") != 0;
    return has;
#else
    return false;
#endif
}

ByteConvolution::ByteConvolution(const ImageConvolution& shape, const ByteFilter& filter)
    : form(shape),
      zero(static_cast<std::uint8_t>(filter.inputZero) ^ signBit),
      outputZero(filter.outputZero),
      low(filter.low),
      high(filter.high) {
    const std::size_t rows = shape.height.kernel;
    const std::size_t rowBytesOfFilter = shape.width.kernel * shape.inputChannels;
    const std::size_t blocks = blocksOf(shape);
    weights.resize(blocks * rows * rowQuads(shape) * blockOutputs * quad);
    biases.resize(blocks * blockOutputs);
    scales.resize(blocks * blockOutputs);
    for (std::size_t output = 0; output < shape.outputChannels; ++output) {
        const std::size_t lane = output % blockOutputs;
        std::int32_t sum = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const std::int8_t* const from = filter.weights + (output * rows + row) * rowBytesOfFilter;
            std::int8_t* const to =
                weights.data() +
                (output / blockOutputs * rows + row) * rowQuads(shape) * blockOutputs * quad + lane * quad;
            for (std::size_t i = 0; i < rowBytesOfFilter; ++i) {
                to[i / quad * blockOutputs * quad + i % quad] = from[i];
                sum += from[i];
            }
        }
        biases[output] = biasOf(filter.bias == nullptr ? 0 : filter.bias[output], sum, zero);
        scales[output] = filter.scales[output];
    }
}

std::size_t ByteConvolution::scratchElements(const ImageConvolution& shape) {
    return shape.height.kernel * rowBytes(shape);
}

std::size_t ByteConvolution::packedBytes() const {
    return weights.size() + biases.size() * (sizeof(std::int32_t) + sizeof(float));
}

void ByteConvolution::computeRows(const std::int8_t* input, std::int8_t* output, std::size_t begin,
                                  std::size_t end, std::uint8_t* scratch) const {
    const std::size_t rows = form.height.kernel;
    for (std::size_t row = begin; row < end; ++row) {
        const std::int8_t* const image = input + row / form.height.output * form.inputElements();
        const std::size_t top = row % form.height.output * form.height.stride;
        for (std::size_t tap = 0; tap < rows; ++tap) {
            turnRow(form, image, top + tap * form.height.dilation, zero,
                    {scratch + tap * rowBytes(form), rowBytes(form)});
        }
        for (std::size_t block = 0; block < blocksOf(form); ++block) {
            computeTiles({.input = scratch,
                          .rowBytes = rowBytes(form),
                          .rows = rows,
                          .quads = rowQuads(form),
                          .pixelStep = form.width.stride * form.inputChannels,
                          .weights = weights.data() + block * rows * rowQuads(form) * blockOutputs * quad,
                          .biases = biases.data() + block * blockOutputs,
                          .scales = scales.data() + block * blockOutputs,
                          .output = output + row * form.rowElements() + block * blockOutputs,
                          .pixels = form.width.output,
                          .outputStep = form.outputChannels,
                          .outputs = std::min(blockOutputs, form.outputChannels - block * blockOutputs),
                          .outputZero = outputZero,
                          .low = low,
                          .high = high});
        }
    }
}

}  // namespace et::kernels::quantized
