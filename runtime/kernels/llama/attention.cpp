#include "runtime/kernels/llama/attention.h"

#include "runtime/kernels/elements.h"
#include "runtime/kernels/llama/attention_simd.h"
#include "runtime/kernels/quantized/affine_simd.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace et::kernels::llama {
namespace {

/// Number of queries that share a block of keys while it is in the cache.
constexpr std::int64_t queryBlock = 8;
constexpr std::int64_t keyBlock = 128;

/// Sizes of an attention.
struct Extents {
    std::int64_t batch;
    std::int64_t queries;
    std::int64_t keys;
    std::int64_t heads;
    std::int64_t keyHeads;
    std::int64_t depth;
};

/// Floats of a tensor with heads; those of one position and head are contiguous.
struct Heads {
    const float* data = nullptr;
    std::int64_t batchStride = 0;
    std::int64_t positionStride = 0;
    std::int64_t headStride = 0;

    [[nodiscard]] const float* at(std::int64_t batch, std::int64_t position, std::int64_t head) const {
        return data + batch * batchStride + position * positionStride + head * headStride;
    }
};

std::size_t positionDim(const Attention& attention) {
    return attention.positionsAtDim2 ? 2 : 1;
}

/// Returns Heads with the strides of the tensor and `data` instead of its elements.
Heads headsOf(const Tensor& tensor, std::size_t positions, const float* data) {
    return {.data = data,
            .batchStride = tensor.stride(0),
            .positionStride = tensor.stride(positions),
            .headStride = tensor.stride(3 - positions)};
}

core::Result<Extents> computeExtents(const Attention& attention) {
    const Tensor& query = attention.query;
    const Tensor& key = attention.key;
    const Tensor& value = attention.value;
    const std::size_t positions = positionDim(attention);
    const std::size_t heads = 3 - positions;
    if (query.dim() != 4 || key.dim() != 4 || key.sizes() != value.sizes() || key.size(0) != query.size(0) ||
        key.size(3) != query.size(3)) {
        return invalid(fmt::format(
            "expected matching query, keys and values of 4 dimensions, got {}, {} and {}",
            core::sizesText(query.sizes()), core::sizesText(key.sizes()), core::sizesText(value.sizes())));
    }
    if (key.size(heads) < 1 || query.size(heads) % key.size(heads) != 0) {
        return invalid(fmt::format("expected a number of key-value heads that divides {}, got {}",
                                   query.size(heads), key.size(heads)));
    }
    Extents extents{.batch = query.size(0),
                    .queries = query.size(positions),
                    .keys = key.size(positions),
                    .heads = query.size(heads),
                    .keyHeads = key.size(heads),
                    .depth = query.size(3)};
    if (attention.mask != nullptr) {
        const Tensor& mask = *attention.mask;
        if (mask.dim() != 2 || mask.size(0) != extents.queries || mask.size(1) > extents.keys) {
            return invalid(fmt::format("expected a mask of at most [{}, {}], got {}", extents.queries,
                                       extents.keys, core::sizesText(mask.sizes())));
        }
        extents.keys = mask.size(1);
    } else if (attention.startPos < 0 || attention.startPos > extents.keys - extents.queries) {
        return invalid(fmt::format("expected {} positions within {} keys, got a start of {}", extents.queries,
                                   extents.keys, attention.startPos));
    } else {
        extents.keys = attention.startPos + extents.queries;
    }
    return extents;
}

/// Returns the first `count` positions as floats, in place or converted.
core::Result<Heads> floatHeads(KernelContext& context, const Tensor& tensor, std::size_t positions,
                               std::int64_t count) {
    if (!core::isFloating(tensor.dtype()) || tensor.dtype() == ScalarType::Double) {
        return unsupportedType(tensor.dtype());
    }
    if (tensor.dtype() == ScalarType::Float && (tensor.stride(3) == 1 || tensor.size(3) == 1)) {
        return headsOf(tensor, positions, tensor.data<float>());
    }
    Sizes sizes = tensor.sizes();
    sizes[positions] = count;
    ReadView used = viewOf(tensor);
    used.narrow(positions, 0, count);
    std::size_t elements = 1;
    for (const std::int64_t size : sizes) {
        elements *= static_cast<std::size_t>(size);
    }
    ET_ASSIGN(const auto floats, context.scratch<float>(elements));
    Tensor converted = Tensor::over(floats.data(), sizes);
    ET_TRY(copyElements(context.threads(), used, viewOf(converted)));
    return headsOf(converted, positions, floats.data());
}

core::Result<> checkParameters(const Tensor& tensor, const HeadParameters& parameters) {
    if (tensor.dtype() != ScalarType::Char) {
        return unsupportedType(tensor.dtype());
    }
    if (parameters.scales == nullptr || parameters.zeroPoints == nullptr) {
        return invalid("expected scales and zero points for an int8 query, keys and values");
    }
    Sizes sizes = tensor.sizes();
    sizes[3] = 1;
    if (parameters.scales->sizes() != sizes || parameters.zeroPoints->sizes() != sizes ||
        parameters.scales->dtype() != ScalarType::Float ||
        parameters.zeroPoints->dtype() != ScalarType::Char) {
        return invalid(fmt::format("expected scales (float32) and zero points (int8) of {}, got {} and {}",
                                   core::sizesText(sizes), core::describe(*parameters.scales),
                                   core::describe(*parameters.zeroPoints)));
    }
    if (tensor.stride(3) != 1 && tensor.size(3) > 1) {
        return core::fail(core::ErrorCode::Unsupported,
                          "expected the elements of each head to be contiguous");
    }
    return {};
}

/// Returns the first `count` positions of int8 elements as floats.
core::Result<Heads> dequantizedHeads(KernelContext& context, const Tensor& tensor,
                                     const HeadParameters& parameters, std::size_t positions,
                                     std::int64_t count) {
    ET_TRY(checkParameters(tensor, parameters));
    const std::int64_t heads = tensor.size(3 - positions);
    const std::int64_t depth = tensor.size(3);
    ET_ASSIGN(const auto floats,
              context.scratch<float>(static_cast<std::size_t>(tensor.size(0) * count * heads * depth)));
    const Heads result{.data = floats.data(),
                       .batchStride = count * heads * depth,
                       .positionStride = heads * depth,
                       .headStride = depth};
    const auto offset = [positions](const Tensor& of, std::int64_t batch, std::int64_t position,
                                    std::int64_t head) {
        return batch * of.stride(0) + position * of.stride(positions) + head * of.stride(3 - positions);
    };
    context.threads().parallelFor(
        static_cast<std::size_t>(tensor.size(0) * count),
        (std::size_t{1} << 14) / static_cast<std::size_t>(heads * depth + 1) + 1,
        [&](std::size_t begin, std::size_t end) {
            for (auto row = static_cast<std::int64_t>(begin); row < static_cast<std::int64_t>(end); ++row) {
                const std::int64_t batch = row / count;
                const std::int64_t position = row % count;
                for (std::int64_t head = 0; head < heads; ++head) {
                    const float scale =
                        parameters.scales->data<float>()[offset(*parameters.scales, batch, position, head)];
                    const std::int8_t zeroPoint =
                        parameters.zeroPoints
                            ->data<std::int8_t>()[offset(*parameters.zeroPoints, batch, position, head)];
                    quantized::dequantize(tensor.data<std::int8_t>() + offset(tensor, batch, position, head),
                                          static_cast<std::size_t>(depth), scale,
                                          static_cast<float>(zeroPoint),
                                          floats.data() + (row * heads + head) * depth);
                }
            }
        });
    return result;
}

core::Result<Heads> loadHeads(KernelContext& context, const Tensor& tensor, const HeadParameters& parameters,
                              std::size_t positions, std::int64_t count) {
    return core::isFloating(tensor.dtype()) ? floatHeads(context, tensor, positions, count)
                                            : dequantizedHeads(context, tensor, parameters, positions, count);
}

/// Returns the mask as addends, row-major; empty if there is no mask.
core::Result<std::span<const float>> additiveMask(KernelContext& context, const Tensor* mask) {
    if (mask == nullptr) {
        return std::span<const float>();
    }
    if (!core::isFloating(mask->dtype()) && mask->dtype() != ScalarType::Bool) {
        return unsupportedType(mask->dtype());
    }
    ET_ASSIGN(const auto floats, context.scratch<float>(static_cast<std::size_t>(mask->numel())));
    Tensor converted = Tensor::over(floats.data(), mask->sizes());
    ET_TRY(copyElements(context.threads(), viewOf(*mask), viewOf(converted)));
    if (mask->dtype() == ScalarType::Bool) {
        for (float& number : floats) {
            number = number != 0 ? 0.0F : -std::numeric_limits<float>::infinity();
        }
    }
    return floats;
}

/// Computes attention for some queries of one head, in the memory of one thread.
class Worker {
  public:
    static std::size_t floats(const Extents& extents) {
        return static_cast<std::size_t>(queryBlock * extents.depth + keyBlock);
    }

    Worker(const Attention& arguments, const Extents& counts, const std::array<Heads, 3>& inputs,
           std::span<const float> additive, std::span<float> memory)
        : causal(arguments.causal),
          startPos(arguments.startPos),
          extents(counts),
          query(inputs[0]),
          key(inputs[1]),
          value(inputs[2]),
          mask(additive),
          scores(memory.first(keyBlock)),
          sums(memory.subspan(keyBlock)),
          scale(static_cast<float>(
              arguments.scale.value_or(1.0 / std::sqrt(static_cast<double>(counts.depth))))) {}

    /// Computes queries [first, first + count), at most queryBlock; calls `write(query, floats)` with each
    /// result.
    template <class Write>
    void run(std::int64_t batch, std::int64_t head, std::int64_t first, std::int64_t count, Write&& write) {
        std::array<float, queryBlock> max;
        std::array<float, queryBlock> totals{};
        max.fill(-std::numeric_limits<float>::infinity());
        std::ranges::fill(sums, 0.0F);
        const std::int64_t keyHead = head / (extents.heads / extents.keyHeads);
        const std::int64_t end = visible(first + count - 1);
        for (std::int64_t begin = 0; begin < end; begin += keyBlock) {
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t keys = std::min(visible(first + i) - begin, keyBlock);
                if (keys > 0) {
                    const auto at = static_cast<std::size_t>(i);
                    takeKeys(query.at(batch, first + i, head), key.at(batch, begin, keyHead),
                             value.at(batch, begin, keyHead), keys, maskOf(first + i, begin), max[at],
                             totals[at], sumsOf(i));
                }
            }
        }
        for (std::int64_t i = 0; i < count; ++i) {
            const float total = totals[static_cast<std::size_t>(i)];
            const float factor = total == 0 ? 0.0F : 1 / total;
            float* result = sumsOf(i);
            for (std::int64_t d = 0; d < extents.depth; ++d) {
                result[d] *= factor;
            }
            write(first + i, result);
        }
    }

  private:
    /// Number of keys visible to a query, from the first on.
    [[nodiscard]] std::int64_t visible(std::int64_t at) const {
        return causal ? std::min(extents.keys, startPos + at + 1) : extents.keys;
    }
    [[nodiscard]] const float* maskOf(std::int64_t at, std::int64_t begin) const {
        return mask.empty() ? nullptr : mask.data() + at * extents.keys + begin;
    }
    [[nodiscard]] float* sumsOf(std::int64_t at) const { return sums.data() + at * extents.depth; }

    /// Continues the softmax with more keys: the sums so far are scaled down if a greater score is found.
    void takeKeys(const float* of, const float* keys, const float* values, std::int64_t count,
                  const float* added, float& max, float& total, float* result) {
        const auto number = static_cast<std::size_t>(count);
        const auto depth = static_cast<std::size_t>(extents.depth);
        score(of, keys, key.positionStride, number, depth, scores.data());
        const float blockMax = scaleScores(scores.data(), number, scale, added);
        const float next = blockMax > max || std::isnan(blockMax) ? blockMax : max;
        if (next == -std::numeric_limits<float>::infinity()) {
            return;
        }
        const float shrink =
            max == -std::numeric_limits<float>::infinity() && !std::isnan(next) ? 0.0F : std::exp(max - next);
        total = total * shrink + exponentiate(scores.data(), number, next);
        max = next;
        mix(scores.data(), values, value.positionStride, number, depth, shrink, result);
    }

    bool causal;
    std::int64_t startPos;
    Extents extents;
    Heads query;
    Heads key;
    Heads value;
    std::span<const float> mask;
    std::span<float> scores;
    std::span<float> sums;
    float scale;
};

/// Computes all queries, distributed over the threads.
core::Result<> runWorkers(KernelContext& context, const Attention& arguments, const Extents& extents,
                          const std::array<Heads, 3>& inputs, std::span<const float> mask, Tensor& out) {
    const std::size_t positions = positionDim(arguments);
    const std::int64_t blocks = (extents.queries + queryBlock - 1) / queryBlock;
    const std::int64_t items = extents.batch * extents.heads * blocks;
    const auto workers =
        static_cast<std::int64_t>(std::min(context.threads().threads(), static_cast<std::size_t>(items)));
    const std::size_t share = Worker::floats(extents);
    ET_ASSIGN(const auto memory, context.scratch<float>(static_cast<std::size_t>(workers) * share));
    const StoreElements<float> store = elementStorer<float>(out.dtype());
    const auto runWorker = [&](std::int64_t index) {
        Worker worker(arguments, extents, inputs, mask,
                      memory.subspan(static_cast<std::size_t>(index) * share, share));
        // Causal blocks differ in cost, so neighbouring blocks go to different workers.
        for (std::int64_t item = index; item < items; item += workers) {
            const std::int64_t first = item % blocks * queryBlock;
            const std::int64_t head = item / blocks % extents.heads;
            const std::int64_t batch = item / blocks / extents.heads;
            worker.run(batch, head, first, std::min(queryBlock, extents.queries - first),
                       [&](std::int64_t at, const float* result) {
                           const std::int64_t offset = batch * out.stride(0) + at * out.stride(positions) +
                                                       head * out.stride(3 - positions);
                           store(result, out.raw() + static_cast<std::size_t>(offset) * out.elementSize(),
                                 out.stride(3), static_cast<std::size_t>(extents.depth));
                       });
        }
    };
    context.threads().parallelFor(static_cast<std::size_t>(workers), 1,
                                  [&](std::size_t begin, std::size_t end) {
                                      for (std::size_t index = begin; index < end; ++index) {
                                          runWorker(static_cast<std::int64_t>(index));
                                      }
                                  });
    return {};
}

}  // namespace

core::Result<> attend(KernelContext& context, const Attention& attention, Tensor& out) {
    Attention arguments = attention;
    if (arguments.mask != nullptr && arguments.mask->numel() == 0) {
        arguments.mask = nullptr;
    }
    if (arguments.mask != nullptr && arguments.causal) {
        return invalid("expected either a mask or causal attention, got both");
    }
    ET_ASSIGN(const Extents extents, computeExtents(arguments));
    ET_TRY(out.resize(attention.query.sizes()));
    if (!core::isFloating(out.dtype())) {
        return unsupportedType(out.dtype());
    }
    if (out.numel() == 0) {
        return {};
    }
    const std::size_t positions = positionDim(attention);
    std::array<Heads, 3> inputs;
    ET_ASSIGN(inputs[0],
              loadHeads(context, attention.query, attention.queryParameters, positions, extents.queries));
    ET_ASSIGN(inputs[1], loadHeads(context, attention.key, attention.keyParameters, positions, extents.keys));
    ET_ASSIGN(inputs[2],
              loadHeads(context, attention.value, attention.valueParameters, positions, extents.keys));
    ET_ASSIGN(const auto mask, additiveMask(context, arguments.mask));
    return runWorkers(context, arguments, extents, inputs, mask, out);
}

}  // namespace et::kernels::llama
