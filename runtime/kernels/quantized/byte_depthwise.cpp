#include "runtime/kernels/quantized/byte_depthwise.h"

#include "runtime/kernels/quantized/byte_depthwise_vectors.h"
#include "runtime/kernels/quantized/sign_flipped_row.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace et::kernels::quantized {
namespace {

using dense::ImageConvolution;

/// Returns the position of `channel` among the dwords of four vectors of `width` channels, in the order
/// produced by interleaving the bytes of four pixels.
std::size_t placeOf(std::size_t channel, std::size_t width) {
    constexpr std::size_t lane = 16;
    constexpr std::size_t quarter = lane / 4;
    return channel % lane / quarter * (width / 4) + channel / lane * quarter + channel % quarter;
}

/// Calls `use` for blocks of channels, the widest first.
template <class Use>
void forBlocks(std::size_t channels, const Use& use) {
    for (std::size_t first = 0; first < channels;) {
        const std::size_t width = depthwiseWidth(channels - first);
        use(first, width, std::min(width, channels - first));
        first += width;
    }
}

std::size_t paddedChannels(std::size_t channels) {
    std::size_t padded = 0;
    forBlocks(channels, [&](std::size_t first, std::size_t width, std::size_t) { padded = first + width; });
    return padded;
}

/// Returns the number of 4-pixel groups spanned by a kernel row.
std::size_t quadsOf(const ImageConvolution& form) {
    return (form.width.kernel + quad - 1) / quad;
}

/// Returns the number of outputs in a row that read the same groups.
std::size_t outputsSharingGroups(const ImageConvolution& form) {
    return (quadsOf(form) * quad - form.width.kernel) / form.width.stride + 1;
}

/// Returns the bytes of an input row with its padding and the bytes read after it.
std::size_t rowBytesOf(const ImageConvolution& form) {
    const std::size_t together = outputsSharingGroups(form);
    const std::size_t steps = (form.width.output + together - 1) / together;
    const std::size_t pixels = (steps - 1) * together * form.width.stride + quadsOf(form) * quad;
    return pixels * form.inputChannels + maxDepthwiseWidth;
}

/// Returns the number of input rows to keep: all that an output row reads.
std::size_t keptRows(const ImageConvolution& form) {
    return (form.height.kernel - 1) * form.height.dilation + 1;
}

}  // namespace

ByteDepthwise::ByteDepthwise(const ImageConvolution& shape, const ByteFilter& filter)
    : form(shape),
      quads(quadsOf(shape)),
      together(outputsSharingGroups(shape)),
      zero(static_cast<std::uint8_t>(filter.inputZero) ^ signBit),
      outputZero(filter.outputZero),
      low(filter.low),
      high(filter.high) {
    const std::size_t padded = paddedChannels(form.inputChannels);
    weights.resize(weightBytes(padded));
    biases.resize(padded);
    scales.resize(padded);
    forBlocks(form.inputChannels, [&](std::size_t first, std::size_t width, std::size_t count) {
        std::int8_t* const block = weights.data() + weightBytes(first);
        for (std::size_t channel = 0; channel < count; ++channel) {
            const std::size_t place = placeOf(channel, width);
            const std::int32_t sum = packChannel(filter.weights + first + channel, block, width, place);
            const std::int32_t bias = filter.bias == nullptr ? 0 : filter.bias[first + channel];
            biases[first + place] = biasOf(bias, sum, zero);
            scales[first + place] = filter.scales[first + channel];
        }
    });
}

std::size_t ByteDepthwise::weightBytes(std::size_t channels) const {
    return form.height.kernel * together * quads * quad * channels;
}

std::int32_t ByteDepthwise::packChannel(const std::int8_t* from, std::int8_t* block, std::size_t width,
                                        std::size_t place) const {
    std::int32_t sum = 0;
    for (std::size_t row = 0; row < form.height.kernel; ++row) {
        for (std::size_t column = 0; column < form.width.kernel; ++column) {
            const std::int8_t weight = from[(row * form.width.kernel + column) * form.inputChannels];
            sum += weight;
            for (std::size_t output = 0; output < together; ++output) {
                const std::size_t pixel = output * form.width.stride + column;
                const std::size_t vectors = (row * together + output) * quads + pixel / quad;
                block[(vectors * width + place) * quad + pixel % quad] = weight;
            }
        }
    }
    return sum;
}

std::size_t ByteDepthwise::packedBytes() const {
    return weights.size() + biases.size() * (sizeof(std::int32_t) + sizeof(float));
}

/// Caches padded input rows, which are shared between output rows.
class ByteDepthwise::RowMaker {
  public:
    RowMaker(const ByteDepthwise& of, std::uint8_t* memory)
        : depthwise(of), form(of.form), scratch(memory), rowBytes(rowBytesOf(of.form)) {
        held.fill(none);
    }

    /// Returns row `y` of `image`, counted from the start of the padding above it.
    const std::uint8_t* row(const std::int8_t* image, std::size_t y) {
        const std::size_t slot = y % keptRows(form);
        std::uint8_t* const made = scratch + slot * rowBytes;
        if (from != image) {
            held.fill(none);
            from = image;
        }
        if (std::exchange(held[slot], y) != y) {
            turnRow(form, image, y, depthwise.zero, {made, rowBytes});
        }
        return made;
    }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    const ByteDepthwise& depthwise;
    const ImageConvolution& form;
    std::uint8_t* scratch;
    std::size_t rowBytes;
    const std::int8_t* from = nullptr;
    std::array<std::size_t, maxDepthwiseRows> held{};  ///< row index `y` in each slot
};

std::size_t ByteDepthwise::scratchElements(const ImageConvolution& shape) {
    return keptRows(shape) * rowBytesOf(shape);
}

void ByteDepthwise::computeRows(const std::int8_t* input, std::int8_t* output, std::size_t begin,
                                std::size_t end, std::uint8_t* scratch) const {
    RowMaker maker(*this, scratch);
    const std::size_t rows = form.height.kernel;
    std::array<const std::uint8_t*, maxDepthwiseHeight> inputs{};
    for (std::size_t row = begin; row < end; ++row) {
        const std::int8_t* const image = input + row / form.height.output * form.inputElements();
        const std::size_t top = row % form.height.output * form.height.stride;
        for (std::size_t tap = 0; tap < rows; ++tap) {
            inputs[tap] = maker.row(image, top + tap * form.height.dilation);
        }
        forBlocks(form.inputChannels, [&](std::size_t first, std::size_t width, std::size_t count) {
            depthwiseRow({.inputs = inputs.data(),
                          .rows = rows,
                          .quads = quads,
                          .together = together,
                          .first = first,
                          .width = width,
                          .count = count,
                          .pixelStep = form.inputChannels,
                          .stride = form.width.stride,
                          .pixels = form.width.output,
                          .weights = weights.data() + weightBytes(first),
                          .biases = biases.data() + first,
                          .scales = scales.data() + first,
                          .output = output + row * form.rowElements() + first,
                          .outputZero = outputZero,
                          .low = low,
                          .high = high});
        });
    }
}

}  // namespace et::kernels::quantized
