#include "app/output/memory/cache_info.h"

#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <string>

namespace et::output {

Dict hostCacheInfo(const executor::KvCachePlan& plan) {
    return {{"reserved_bytes", plan.reservedBytes()},
            {"bytes_per_token", plan.bytesPerPosition()},
            {"capacity", plan.capacity > 0 ? Cell(plan.capacity) : Cell()},
            {"capacity_from", plan.capacity <= 0            ? Cell()
                              : plan.capacitySource.empty() ? Cell(std::string("--kv-max-capacity"))
                                                            : Cell(std::string(plan.capacitySource))},
            {"caches", listOf(plan.layers, [&](const core::KvCacheLayer& layer) {
                 return Dict{{"layer", layer.layer},
                             {"heads", layer.heads},
                             {"key_size", layer.keySize},
                             {"value_size", layer.valueSize},
                             {"dtype", core::scalarTypeName(layer.dtype)},
                             {"window", plan.windowOf(layer.layer)},
                             {"positions", plan.reservedPositions(layer)},
                             {"bytes_per_token", layer.bytesPerPosition()},
                             {"reserved_bytes", plan.reservedBytes(layer)}};
             })}};
}

void addHostCaches(Dict& info, const executor::KvCachePlan& plan) {
    if (!plan.layers.empty()) {
        info.emplace_back("host_caches", hostCacheInfo(plan));
    }
}

}  // namespace et::output
