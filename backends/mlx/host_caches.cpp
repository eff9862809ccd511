#include "backends/mlx/host_caches.h"

#include "backends/mlx/read_payload.h"
#include "backends/mlx/result_types.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace et::backends::mlx {
namespace {

/// Collects the caches of a payload's chains.
class CacheSearch {
  public:
    explicit CacheSearch(const Payload& of)
        : payload(of), types(of, DynamicSizes::Largest), isVisited(of.chains.size(), false) {}

    std::vector<core::KvCacheLayer> caches() {
        visit(payload.mainChain);
        return std::move(layers);
    }

  private:
    void visit(std::uint32_t chain) {
        if (isVisited[chain]) {
            return;
        }
        isVisited[chain] = true;
        for (const Node& node : payload.chains[chain]) {
            for (const std::uint32_t inner : chainsOf(node)) {
                visit(inner);
            }
            types.add(node);
            if (node.kind->name == "UpdateAndAttendNode") {
                addCache(node);
            }
        }
    }

    /// 0: unknown.
    [[nodiscard]] std::int64_t sizeOf(const Node& node, std::string_view field, std::size_t rank,
                                      std::size_t at) const {
        const auto tensor = tensorIn(node, field);
        const auto type = tensor ? types.of(*tensor) : std::nullopt;
        return type && type->sizes.size() == rank ? std::max<std::int64_t>(type->sizes[at], 0) : 0;
    }

    void addCache(const Node& node) {
        const auto either = [&](std::size_t at) {
            return std::max(sizeOf(node, "k", 4, at), sizeOf(node, "v", 4, at));
        };
        core::KvCacheLayer layer{.layer = wholeIn(node, "layer_id")};
        for (const std::string_view field : {"v", "k"}) {
            const auto tensor = tensorIn(node, field);
            const auto type = tensor ? types.of(*tensor) : std::nullopt;
            layer.dtype = type ? type->dtype : layer.dtype;
        }
        layer.batch = std::max<std::int64_t>(either(0), 1);
        layer.heads = either(1);
        const std::int64_t key = sizeOf(node, "k", 4, 3);
        const std::int64_t value = sizeOf(node, "v", 4, 3);
        layer.keySize = key == 0 ? value : key;
        layer.valueSize = value == 0 ? key : value;
        layer.maxStep = either(2) == 0 ? sizeOf(node, "position", 1, 0) : either(2);
        layers.push_back(layer);
    }

    const Payload& payload;
    ResultTypes types;
    std::vector<bool> isVisited;  ///< by chain
    std::vector<core::KvCacheLayer> layers;
};

}  // namespace

std::vector<core::KvCacheLayer> hostCaches(const Payload& payload) {
    return CacheSearch(payload).caches();
}

core::Result<std::vector<core::KvCacheLayer>> hostCaches(core::Bytes bytes) {
    ET_ASSIGN(const Payload payload, readPayload(bytes));
    return hostCaches(payload);
}

}  // namespace et::backends::mlx
