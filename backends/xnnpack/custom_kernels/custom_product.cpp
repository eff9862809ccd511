#include "backends/xnnpack/custom_kernels/custom_product.h"

#include "backends/xnnpack/nodes/stored_types.h"
#include "runtime/kernels/dense/half_dot.h"
#include "runtime/kernels/half_conversion.h"
#include "runtime/kernels/quantized/affine_simd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace et::backends::xnnpack {
namespace {

/// Number of channels whose weights are dequantized together: few enough to stay cached.
constexpr std::size_t tileChannels = 16;
constexpr std::size_t slotsPerThread = 2;
/// Number of 4-bit weights unpacked together, on the stack.
constexpr std::size_t unpackedWeights = 256;

/// A stored 4-bit 0 represents -8.
constexpr int int4ZeroPoint = 8;

std::size_t bytesOfRow(Datatype type, std::size_t depth) {
    return type == Datatype::Fp16 ? depth * 2 : type == Datatype::QCInt8 ? depth : (depth + 1) / 2;
}

float fromBFloat16(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16U);
}

/// Unpacks weights first, first + 1, ... of a row of 4-bit weights; the first one of each pair is in the
/// lower bits.
void unpack(const std::byte* row, std::size_t first, std::span<std::int8_t> to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
        const auto both = std::to_integer<unsigned>(row[(first + i) / 2]);
        const unsigned one = (first + i) % 2 == 0 ? both & 15U : both >> 4U;
        to[i] = static_cast<std::int8_t>(static_cast<int>(one) - int4ZeroPoint);
    }
}

/// The type of dequantized numbers: that of the values before quantization.
Datatype typeOfNumbers(const Payload& payload, ValueIndex value) {
    if (payload.value(value).datatype != Datatype::QDInt8) {
        return payload.value(value).datatype;
    }
    const auto writer = std::ranges::find_if(
        payload.nodes, [&](const PayloadNode& node) { return node.outputs[0] == value; });
    return writer == payload.nodes.end() ? Datatype::Fp32 : payload.value(writer->inputs[0]).datatype;
}

std::vector<float> biasOf(const CustomNode::Source& source, ValueIndex value, std::size_t channels) {
    if (value == noValue) {
        return {};
    }
    std::vector<float> bias(channels);
    readNumbers(computedAs(source.payload.value(value).datatype, source.widenHalf),
                source.constants.data(value), 0, bias);
    return bias;
}

}  // namespace

CustomProduct::CustomProduct(const Source& source, const PayloadNode& node)
    : threads(source.threads),
      input(node.inputs[0]),
      output(node.outputs[0]),
      weightType(source.payload.value(node.inputs[1]).datatype),
      numbers(typeOfNumbers(source.payload, input)),
      inputStorage(weightType == Datatype::Fp16 ? Datatype::Fp16 : Datatype::Fp32),
      outputType(source.payload.value(output).datatype),
      outputStorage(computedAs(outputType, source.widenHalf)),
      weights(static_cast<const std::byte*>(source.constants.data(node.inputs[1]))),
      channelScales(source.constants.channelScales(node.inputs[1])),
      blockScales(source.constants.blockScales(node.inputs[1])),
      range(node.range.value_or(OutputRange{})),
      channels(source.payload.value(node.inputs[1]).sizes[0]),
      depth(source.payload.value(node.inputs[1]).sizes[1]) {
    const auto* blocks =
        std::get_if<BlockwiseQuantization>(&source.payload.value(node.inputs[1]).quantization);
    blockSize = blocks != nullptr ? blocks->blockSize : depth;
    bias = biasOf(source, node.inputs[2], channels);
}

std::string CustomProduct::name() const {
    const std::string_view out = outputType == Datatype::Fp16       ? "F16"
                                 : outputType == Datatype::BFloat16 ? "BF16"
                                                                    : "F32";
    switch (weightType) {
        case Datatype::QCInt8:
            return fmt::format("Fully Connected (NC, QD8, {}, QC8W)", out);
        case Datatype::QCInt4:
            return fmt::format("Fully Connected (NC, QD8, {}, QC4W)", out);
        case Datatype::QBInt4:
            return fmt::format("Fully Connected (NC, QD8, {}, QB4W)", out);
        default:
            return fmt::format("Fully Connected (NC, {})", out);
    }
}

void CustomProduct::reshape(const Shapes& shapes) {
    const ValueSizes& sizes = shapes[input];
    rows = 1;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        rows *= sizes[i];
    }
    slots = std::min(threads.threads() * slotsPerThread, (channels + tileChannels - 1) / tileChannels);
    tiles.resize(slots * tileChannels * depth);
    widened.resize(inputStorage == Datatype::Fp16 ? rows * depth : 0);
}

void CustomProduct::run(std::span<void* const> places) {
    const void* from = places[input];
    if (inputStorage == Datatype::Fp16) {
        readNumbers(Datatype::Fp16, from, 0, widened);
        from = widened.data();
    }
    threads.parallelFor(slots, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin; slot < end; ++slot) {
            runTiles(static_cast<const float*>(from), places[output], slot);
        }
    });
}

void CustomProduct::runTiles(const float* from, void* to, std::size_t slot) {
    float* tile = tiles.data() + slot * tileChannels * depth;
    std::array<float, tileChannels> sums{};
    for (std::size_t channel = slot * tileChannels; channel < channels; channel += slots * tileChannels) {
        const std::size_t count = std::min(tileChannels, channels - channel);
        loadTile(channel, count, tile);
        for (std::size_t row = 0; row < rows; ++row) {
            kernels::dense::dotRows(from + row * depth, tile, static_cast<std::ptrdiff_t>(depth), count,
                                    depth, sums.data());
            finish(row, channel, std::span(sums).first(count), to);
        }
    }
}

void CustomProduct::loadTile(std::size_t channel, std::size_t count, float* tile) const {
    for (std::size_t i = 0; i < count; ++i) {
        loadRow(channel + i, std::span(tile + i * depth, depth));
    }
}

void CustomProduct::loadRow(std::size_t channel, std::span<float> row) const {
    if (weightType == Datatype::Fp16) {
        readNumbers(Datatype::Fp16, weights, channel * depth, row);
        return;
    }
    const std::size_t blocks = depth / blockSize;
    for (std::size_t first = 0; first < depth; first += blockSize) {
        const std::size_t count = std::min(blockSize, depth - first);
        const float scale = blockScales.empty()
                                ? channelScales[channel]
                                : fromBFloat16(blockScales[channel * blocks + first / blockSize]);
        dequantize(channel, first, scale, row.subspan(first, count));
    }
    roundNumbers(numbers, row);
}

void CustomProduct::dequantize(std::size_t channel, std::size_t first, float scale,
                               std::span<float> to) const {
    const std::byte* row = weights + channel * bytesOfRow(weightType, depth);
    if (weightType == Datatype::QCInt8) {
        kernels::quantized::dequantize(reinterpret_cast<const std::int8_t*>(row) + first, to.size(), scale, 0,
                                       to.data());
        return;
    }
    std::array<std::int8_t, unpackedWeights> unpacked;
    for (std::size_t at = 0; at < to.size(); at += unpacked.size()) {
        const std::size_t count = std::min(unpacked.size(), to.size() - at);
        unpack(row, first + at, std::span(unpacked).first(count));
        kernels::quantized::dequantize(unpacked.data(), count, scale, 0, to.data() + at);
    }
}

void CustomProduct::finish(std::size_t row, std::size_t channel, std::span<float> sums, void* to) const {
    for (std::size_t i = 0; i < sums.size() && !bias.empty(); ++i) {
        sums[i] += bias[channel + i];
    }
    roundNumbers(outputType, sums);
    for (float& sum : sums) {
        sum = std::clamp(sum, range.min, range.max);
    }
    const std::size_t at = row * channels + channel;
    if (outputStorage == Datatype::Fp16) {
        kernels::floatsTo(sums.data(), static_cast<core::Half*>(to) + at, sums.size());
    } else {
        std::ranges::copy(sums, static_cast<float*>(to) + at);
    }
}

}  // namespace et::backends::xnnpack
