#include "inspector/memory/cache_tensors.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace et::inspector {
namespace {

/// The dimension that counts positions, by value that an operator writes at positions.
using WrittenCaches = std::map<std::uint32_t, std::size_t>;

/// The dimension of the only index of an index_put; nothing if there are several.
std::optional<std::size_t> indexedDimension(const program::Method& method, program::ValueId indices) {
    const auto* list = method.value(indices).as<program::OptionalTensorList>();
    if (list == nullptr) {
        return std::nullopt;
    }
    const auto isGiven = [](const auto& item) { return item.has_value(); };
    const auto first = std::ranges::find_if(list->items, isGiven);
    return std::ranges::count_if(list->items, isGiven) == 1
               ? std::optional(static_cast<std::size_t>(first - list->items.begin()))
               : std::nullopt;
}

/// Caches written by llama::update_cache, whose second dimension counts positions, and by index_put, in place
/// or copied back.
class CacheWrites {
  public:
    explicit CacheWrites(const program::Method& of) : method(of) {
        for (const program::Chain& chain : method.chains) {
            for (const program::Instruction& instruction : chain.instructions) {
                const auto* call = std::get_if<program::KernelCall>(&instruction);
                if (call != nullptr && call->args.size() > 1) {
                    add(*call, method.op(call->op).name);
                }
            }
        }
    }
    [[nodiscard]] WrittenCaches take() { return std::move(written); }

  private:
    void add(const program::KernelCall& call, std::string_view name) {
        const std::uint32_t self = call.args[0].value;
        const std::uint32_t second = call.args[1].value;
        if (name.starts_with("llama::update_cache")) {
            written[second] = 1;
        } else if (name.starts_with("aten::index_put")) {
            if (const auto dimension = indexedDimension(method, call.args[1])) {
                (name == "aten::index_put_" ? written[self] : changed[{self, call.args.back().value}]) =
                    *dimension;
            }
        } else if (const auto found = changed.find({self, second});
                   name == "aten::copy_" && found != changed.end()) {
            written[self] = found->second;
        }
    }

    const program::Method& method;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>
        changed;  ///< by cache and its new contents
    WrittenCaches written;
};

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
    const WrittenCaches written = CacheWrites(*timeline.method).take();
    std::vector<CacheTensor> caches;
    for (const PlannedTensor& tensor : timeline.tensors) {
        const auto* info = timeline.method->value(tensor.value).as<program::TensorInfo>();
        if (tensor.kind != TensorKind::State || info == nullptr) {
            continue;
        }
        auto found = written.find(tensor.value.value);
        for (const auto alias : tensor.aliases) {
            found = found == written.end() ? written.find(alias.value) : found;
        }
        const auto dimension = found != written.end() && info->sizes.size() > found->second
                                   ? std::optional(found->second)
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
    for (const auto& [value, dimension] : CacheWrites(method).take()) {
        const auto* info = method.value(program::ValueId(value)).as<program::TensorInfo>();
        if (info != nullptr && info->sizes.size() > dimension && info->sizes[dimension] > 0) {
            const auto positions = static_cast<std::uint64_t>(info->sizes[dimension]);
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
