#include "backends/xnnpack/custom_kernels/custom_node.h"

#include "backends/xnnpack/custom_kernels/custom_byte_arithmetic.h"
#include "backends/xnnpack/custom_kernels/custom_product.h"
#include "backends/xnnpack/custom_kernels/faster_nodes.h"
#include "backends/xnnpack/nodes/byte_nodes.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "runtime/kernels/half_conversion.h"
#include "runtime/kernels/quantized/affine_simd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::backends::xnnpack {

using core::Result;

namespace {

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

void readNumbers(Datatype storage, const void* from, std::size_t first, std::span<float> to) {
    if (storage == Datatype::Fp16) {
        kernels::floatsFrom(static_cast<const core::Half*>(from) + first, to.data(), to.size());
    } else {
        std::copy_n(static_cast<const float*>(from) + first, to.size(), to.data());
    }
}

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
