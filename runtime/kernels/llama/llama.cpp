#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/llama/attention.h"
#include "runtime/kernels/llama/delta_rule.h"
#include "runtime/kernels/llama/hadamard.h"
#include "runtime/kernels/strided_copy.h"
#include "runtime/kernels/tensor_checks.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

// The operators of ExecuTorch's extension/llm/custom_ops. Dropout applies only to training; its argument is
// ignored.
namespace et::kernels {
namespace llama {
namespace {

// KV cache: keys and values of past positions, [batch, positions, heads, depth].
core::Result<> checkCache(const Tensor& value, const Tensor& cache) {
    const bool fits = value.dim() == 4 && cache.dim() == 4 && value.size(0) == cache.size(0) &&
                      value.size(2) == cache.size(2) && value.size(3) == cache.size(3);
    if (!fits || value.dtype() != cache.dtype()) {
        return invalid(fmt::format("expected a value of 4 dimensions that matches a cache of {}, got {}",
                                   core::describe(cache), core::describe(value)));
    }
    return {};
}

/// Copies `value` [batch, n, heads, depth] to the positions of `cache` starting at `startPos`. Errors:
/// InvalidArgument (shapes, dtypes, a position out of range).
core::Result<> updateCache(KernelContext& context, const Tensor& value, Tensor& cache,
                           std::int64_t startPos) {
    ET_TRY(checkCache(value, cache));
    if (startPos < 0 || startPos > cache.size(1) - value.size(1)) {
        return invalid(fmt::format("expected {} positions within {}, got a start of {}", value.size(1),
                                   cache.size(1), startPos));
    }
    WriteView target = viewOf(cache);
    target.narrow(1, startPos, value.size(1));
    return copyElements(context.threads(), viewOf(value), target);
}

/// Copies each position of `value` to the one given by `indices` [batch, n] (int64).
core::Result<> updateCacheAt(KernelContext&, const Tensor& value, Tensor& cache, const Tensor& indices) {
    ET_TRY(checkCache(value, cache));
    if (indices.dim() != 2 || indices.dtype() != ScalarType::Long || indices.size(0) != value.size(0) ||
        indices.size(1) != value.size(1)) {
        return invalid(fmt::format("expected indices int64 [{}, {}], got {}", value.size(0), value.size(1),
                                   core::describe(indices)));
    }
    if (value.numel() == 0) {
        return {};
    }
    const auto step = [](const Tensor& tensor, std::size_t dimension) {
        return tensor.stride(dimension) * static_cast<std::int64_t>(tensor.elementSize());
    };
    const std::array<std::int64_t, 2> sizes{value.size(2), value.size(3)};
    const CopyPlan position(value.elementSize(), sizes, Strides{value.stride(2), value.stride(3)},
                            Strides{cache.stride(2), cache.stride(3)});
    const auto* targets = indices.data<std::int64_t>();
    for (std::int64_t batch = 0; batch < value.size(0); ++batch) {
        for (std::int64_t at = 0; at < value.size(1); ++at) {
            const std::int64_t target = targets[batch * indices.stride(0) + at * indices.stride(1)];
            if (target < 0 || target >= cache.size(1)) {
                return invalid(
                    fmt::format("expected indices from 0 to {}, got {}", cache.size(1) - 1, target));
            }
            position.run(value.raw() + batch * step(value, 0) + at * step(value, 1),
                         cache.raw() + batch * step(cache, 0) + target * step(cache, 1));
        }
    }
    return {};
}

core::Result<> customSdpa(KernelContext& context, const Tensor& query, const Tensor& key, const Tensor& value,
                          std::int64_t startPos, const Tensor* mask, double, bool causal,
                          std::optional<double> scale, Tensor& out) {
    return attend(context,
                  {.query = query,
                   .key = key,
                   .value = value,
                   .startPos = startPos,
                   .mask = mask,
                   .causal = causal,
                   .scale = scale},
                  out);
}

core::Result<> customQuantizedSdpa(KernelContext& context, const Tensor& query, const Tensor& key,
                                   const Tensor& value, std::int64_t startPos, const Tensor* mask, double,
                                   bool causal, std::optional<double> scale, const Tensor* queryZeroPoints,
                                   const Tensor* queryScales, const Tensor* keyZeroPoints,
                                   const Tensor* keyScales, const Tensor* valueZeroPoints,
                                   const Tensor* valueScales, bool positionsAtDim2, Tensor& out) {
    return attend(context,
                  {.query = query,
                   .key = key,
                   .value = value,
                   .startPos = startPos,
                   .mask = mask,
                   .causal = causal,
                   .scale = scale,
                   .positionsAtDim2 = positionsAtDim2,
                   .queryParameters = {queryZeroPoints, queryScales},
                   .keyParameters = {keyZeroPoints, keyScales},
                   .valueParameters = {valueZeroPoints, valueScales}},
                  out);
}

/// The number of positions is taken from the tensors; the argument for it is ignored.
core::Result<> sdpaWithKvCache(KernelContext& context, const Tensor& query, const Tensor& key,
                               const Tensor& value, Tensor& keyCache, Tensor& valueCache,
                               std::int64_t startPos, std::int64_t, const Tensor* mask, double dropout,
                               bool causal, std::optional<double> scale, Tensor& out) {
    ET_TRY(updateCache(context, key, keyCache, startPos));
    ET_TRY(updateCache(context, value, valueCache, startPos));
    return customSdpa(context, query, keyCache, valueCache, startPos, mask, dropout, causal, scale, out);
}

/// `out` is never read: exporters need a result.
core::Result<> updateCacheOut(KernelContext& context, const Tensor& value, Tensor& cache,
                              std::int64_t startPos, Tensor&) {
    return updateCache(context, value, cache, startPos);
}

core::Result<> updateCacheWithIndicesOut(KernelContext& context, const Tensor& value, Tensor& cache,
                                         std::int64_t, const Tensor& indices, Tensor&) {
    return updateCacheAt(context, value, cache, indices);
}

/// llama::fallback.out: a copy.
core::Result<> fallback(KernelContext& context, const Tensor& self, Tensor& out) {
    ET_TRY(out.resize(self.sizes()));
    if (out.dtype() != self.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(self.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    return copyElements(context.threads(), viewOf(self), viewOf(out));
}

/// preprocess::tile_crop.out: cuts an image [channels, height, width] into square tiles, in rows: [tiles,
/// channels, tileSize, tileSize].
core::Result<> tileCrop(KernelContext& context, const Tensor& input, std::int64_t tileSize, Tensor& out) {
    if (input.dim() != 3) {
        return invalid(fmt::format("input: expected 3 dimensions, got {}", core::describe(input)));
    }
    const std::int64_t height = input.size(1);
    const std::int64_t width = input.size(2);
    if (tileSize <= 0 || height % tileSize != 0 || width % tileSize != 0) {
        return invalid(
            fmt::format("tile_size: expected a divisor of {} and {}, got {}", height, width, tileSize));
    }
    const std::int64_t rows = height / tileSize;
    const std::int64_t columns = width / tileSize;
    const std::array<std::int64_t, 4> sizes{rows * columns, input.size(0), tileSize, tileSize};
    ET_TRY(resizeResult(out, input.dtype(), sizes));
    if (out.numel() == 0) {
        return {};
    }
    ReadView from = viewOf(input);
    from.sizes = {rows, columns, input.size(0), tileSize, tileSize};
    from.strides = {tileSize * input.stride(1), tileSize * input.stride(2), input.stride(0), input.stride(1),
                    input.stride(2)};
    WriteView to = viewOf(out);
    to.sizes = from.sizes;
    to.strides = {columns * out.stride(0), out.stride(0), out.stride(1), out.stride(2), out.stride(3)};
    return copyElements(context.threads(), from, to);
}

constexpr std::array table{
    KernelEntry{"llama::custom_sdpa.out", box<&customSdpa>},
    KernelEntry{"llama::custom_quantized_sdpa.out", box<&customQuantizedSdpa>},
    KernelEntry{"llama::sdpa_with_kv_cache.out", box<&sdpaWithKvCache>},
    KernelEntry{"llama::update_cache.out", box<&updateCacheOut>},
    KernelEntry{"llama::update_quantized_cache.out", box<&updateCacheOut>},
    KernelEntry{"llama::update_cache_with_indices.out", box<&updateCacheWithIndicesOut>},
    KernelEntry{"llama::fast_hadamard_transform.out", box<&fastHadamardTransform>},
    KernelEntry{"llama::recurrent_gated_delta_rule.out", box<&recurrentDeltaRule>},
    KernelEntry{"llama::gated_delta_rule.out", box<&gatedDeltaRule>},
    KernelEntry{"llama::channelwise_gated_delta_rule.out", box<&gatedDeltaRule>},  // the former name
    KernelEntry{"llama::fallback.out", box<&fallback>},
    KernelEntry{"preprocess::tile_crop.out", box<&tileCrop>},
};

}  // namespace
}  // namespace llama

std::span<const KernelEntry> llamaKernels() {
    return llama::table;
}

}  // namespace et::kernels
