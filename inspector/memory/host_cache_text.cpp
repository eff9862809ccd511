#include "inspector/memory/host_cache_text.h"

#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector {

using format::readableBytes;

std::string capacityText(const executor::KvCachePlan& plan) {
    if (plan.capacity <= 0) {
        return "an unknown number of positions (--kv-max-capacity)";
    }
    const std::string positions = fmt::format("{} position{}", plan.capacity, plan.capacity == 1 ? "" : "s");
    if (plan.capacitySource.empty()) {
        return positions;
    }
    return fmt::format("{} ({})", positions,
                       plan.capacitySource == "length" ? "maximum length of a call" : plan.capacitySource);
}

std::string hostCacheText(const executor::KvCachePlan& plan) {
    if (plan.layers.empty()) {
        return {};
    }
    std::string text = fmt::format("KV caches outside the program: {} for {}, {} per position, {} layer{}",
                                   readableBytes(plan.reservedBytes()), capacityText(plan),
                                   readableBytes(plan.bytesPerPosition()), plan.layers.size(),
                                   plan.layers.size() == 1 ? "" : "s");
    const auto unsized = std::ranges::count(plan.layers, 0, &core::KvCacheLayer::heads);
    return unsized == 0 ? text : text + fmt::format("; sizes of {} unknown", unsized);
}

}  // namespace et::inspector
