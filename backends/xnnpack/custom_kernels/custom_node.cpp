#include "backends/xnnpack/custom_kernels/custom_node.h"

#include "backends/xnnpack/custom_kernels/custom_byte_arithmetic.h"
#include "backends/xnnpack/custom_kernels/faster_nodes.h"
#include "backends/xnnpack/nodes/byte_nodes.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "runtime/kernels/dense/half_dot.h"
#include "runtime/kernels/half_conversion.h"
#include "runtime/kernels/quantized/affine_simd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

using core::Result;

namespace {

/// Reads numbers `first`, `first + 1`, ... of fp16 or fp32 storage.
void readNumbers(Datatype storage, const void* from, std::size_t first, std::span<float> to) {
    if (storage == Datatype::Fp16) {
        kernels::floatsFrom(static_cast<const core::Half*>(from) + first, to.data(), to.size());
    } else {
        std::copy_n(static_cast<const float*>(from) + first, to.size(), to.data());
    }
}

/// Product with constant weights: fp16, or quantized ones that are dequantized in each run, as many rows as a
/// thread processes at a time. Sums are in fp32, in the order of PyTorch's half-precision products: used for
/// its results, not for its speed.
class CustomProduct final : public CustomNode {
  public:
    CustomProduct(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    void runTiles(const float* from, void* to, std::size_t slot);
    void loadTile(std::size_t channel, std::size_t count, float* tile) const;
    void loadRow(std::size_t channel, std::span<float> row) const;
    void dequantize(std::size_t channel, std::size_t first, float scale, std::span<float> to) const;
    void finish(std::size_t row, std::size_t channel, std::span<float> sums, void* to) const;

    const kernels::ThreadPool& threads;
    ValueIndex input;
    ValueIndex output;
    Datatype weightType;
    Datatype numbers;        ///< Fp32, Fp16 or BFloat16: type that dequantized weights are rounded to
    Datatype inputStorage;   ///< Fp32 or Fp16
    Datatype outputType;     ///< Fp32, Fp16 or BFloat16
    Datatype outputStorage;  ///< Fp32 or Fp16
    const std::byte* weights;
    std::span<const float> channelScales;
    std::span<const std::uint16_t> blockScales;
    std::size_t blockSize = 0;
    std::vector<float> bias;  ///< none: empty
    OutputRange range;
    std::size_t channels;
    std::size_t depth;
    std::size_t rows = 0;
    std::size_t slots = 0;       ///< number of tasks that run concurrently
    std::vector<float> tiles;    ///< one tile per slot
    std::vector<float> widened;  ///< fp32 copy of an fp16 input
};

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

/// Numbers processed together, on the stack.
constexpr std::size_t blockNumbers = 512;
/// Fewer are not worth another thread.
constexpr std::size_t numbersPerThread = std::size_t{1} << 15U;

constexpr float lowest = -128;
constexpr float highest = 127;

template <class T>
void roundBlock(std::span<float> numbers) {
    std::array<T, blockNumbers> rounded;
    kernels::floatsTo(numbers.data(), rounded.data(), numbers.size());
    kernels::floatsFrom(rounded.data(), numbers.data(), numbers.size());
}

float rounded(Datatype type, float number) {
    roundNumbers(type, std::span(&number, 1));
    return number;
}

/// The minimum scale.
float epsilonOf(Datatype type, NodePath path) {
    if (path == NodePath::CustomWhole) {
        return 0x1p-12F;
    }
    return type == Datatype::Fp16       ? 0x1p-10F
           : type == Datatype::BFloat16 ? 0x1p-7F
                                        : std::numeric_limits<float>::epsilon();
}

DynamicParameters chooseAsLibrary(float min, float max) {
    DynamicParameters made;
    made.inverse = min == max ? 1 : (highest - lowest) / (max - min);
    made.scale = 1 / made.inverse;
    const float low = min * made.inverse;
    const float high = max * made.inverse;
    // Uses the end of the range with the smaller error.
    const float exact = (lowest + low) + (highest + high) > 0 ? lowest - low : highest - high;
    // NaN, from infinite inputs, becomes the lowest value.
    made.zeroPoint = std::nearbyint(std::fmin(std::fmax(exact, lowest), highest));
    // The library stores the scale and multiplies by its inverse, which rounds halves differently.
    made.inverse = 1 / made.scale;
    return made;
}

bool isFloat(Datatype type) {
    return type == Datatype::Fp32 || type == Datatype::Fp16 || type == Datatype::BFloat16;
}

/// Quantizes each row, or the whole tensor, to 8 bits and back.
class DynamicQuantization final : public CustomNode {
  public:
    DynamicQuantization(const Source& source, const PayloadNode& node, NodePath as)
        : threads(source.threads),
          input(node.inputs[0]),
          output(node.outputs[0]),
          type(source.payload.value(input).datatype),
          storage(computedAs(type, source.widenHalf)),
          result(as == NodePath::Library ? Datatype::Fp32 : type),
          steps(as == NodePath::Own ? type : Datatype::Fp32),
          path(as) {
        const auto* rowsOf = std::get_if<PerTokenQuantization>(&source.payload.value(output).quantization);
        rowDims = rowsOf != nullptr ? rowsOf->nonbatchDims : 1;
    }

    [[nodiscard]] std::string name() const override {
        return fmt::format("Convert (NC, {}, QD8)", type == Datatype::Fp16       ? "F16"
                                                    : type == Datatype::BFloat16 ? "BF16"
                                                                                 : "F32");
    }

    void reshape(const Shapes& shapes) override {
        const ValueSizes& sizes = shapes[input];
        rows = 1;
        columns = 1;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const bool isBatch = path != NodePath::CustomWhole && i + rowDims < sizes.size();
            (isBatch ? rows : columns) *= sizes[i];
        }
    }

    void run(std::span<void* const> places) override {
        const void* from = places[input];
        auto* to = static_cast<float*>(places[output]);
        threads.parallelFor(rows, numbersPerThread / std::max<std::size_t>(columns, 1) + 1,
                            [&](std::size_t begin, std::size_t end) {
                                for (std::size_t row = begin; row < end; ++row) {
                                    convertRow(from, row * columns, to + row * columns);
                                }
                            });
    }

  private:
    using Block = std::array<float, blockNumbers>;

    /// Calls `use(block, position)` for the blocks of a row.
    template <class Use>
    void forBlocks(const void* from, std::size_t first, const Use& use) const {
        Block block;
        for (std::size_t at = 0; at < columns; at += blockNumbers) {
            const std::span<float> numbers(block.data(), std::min(blockNumbers, columns - at));
            readNumbers(storage, from, first + at, numbers);
            roundNumbers(result, numbers);
            use(numbers, at);
        }
    }

    void convertRow(const void* from, std::size_t first, float* to) const {
        float min = 0;
        float max = 0;
        forBlocks(from, first, [&](std::span<const float> numbers, std::size_t) {
            for (const float number : numbers) {
                min = number < min ? number : min;
                max = number > max ? number : max;
            }
        });
        const DynamicParameters by = chooseParameters(min, max, type, path);
        forBlocks(from, first, [&](std::span<float> numbers, std::size_t at) {
            std::array<std::int8_t, blockNumbers> quantized;
            for (float& number : numbers) {
                number *= by.inverse;
            }
            roundNumbers(steps, numbers);
            kernels::quantized::quantize(
                numbers.data(), numbers.size(),
                {.inverseScale = 1, .zeroPoint = by.zeroPoint, .low = lowest, .high = highest},
                quantized.data());
            kernels::quantized::dequantize(quantized.data(), numbers.size(), by.scale, by.zeroPoint, to + at);
            roundNumbers(result, std::span(to + at, numbers.size()));
        });
    }

    const kernels::ThreadPool& threads;
    ValueIndex input;
    ValueIndex output;
    Datatype type;
    Datatype storage;
    Datatype result;  ///< type of the dequantized numbers; fp32 in the library
    Datatype steps;   ///< type for rounding intermediate values
    NodePath path;
    std::size_t rowDims = 1;  ///< number of trailing dimensions that form a row
    std::size_t rows = 0;
    std::size_t columns = 0;
};

}  // namespace

void roundNumbers(Datatype type, std::span<float> numbers) {
    for (std::size_t at = 0; type != Datatype::Fp32 && at < numbers.size(); at += blockNumbers) {
        const auto block = numbers.subspan(at, std::min(blockNumbers, numbers.size() - at));
        type == Datatype::Fp16 ? roundBlock<core::Half>(block) : roundBlock<core::BFloat16>(block);
    }
}

DynamicParameters chooseParameters(float min, float max, Datatype type, NodePath path) {
    if (path == NodePath::Library) {
        return chooseAsLibrary(min, max);
    }
    const Datatype steps = path == NodePath::CustomWhole ? Datatype::Fp32 : type;
    DynamicParameters made;
    const float width = rounded(type, rounded(type, max - min) / (highest - lowest));
    made.scale = std::max(width, epsilonOf(type, path));
    made.inverse = rounded(steps, 1 / made.scale);
    made.zeroPoint = std::clamp(lowest - std::nearbyint(rounded(steps, min / made.scale)), lowest, highest);
    return made;
}

Result<std::unique_ptr<CustomNode>> makeOwnNode(const CustomNode::Source& source, std::size_t node,
                                                NodePath path) {
    const PayloadNode& which = source.payload.nodes[node];
    if (isSumOfDistantScales(source.payload, which)) {
        return makeByteSum(source, which);
    }
    if (path == NodePath::CustomFaster) {
        return makeFasterNode(source, which);
    }
    const bool isProduct = which.traits->form() == NodeForm::FullyConnected;
    const ValueIndex bias = isProduct ? which.inputs[2] : noValue;
    const Datatype from = source.payload.value(which.inputs[0]).datatype;
    const Datatype to = source.payload.value(which.outputs[0]).datatype;
    if ((!isProduct && !isFloat(from)) || (isProduct && !isFloat(to)) ||
        (bias != noValue && !isFloat(source.payload.value(bias).datatype))) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("no support for {} from {} to {}", which.traits->name,
                                      datatypeName(from), datatypeName(to)),
                          {.file = {}, .field = fmt::format("nodes[{}]", node), .offset = {}});
    }
    // Only values computed or given in a run have an address.
    if (source.payload.value(which.inputs[0]).constant != 0) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("no support for {} of a constant", which.traits->name),
                          {.file = {}, .field = fmt::format("nodes[{}]", node), .offset = {}});
    }
    if (isProduct) {
        return std::make_unique<CustomProduct>(source, which);
    }
    return std::make_unique<DynamicQuantization>(source, which, path);
}

}  // namespace et::backends::xnnpack
