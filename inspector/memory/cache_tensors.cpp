#include "inspector/memory/cache_tensors.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace et::inspector {
namespace {

/// The values that llama::update_cache writes; their second dimension counts positions.
std::set<std::uint32_t> updatedValues(const program::Method& method) {
    std::set<std::uint32_t> updated;
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            const auto* call = std::get_if<program::KernelCall>(&instruction);
            constexpr std::size_t cacheArgument = 1;
            if (call != nullptr && call->args.size() > cacheArgument &&
                method.op(call->op).name.starts_with("llama::update_cache")) {
                updated.insert(call->args[cacheArgument].value);
            }
        }
    }
    return updated;
}

std::optional<std::size_t> positionDimension(const program::TensorInfo& info, std::uint64_t context) {
    for (std::size_t dim = 0; dim < info.sizes.size(); ++dim) {
        if (context > 1 && info.sizes[dim] == static_cast<std::int64_t>(context)) {
            return dim;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<CacheTensor> cacheTensors(const MemoryTimeline& timeline, std::uint64_t context) {
    const std::set<std::uint32_t> updated = updatedValues(*timeline.method);
    std::vector<CacheTensor> caches;
    for (const PlannedTensor& tensor : timeline.tensors) {
        const auto* info = timeline.method->value(tensor.value).as<program::TensorInfo>();
        if (tensor.kind != TensorKind::State || info == nullptr) {
            continue;
        }
        const bool isUpdated =
            updated.contains(tensor.value.value) ||
            std::ranges::any_of(tensor.aliases, [&](auto alias) { return updated.contains(alias.value); });
        const auto dimension = isUpdated && info->sizes.size() > 1 ? std::optional(std::size_t{1})
                                                                   : positionDimension(*info, context);
        if (!dimension) {
            continue;
        }
        caches.push_back({.value = tensor.value,
                          .place = {.arena = tensor.arena, .offset = tensor.offset},
                          .type = tensor.type,
                          .name = tensor.name,
                          .bytes = tensor.bytes,
                          .positions = static_cast<std::uint64_t>(info->sizes[*dimension]),
                          .dimension = *dimension});
    }
    return caches;
}

std::optional<std::uint64_t> cachePositions(const program::Method& method) {
    std::optional<std::uint64_t> least;
    for (const std::uint32_t value : updatedValues(method)) {
        const auto* info = method.value(program::ValueId(value)).as<program::TensorInfo>();
        if (info != nullptr && info->sizes.size() > 1 && info->sizes[1] > 0) {
            const auto positions = static_cast<std::uint64_t>(info->sizes[1]);
            least = least ? std::min(*least, positions) : positions;
        }
    }
    return least;
}

CacheBytes cacheBytes(const std::vector<CacheTensor>& caches) {
    CacheBytes sum;
    for (const CacheTensor& each : caches) {
        sum.reserved += each.bytes;
        sum.perToken += each.bytesPerToken();
    }
    return sum;
}

}  // namespace et::inspector
