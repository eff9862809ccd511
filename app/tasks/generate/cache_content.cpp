#include "app/tasks/generate/cache_content.h"

#include "runtime/kernels/element_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace et::tasks {
namespace {

using core::Result;

/// Returns the first instruction that uses each value.
std::map<std::uint32_t, std::size_t> firstUses(const program::Method& method) {
    std::map<std::uint32_t, std::size_t> uses;
    std::size_t at = 0;
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            const auto note = [&](const std::vector<program::ValueId>& ids) {
                for (const program::ValueId id : ids) {
                    uses.emplace(id.value, at);
                }
            };
            if (const auto* call = std::get_if<program::KernelCall>(&instruction)) {
                note(call->args);
            } else if (const auto* delegate = std::get_if<program::DelegateCall>(&instruction)) {
                note(delegate->args);
            }
            ++at;
        }
    }
    return uses;
}

/// Moves the position dimension to the outermost place.
Result<CacheRows> rowsOf(const core::Tensor& tensor, const inspector::CacheTensor& cache) {
    const std::size_t dimension = cache.dimension;
    ET_ASSIGN(const auto conversion, kernels::Conversion::between(tensor.dtype(), core::ScalarType::Float));
    CacheRows rows{.cache = cache, .values = {}};
    rows.positions = static_cast<std::size_t>(tensor.size(dimension));
    const auto count = static_cast<std::size_t>(tensor.numel());
    rows.width = rows.positions == 0 ? 0 : count / rows.positions;
    rows.values.resize(count);
    std::vector<float> flat(count);
    conversion.run(tensor.raw(), static_cast<std::int64_t>(tensor.elementSize()),
                   std::as_writable_bytes(std::span(flat)).data(), sizeof(float), tensor.numel());
    std::size_t inner = 1;
    for (std::size_t dim = dimension + 1; dim < tensor.dim(); ++dim) {
        inner *= static_cast<std::size_t>(tensor.size(dim));
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t position = (i / inner) % rows.positions;
        const std::size_t outer = i / (inner * rows.positions);
        rows.values[(position * rows.width) + (outer * inner) + (i % inner)] = flat[i];
    }
    return rows;
}

/// The rows of a layer that the host keeps.
Result<CacheRows> hostRows(const LanguageModel& language, const core::KvCacheLayer& layer, bool isValue) {
    const std::int64_t size = isValue ? layer.valueSize : layer.keySize;
    CacheRows rows{.cache = {}, .layer = static_cast<std::size_t>(layer.layer), .values = {}};
    rows.cache.type =
        fmt::format("{} of layer {}, outside the program", isValue ? "values" : "keys", layer.layer);
    rows.cache.name = isValue ? "values" : "keys";
    rows.positions = language.form.context;
    rows.width = static_cast<std::size_t>(layer.batch * layer.heads * size);
    rows.values.resize(rows.positions * rows.width);
    const auto& contents = language.module->caches().layers();
    const auto found = contents.find(layer.layer);
    if (found == contents.end()) {
        return rows;
    }
    const kernels::KvCacheContent& content = found->second;
    const std::uint64_t width = isValue ? content.valueBytes() : content.keyBytes();
    const std::size_t element = core::elementBytes(content.layer.dtype);
    if (width != rows.width * element) {
        return rows;
    }
    ET_ASSIGN(const auto conversion,
              kernels::Conversion::between(content.layer.dtype, core::ScalarType::Float));
    const std::byte* from = (isValue ? content.values : content.keys).data();
    for (const std::int64_t position : content.positions) {
        if (position >= 0 && static_cast<std::size_t>(position) < rows.positions) {
            float* const to = rows.values.data() + static_cast<std::size_t>(position) * rows.width;
            conversion.run(from, static_cast<std::int64_t>(element), reinterpret_cast<std::byte*>(to),
                           sizeof(float), static_cast<std::int64_t>(rows.width));
        }
        from += width;
    }
    return rows;
}

}  // namespace

Result<std::vector<CacheRows>> cacheContent(LanguageModel& language) {
    ET_ASSIGN(std::vector<inspector::CacheTensor> caches, language.caches());
    const auto uses = firstUses(*language.form.decode.method);
    std::ranges::stable_sort(caches, {}, [&](const inspector::CacheTensor& cache) {
        const auto found = uses.find(cache.value.value);
        return found == uses.end() ? std::numeric_limits<std::size_t>::max() : found->second;
    });
    std::vector<CacheRows> all;
    executor::Method& method = language.run->method(inspector::LanguagePhase::Decode);
    for (const inspector::CacheTensor& cache : caches) {
        const auto* tensor = method.value(cache.value).as<core::Tensor>();
        if (tensor == nullptr || tensor->raw() == nullptr || !tensor->isContiguous() ||
            cache.dimension >= tensor->dim()) {
            continue;
        }
        ET_ASSIGN(CacheRows rows, rowsOf(*tensor, cache));
        all.push_back(std::move(rows));
    }
    for (const core::KvCacheLayer& layer : language.hostCaches.layers) {
        for (const bool isValue : {false, true}) {
            ET_ASSIGN(CacheRows rows, hostRows(language, layer, isValue));
            all.push_back(std::move(rows));
        }
    }
    return all;
}

std::vector<std::size_t> changedRows(const CacheRows& before, const CacheRows& after) {
    std::vector<std::size_t> changed;
    for (std::size_t position = 0; position < after.positions; ++position) {
        if (!std::ranges::equal(before.row(position), after.row(position))) {
            changed.push_back(position);
        }
    }
    return changed;
}

double relativeDifference(const CacheRows& rows, std::span<const float> expected, std::size_t count) {
    double difference = 0;
    double sum = 0;
    const std::size_t numbers = std::min({count * rows.width, rows.values.size(), expected.size()});
    for (std::size_t i = 0; i < numbers; ++i) {
        const double off = static_cast<double>(rows.values[i]) - static_cast<double>(expected[i]);
        difference += off * off;
        sum += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
    }
    if (std::isnan(difference)) {
        return std::numeric_limits<double>::infinity();
    }
    return difference == 0 ? 0 : std::sqrt(difference / std::max(sum, std::numeric_limits<double>::min()));
}

std::size_t layerOf(std::size_t cache, std::size_t caches, std::size_t layers) {
    const std::size_t each = layers == 0 || caches % layers != 0 ? 1 : caches / layers;
    return cache / each;
}

}  // namespace et::tasks
