#include "runtime/kernels/torchao/linear.h"

#include "runtime/kernels/quantized/affine_simd.h"
#include "runtime/kernels/tensor_checks.h"
#include "runtime/kernels/torchao/packed_loops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::kernels::torchao {
namespace {

/// Pieces of work per thread, each with memory for an unpacked block.
constexpr std::size_t piecesPerThread = 4;

/// Memory for the blocks that are unpacked at the same time.
template <class Number>
struct BlockMemory {
    /// Errors: Limit.
    static core::Result<BlockMemory> make(KernelContext& context, std::size_t blocks,
                                          const PackedWeights& weights) {
        BlockMemory memory{.pieces = std::min(blocks, context.threads().threads() * piecesPerThread),
                           .numberCount = weights.depth() * blockOutputs,
                           .scaleCount = weights.groups() * blockOutputs};
        ET_ASSIGN(memory.numbers, context.scratch<Number>(memory.pieces * memory.numberCount));
        ET_ASSIGN(memory.scales, context.scratch<float>(memory.pieces * memory.scaleCount));
        return memory;
    }

    [[nodiscard]] UnpackedBlock<Number> piece(std::size_t index) const {
        return {.numbers = numbers.data() + index * numberCount,
                .scales = scales.data() + index * scaleCount};
    }

    /// Calls `visit(block, memory)` for `blocks` blocks, multithreaded.
    template <class Visit>
    void forBlocks(KernelContext& context, std::size_t blocks, const Visit& visit) const {
        context.threads().parallelFor(pieces, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t index = begin; index < end; ++index) {
                for (std::size_t i = blocks * index / pieces; i < blocks * (index + 1) / pieces; ++i) {
                    visit(i, piece(index));
                }
            }
        });
    }

    std::size_t pieces;
    std::size_t numberCount;
    std::size_t scaleCount;
    std::span<Number> numbers{};
    std::span<float> scales{};
};

/// `memory` is used for several rows.
template <class Number>
void multiply(const PackedBlock& block, UnpackedBlock<Number> memory, const BlockOfRows<Number>& rows) {
    if (rows.count == 1) {
        multiplyBlock(block, rows);
        return;
    }
    unpackBlock(block, memory);
    multiplyBlock(memory, rows);
}

/// Quantizes a row as choose_qparams_affine and quantize_affine of torchao. Writes integers minus their zero
/// point; returns the scale.
float quantizeRow(std::span<const float> row, std::span<std::int8_t> bytes, std::int16_t* to) {
    float low = 0;
    float high = 0;
    for (const float number : row) {
        low = std::min(low, number);
        high = std::max(high, number);
    }
    constexpr float least = -128;
    constexpr float most = 127;
    const float scale = std::max((high - low) / (most - least), std::numeric_limits<float>::min());
    const float zero = std::clamp(least - std::nearbyint(low / scale), least, most);
    const float zeroPoint = std::isfinite(zero) ? zero : 0;
    quantized::quantize<std::int8_t>(
        row.data(), row.size(),
        {.inverseScale = 1 / scale, .zeroPoint = zeroPoint, .low = least, .high = most}, bytes.data());
    const auto offset = static_cast<std::int16_t>(zeroPoint);
    std::ranges::transform(bytes, to,
                           [&](std::int8_t byte) { return static_cast<std::int16_t>(byte - offset); });
    return scale;
}

}  // namespace

core::Result<> multiplyLowBits(KernelContext& context, int bits, const Tensor& activations,
                               const Tensor& packedWeights, std::int64_t groupSize, std::int64_t outputs,
                               std::int64_t depth, Tensor& out) {
    ET_TRY(expectRank("activations", activations, ScalarType::Float, 2));
    ET_TRY(expectTensor("activations", activations, ScalarType::Float, {activations.size(0), depth}));
    ET_ASSIGN(const PackedWeights weights,
              PackedWeights::read("packed_weights", packedWeights,
                                  {.outputs = outputs, .depth = depth, .group = groupSize, .bits = bits}));
    ET_TRY(resizeResult(out, ScalarType::Float, {activations.size(0), outputs}));
    const auto count = static_cast<std::size_t>(activations.size(0));
    const std::size_t width = weights.depth();
    ET_ASSIGN(const auto rows, context.scratch<std::int16_t>(count * width));
    ET_ASSIGN(const auto bytes, context.scratch<std::int8_t>(count * width));
    ET_ASSIGN(const auto rowScales, context.scratch<float>(count));
    context.threads().parallelFor(
        count, (std::size_t{1} << 14U) / width + 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                rowScales[i] = quantizeRow(std::span(activations.data<float>() + i * width, width),
                                           bytes.subspan(i * width, width), rows.data() + i * width);
            }
        });
    ET_ASSIGN(const auto memory, BlockMemory<std::int16_t>::make(context, weights.blocks(), weights));
    memory.forBlocks(context, weights.blocks(), [&](std::size_t index, UnpackedBlock<std::int16_t> block) {
        const std::size_t first = index * blockOutputs;
        multiply<std::int16_t>(weights.block(index), block,
                               {.rows = rows.data(),
                                .rowScales = rowScales.data(),
                                .count = count,
                                .depth = width,
                                .group = static_cast<std::size_t>(groupSize),
                                .to = out.mutableData<float>() + first,
                                .stride = weights.outputs(),
                                .outputs = std::min(blockOutputs, weights.outputs() - first)});
    });
    return {};
}

core::Result<> multiplyFloats(KernelContext& context, std::span<const FloatProduct> products) {
    if (products.empty()) {
        return {};
    }
    const PackedWeights& form = products.front().weights;
    const std::size_t blocks = form.blocks();
    ET_ASSIGN(const auto memory, BlockMemory<float>::make(context, blocks * products.size(), form));
    memory.forBlocks(context, blocks * products.size(), [&](std::size_t index, UnpackedBlock<float> block) {
        const FloatProduct& product = products[index / blocks];
        const std::size_t first = index % blocks * blockOutputs;
        multiply<float>(product.weights.block(index % blocks), block,
                        {.rows = product.rows.rows,
                         .rowScales = nullptr,
                         .count = product.rows.count,
                         .depth = form.depth(),
                         .group = form.depth(),
                         .to = product.rows.to + first,
                         .stride = form.outputs(),
                         .outputs = std::min(blockOutputs, form.outputs() - first)});
    });
    return {};
}

}  // namespace et::kernels::torchao
