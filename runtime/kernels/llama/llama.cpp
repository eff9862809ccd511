#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/llama/attention.h"
#include "runtime/kernels/llama/cache.h"
#include "runtime/kernels/llama/delta_rule.h"
#include "runtime/kernels/llama/hadamard.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <array>

// The operators of ExecuTorch's extension/llm/custom_ops. Dropout applies only to training; its argument is
// ignored.
namespace et::kernels {
namespace llama {
namespace {

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

constexpr std::array table{
    KernelEntry{"llama::custom_sdpa.out", box<&customSdpa>},
    KernelEntry{"llama::custom_quantized_sdpa.out", box<&customQuantizedSdpa>},
    KernelEntry{"llama::sdpa_with_kv_cache.out", box<&sdpaWithKvCache>},
    KernelEntry{"llama::update_cache.out", box<&updateCacheOut>},
    KernelEntry{"llama::update_quantized_cache.out", box<&updateCacheOut>},
    KernelEntry{"llama::update_cache_with_indices.out", box<&updateCacheWithIndicesOut>},
    KernelEntry{"llama::fast_hadamard_transform.out", box<&fastHadamardTransform>},
    KernelEntry{"llama::recurrent_gated_delta_rule.out", box<&recurrentDeltaRule>},
    KernelEntry{"llama::channelwise_gated_delta_rule.out", box<&channelwiseDeltaRule>},
    KernelEntry{"llama::fallback.out", box<&fallback>},
};

}  // namespace
}  // namespace llama

std::span<const KernelEntry> llamaKernels() {
    return llama::table;
}

}  // namespace et::kernels
