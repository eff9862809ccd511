#include "backends/host_caches.h"

#include "backends/builtin.h"
#include "runtime/executor/module_data.h"

#include <algorithm>
#include <vector>

namespace et::backends {

executor::KvCachePlan hostCachePlan(const program::Program& program, const core::KvCacheSettings& settings) {
    const executor::ModuleData named(program, {});
    return executor::planKvCaches(program, describable(), named, settings);
}

executor::KvCachePlan hostCachePlan(const program::Program& program, const program::Method& method,
                                    const core::KvCacheSettings& settings) {
    executor::KvCachePlan plan = hostCachePlan(program, settings);
    if (!plan.layers.empty()) {
        const executor::ModuleData named(program, {});
        const std::vector<core::KvCacheLayer> used = executor::kvCacheLayers(method, describable(), named);
        std::erase_if(plan.layers, [&](const core::KvCacheLayer& layer) {
            return !std::ranges::contains(used, layer.layer, &core::KvCacheLayer::layer);
        });
    }
    return plan;
}

}  // namespace et::backends
