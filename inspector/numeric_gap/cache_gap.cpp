#include "inspector/numeric_gap/cache_gap.h"

#include "runtime/core/result.h"
#include "runtime/kernels/element_conversion.h"

#include <fmt/format.h>

#include <set>
#include <span>
#include <utility>

namespace et::inspector {
namespace {

core::Result<std::vector<float>> floatsOf(const kernels::KvCacheContent& content, bool isValue) {
    ET_ASSIGN(const auto conversion,
              kernels::Conversion::between(content.layer.dtype, core::ScalarType::Float));
    const std::size_t width = core::elementBytes(content.layer.dtype);
    const std::uint64_t bytes =
        (isValue ? content.valueBytes() : content.keyBytes()) * content.positions.size();
    std::vector<float> numbers(bytes / width);
    conversion.run((isValue ? content.values : content.keys).data(), static_cast<std::int64_t>(width),
                   std::as_writable_bytes(std::span(numbers)).data(), sizeof(float),
                   static_cast<std::int64_t>(numbers.size()));
    return numbers;
}

const kernels::KvCacheContent* contentOf(const kernels::KvCaches& caches, std::int64_t layer) {
    const auto found = caches.layers().find(layer);
    return found == caches.layers().end() ? nullptr : &found->second;
}

GapCache compareContents(const kernels::KvCacheContent* reference, const kernels::KvCacheContent* runtime,
                         std::int64_t layer, bool isValue) {
    GapCache gap{.layer = layer, .isValue = isValue, .numbers = {}, .difference = {}};
    const std::size_t expected = reference == nullptr ? 0 : reference->positions.size();
    gap.positions = runtime == nullptr ? 0 : runtime->positions.size();
    if (reference == nullptr || runtime == nullptr || reference->positions != runtime->positions) {
        gap.difference = fmt::format("the graph caches {} positions, the program {}{}", expected,
                                     gap.positions, expected == gap.positions ? " others" : "");
        return gap;
    }
    const auto left = floatsOf(*reference, isValue);
    const auto right = floatsOf(*runtime, isValue);
    if (!left || !right || left->size() != right->size()) {
        gap.difference = "the graph caches keys or values of another size than the program";
        return gap;
    }
    gap.numbers = measureGap(std::span<const float>(*left), std::span<const float>(*right));
    return gap;
}

}  // namespace

bool GapCache::differs() const {
    const auto snr = numbers[GapMetric::Snr];
    return !difference.empty() || (snr && !(*snr >= leastCacheSnr));
}

std::vector<GapCache> compareCaches(const kernels::KvCaches& reference, const kernels::KvCaches& runtime) {
    std::set<std::int64_t> layers;
    for (const kernels::KvCaches* caches : {&reference, &runtime}) {
        for (const auto& [layer, content] : caches->layers()) {
            layers.insert(layer);
        }
    }
    std::vector<GapCache> all;
    for (const std::int64_t layer : layers) {
        for (const bool isValue : {false, true}) {
            all.push_back(
                compareContents(contentOf(reference, layer), contentOf(runtime, layer), layer, isValue));
        }
    }
    return all;
}

std::string describe(const GapCache& cache) {
    std::string text =
        fmt::format("KV cache of layer {}, {}: ", cache.layer, cache.isValue ? "values" : "keys");
    if (!cache.difference.empty()) {
        return text + cache.difference;
    }
    text += fmt::format("{} position{}", cache.positions, cache.positions == 1 ? "" : "s");
    const auto snr = cache.numbers[GapMetric::Snr];
    return snr ? text + fmt::format(", SNR {:.4g} dB", *snr) : text;
}

}  // namespace et::inspector
