#include "runtime/kernels/torchao/embedding.h"

#include "runtime/kernels/elements.h"
#include "runtime/kernels/quantized/affine_simd.h"
#include "runtime/kernels/tensor_checks.h"
#include "runtime/kernels/torchao/packed_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::kernels::torchao {
namespace {

/// Kind, version, bits, and the sizes of the shortest and longest run of integers.
constexpr std::array<std::int32_t, 5> embeddingHeader(int bits) {
    return {2, 1, bits, 32, 128};
}

/// A divisor of the longest run.
constexpr std::int64_t shortestRun = 32;
constexpr std::size_t longestRun = 128;

core::Result<std::span<const std::int64_t>> readIndices(KernelContext& context, const Tensor& indices,
                                                        std::int64_t rows) {
    if ((indices.dtype() != ScalarType::Long && indices.dtype() != ScalarType::Int) || indices.dim() != 1) {
        return invalid(fmt::format("indices: expected int64 or int32 with 1 dimension, got {}",
                                   core::describe(indices)));
    }
    const auto count = static_cast<std::size_t>(indices.numel());
    ET_ASSIGN(const auto numbers, context.scratch<std::int64_t>(count));
    elementLoader<std::int64_t>(indices.dtype())(indices.raw(), 1, numbers.data(), count);
    for (const std::int64_t row : numbers) {
        if (row < 0 || row >= rows) {
            return invalid(fmt::format("indices: expected 0 to {}, got {}", rows - 1, row));
        }
    }
    return numbers;
}

/// Calls `visit(row, out)` for each index, multithreaded.
template <class Visit>
void forRows(KernelContext& context, std::span<const std::int64_t> indices, std::size_t depth, Tensor& out,
             const Visit& visit) {
    context.threads().parallelFor(
        indices.size(), (std::size_t{1} << 15U) / depth + 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                visit(static_cast<std::size_t>(indices[i]), out.mutableData<float>() + i * depth);
            }
        });
}

/// Checks scales, zero points and packed weights. Returns the packed rows.
core::Result<const std::uint8_t*> checkEmbedding(int bits, const LowBitEmbedding& embedding) {
    ET_TRY(expectRank("weight_scales", embedding.scales, ScalarType::Float, 2));
    const std::int64_t groups = embedding.scales.size(1);
    ET_TRY(expectTensor("weight_scales", embedding.scales, ScalarType::Float, {embedding.rows, groups}));
    ET_TRY(expectTensor("weight_zeros", embedding.zeroPoints, ScalarType::Char, {embedding.rows, groups}));
    const std::int64_t depth = embedding.depth;
    if (groups < 1 || depth < 1 || depth % groups != 0 || depth / groups % shortestRun != 0) {
        return invalid(fmt::format("embedding_dim: expected a multiple of {} per group, got {} and {} groups",
                                   shortestRun, depth, groups));
    }
    ET_ASSIGN(const auto bytes, packedBytes("packed_weight_qvals", embedding.packed));
    ET_ASSIGN(const auto header, readPackedHeader("packed_weight_qvals", bytes));
    if (!std::ranges::equal(std::span(header).first(5), embeddingHeader(bits)) ||
        std::ranges::any_of(std::span(header).subspan(5), [](std::int32_t number) { return number != 0; })) {
        return invalid(fmt::format("packed_weight_qvals: expected a header of {}-bit embeddings ({}), got {}",
                                   bits, fmt::join(embeddingHeader(bits), ", "),
                                   fmt::join(std::span(header).first(5), ", ")));
    }
    const std::size_t available = bytes.size() - packedHeaderBytes;
    // Both factors are at most 2^63 / 8.
    const std::size_t rowBytes = static_cast<std::size_t>(depth) / 8 * static_cast<std::size_t>(bits);
    const auto rows = static_cast<std::size_t>(embedding.rows);
    if (rows == 0 ? available != 0 : available % rows != 0 || available / rows != rowBytes) {
        return invalid(
            fmt::format("packed_weight_qvals: expected {} rows of {} {}-bit integers, got {} bytes",
                        embedding.rows, depth, bits, bytes.size()));
    }
    return reinterpret_cast<const std::uint8_t*>(bytes.data()) + packedHeaderBytes;
}

}  // namespace

core::Result<> embedLowBits(KernelContext& context, int bits, const LowBitEmbedding& embedding,
                            const Tensor& indices, Tensor& out) {
    ET_ASSIGN(const std::uint8_t* packed, checkEmbedding(bits, embedding));
    ET_ASSIGN(const auto rows, readIndices(context, indices, embedding.rows));
    ET_TRY(resizeResult(out, ScalarType::Float, {indices.numel(), embedding.depth}));
    const auto depth = static_cast<std::size_t>(embedding.depth);
    const auto groups = static_cast<std::size_t>(embedding.scales.size(1));
    const auto* scales = embedding.scales.data<float>();
    const auto* zeroPoints = embedding.zeroPoints.data<std::int8_t>();
    forRows(context, rows, depth, out, [&](std::size_t row, float* to) {
        std::array<std::int8_t, longestRun> integers;
        const std::uint8_t* from = packed + row * (depth / 8) * static_cast<std::size_t>(bits);
        for (std::size_t done = 0; done < depth; done += longestRun) {
            const std::size_t count = std::min(longestRun, depth - done);
            unpackIntegers(bits, count, from, integers.data());
            from += count / 8 * static_cast<std::size_t>(bits);
            for (std::size_t i = 0; i < count; i += shortestRun) {
                const std::size_t group = row * groups + (done + i) / (depth / groups);
                quantized::dequantize(integers.data() + i, shortestRun, scales[group],
                                      static_cast<float>(zeroPoints[group]), to + done + i);
            }
        }
    });
    return {};
}

core::Result<> embedShared(KernelContext& context, int bits, const Tensor& packedWeights,
                           std::int64_t groupSize, std::int64_t rows, std::int64_t depth,
                           const Tensor& indices, Tensor& out) {
    ET_ASSIGN(const PackedWeights weights,
              PackedWeights::read("packed_weights", packedWeights,
                                  {.outputs = rows, .depth = depth, .group = groupSize, .bits = bits}));
    if (weights.hasTable()) {
        return core::fail(core::ErrorCode::Unsupported, "packed_weights: expected weights without a table");
    }
    ET_ASSIGN(const auto chosen, readIndices(context, indices, rows));
    ET_TRY(resizeResult(out, ScalarType::Float, {indices.numel(), depth}));
    forRows(context, chosen, weights.depth(), out, [&](std::size_t row, float* to) {
        unpackOutput(weights.block(row / blockOutputs), row % blockOutputs, to);
    });
    return {};
}

}  // namespace et::kernels::torchao
