#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/kv_caches.h"
#include "runtime/kernels/llama/attention.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

// kvcache::update_and_attend of ExecuTorch's extension/llm/cache: attention over a KV cache that the host
// keeps.
namespace et::kernels {
namespace llama {
namespace {

/// Arguments of the operator: [batch, heads, tokens, head size].
struct HostedAttention {
    const Tensor& query;
    const Tensor& key;
    const Tensor& value;
    const Tensor& position;  ///< [tokens, components]
};

core::Result<> checkHosted(const HostedAttention& given) {
    const Tensor& q = given.query;
    const Tensor& k = given.key;
    const Tensor& v = given.value;
    const bool fits = q.dim() == 4 && k.dim() == 4 && v.dim() == 4 && k.size(0) == q.size(0) &&
                      v.size(0) == q.size(0) && k.size(2) == q.size(2) && v.size(2) == q.size(2) &&
                      v.size(1) == k.size(1) && k.size(3) == q.size(3) && k.size(1) > 0 &&
                      q.size(1) % k.size(1) == 0;
    if (!fits) {
        return invalid(
            fmt::format("expected a query, keys and values [batch, heads, tokens, size] of the same "
                        "tokens, and a number of heads that the keys' divides; got {}, {} and {}",
                        core::sizesText(q.sizes()), core::sizesText(k.sizes()), core::sizesText(v.sizes())));
    }
    for (const Tensor* each : {&q, &k, &v}) {
        if (!core::isFloating(each->dtype())) {
            return unsupportedType(each->dtype());
        }
    }
    const Tensor& position = given.position;
    if (position.dim() < 1 || position.dim() > 2 || position.size(0) != q.size(2) ||
        (position.dim() == 2 && position.size(1) < 1) ||
        (position.dtype() != ScalarType::Int && position.dtype() != ScalarType::Long)) {
        return invalid(fmt::format("expected positions int32 or int64 [{}, n], got {}", q.size(2),
                                   core::describe(position)));
    }
    return {};
}

/// The first component of each token's position.
std::vector<std::int64_t> positionsOf(const Tensor& position) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(position.size(0)));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i) * position.stride(0);
        all[i] = position.dtype() == ScalarType::Int ? position.data<std::int32_t>()[at]
                                                     : position.data<std::int64_t>()[at];
    }
    return all;
}

core::KvCacheLayer layerOf(const HostedAttention& given, std::int64_t layer, const KvCaches& caches) {
    const ScalarType chosen = caches.configuration().dtype.value_or(given.key.dtype());
    return {.layer = layer,
            .batch = given.key.size(0),
            .heads = given.key.size(1),
            .keySize = given.key.size(3),
            .valueSize = given.value.size(3),
            .dtype = chosen == ScalarType::Double ? ScalarType::Float : chosen,
            .maxStep = given.key.size(2)};
}

/// Memory of a view with the tokens first, as caches store them: [tokens, batch, heads, size].
constexpr std::array<std::uint8_t, 4> tokensFirst{1, 0, 2, 3};
/// The same for [batch, heads, tokens, size].
constexpr std::array<std::uint8_t, 4> tokensThird{0, 2, 1, 3};

/// Returns [batch, tokens, heads, size] over memory of the given order.
core::Result<Tensor> tokensSecond(ScalarType dtype, std::span<const std::int64_t> sizes, std::byte* data,
                                  std::span<const std::uint8_t> order) {
    return Tensor::make(dtype, sizes, data, order);
}

/// Copies keys or values [batch, heads, tokens, size] to the order and dtype of a cache; pads the head size.
core::Result<std::span<std::byte>> cacheElements(KernelContext& context, const Tensor& from,
                                                 ScalarType dtype) {
    ET_ASSIGN(const auto memory,
              context.scratch<std::byte>(static_cast<std::size_t>(from.numel()) * core::elementBytes(dtype)));
    const Sizes sizes{from.size(0), from.size(2), from.size(1), from.size(3)};
    ET_ASSIGN(Tensor to, tokensSecond(dtype, sizes, memory.data(), tokensFirst));
    ReadView source = viewOf(from);
    source.swap(1, 2);
    ET_TRY(copyElements(context.threads(), source, viewOf(to)));
    return memory;
}

/// A cache as a float tensor [batch, tokens, heads, size], whose last size is `padded`.
core::Result<Tensor> cachedTensor(KernelContext& context, const KvCacheContent& content, bool isValue,
                                  std::int64_t padded) {
    const std::int64_t size = isValue ? content.layer.valueSize : content.layer.keySize;
    const auto tokens = static_cast<std::int64_t>(content.positions.size());
    const std::vector<std::byte>& memory = isValue ? content.values : content.keys;
    const Sizes sizes{content.layer.batch, tokens, content.layer.heads, size};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): tensors are views for reading and writing
    ET_ASSIGN(const Tensor whole,
              tokensSecond(content.layer.dtype, sizes, const_cast<std::byte*>(memory.data()), tokensFirst));
    if (size == padded) {
        return whole;
    }
    Sizes wide = sizes;
    wide[3] = padded;
    ET_ASSIGN(const auto floats,
              context.scratch<float>(static_cast<std::size_t>(wide[0] * wide[1] * wide[2] * wide[3])));
    std::ranges::fill(floats, 0.0F);
    Tensor result = Tensor::over(floats.data(), wide);
    WriteView part = viewOf(result);
    part.narrow(3, 0, size);
    ET_TRY(copyElements(context.threads(), viewOf(whole), part));
    return result;
}

/// Each query sees at most `window` keys, the last of which is its own.
core::Result<Tensor> windowMask(KernelContext& context, std::int64_t queries, std::int64_t keys,
                                std::int64_t window) {
    ET_ASSIGN(const auto added, context.scratch<float>(static_cast<std::size_t>(queries * keys)));
    std::ranges::fill(added, -std::numeric_limits<float>::infinity());
    for (std::int64_t i = 0; i < queries; ++i) {
        const std::int64_t end = keys - queries + i + 1;
        const std::int64_t begin = std::max(std::int64_t{0}, end - window);
        std::ranges::fill(
            added.subspan(static_cast<std::size_t>(i * keys + begin), static_cast<std::size_t>(end - begin)),
            0.0F);
    }
    return Tensor::over(added.data(), std::array{queries, keys});
}

/// The query as floats [batch, tokens, heads, padded].
core::Result<Tensor> floatQuery(KernelContext& context, const Tensor& query, std::int64_t padded) {
    const Sizes sizes{query.size(0), query.size(2), query.size(1), padded};
    if (query.dtype() == ScalarType::Float && query.size(3) == padded && query.isContiguous()) {
        return tokensSecond(ScalarType::Float, sizes, query.raw(), tokensThird);
    }
    ET_ASSIGN(const auto floats,
              context.scratch<float>(static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2] * sizes[3])));
    std::ranges::fill(floats, 0.0F);
    Tensor result = Tensor::over(floats.data(), sizes);
    WriteView part = viewOf(result);
    part.narrow(3, 0, query.size(3));
    ReadView source = viewOf(query);
    source.swap(1, 2);
    ET_TRY(copyElements(context.threads(), source, part));
    return result;
}

core::Result<> attendCached(KernelContext& context, const HostedAttention& given,
                            const KvCacheContent& content, std::int64_t window, double scale, Tensor& out) {
    const std::int64_t padded = std::max(content.layer.keySize, content.layer.valueSize);
    const auto keys = static_cast<std::int64_t>(content.positions.size());
    const std::int64_t queries = given.query.size(2);
    ET_ASSIGN(const Tensor query, floatQuery(context, given.query, padded));
    ET_ASSIGN(const Tensor key, cachedTensor(context, content, false, padded));
    ET_ASSIGN(const Tensor value, cachedTensor(context, content, true, padded));
    std::optional<Tensor> mask;
    if (window > 0 && window < keys) {
        ET_ASSIGN(mask, windowMask(context, queries, keys, window));
    }
    ET_ASSIGN(const auto floats, context.scratch<float>(static_cast<std::size_t>(query.numel())));
    Tensor result = Tensor::over(floats.data(), query.sizes());
    ET_TRY(attend(context,
                  {.query = query,
                   .key = key,
                   .value = value,
                   .startPos = keys - queries,
                   .mask = mask ? &*mask : nullptr,
                   .causal = !mask,
                   .scale = scale},
                  result));
    ReadView source = viewOf(result);
    source.narrow(3, 0, content.layer.valueSize);
    source.swap(1, 2);
    return copyElements(context.threads(), source, viewOf(out));
}

core::Result<> updateAndAttend(KernelContext& context, const Tensor& query, const Tensor& key,
                               const Tensor& value, const Tensor& position, std::int64_t layer, double scale,
                               std::optional<ScalarType> dtype, Tensor& out) {
    const HostedAttention given{.query = query, .key = key, .value = value, .position = position};
    ET_TRY(checkHosted(given));
    KvCaches* const caches = context.caches();
    if (caches == nullptr) {
        return core::fail(core::ErrorCode::Unsupported, "no KV cache: the operator runs outside of a module");
    }
    if (dtype && *dtype != out.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(*dtype),
                                   core::scalarTypeName(out.dtype())));
    }
    ET_TRY(out.resize(Sizes{query.size(0), query.size(1), query.size(2), value.size(3)}));
    if (key.numel() == 0 || value.numel() == 0) {
        return out.numel() == 0 ? core::Result<>()
                                : fillElements(context.threads(), core::Scalar(0.0), viewOf(out));
    }
    const core::KvCacheLayer shape = layerOf(given, layer, *caches);
    ET_ASSIGN(const auto keys, cacheElements(context, key, shape.dtype));
    ET_ASSIGN(const auto values, cacheElements(context, value, shape.dtype));
    ET_ASSIGN(const KvCacheContent* content, caches->update(shape, positionsOf(position), keys, values));
    if (out.numel() == 0) {
        return {};
    }
    return attendCached(context, given, *content, caches->windowOf(layer), scale, out);
}

constexpr std::array hostedTable{
    KernelEntry{"kvcache::update_and_attend.out", box<&updateAndAttend>},
};

}  // namespace
}  // namespace llama

std::span<const KernelEntry> kvCacheKernels() {
    return llama::hostedTable;
}

}  // namespace et::kernels
