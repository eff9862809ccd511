#include "app/embed/module_impl.h"

namespace et_inspect::detail {

et::core::TraceName LoadTracer::name(std::string_view text) {
    return target == nullptr ? et::core::TraceName(0) : target->name(text);
}

void LoadTracer::beginRun(std::string_view blockName) {
    if (target != nullptr) {
        target->beginRun(blockName);
    }
}

void LoadTracer::endRun() {
    if (target != nullptr) {
        target->endRun();
    }
}

void LoadTracer::profile(et::core::TraceName event, const et::core::TraceIds& ids, std::uint64_t start,
                         std::uint64_t end, et::core::Bytes metadata) {
    if (target != nullptr) {
        target->profile(event, ids, start, end, metadata);
    }
}

std::uint32_t LoadTracer::allocator(std::string_view text) {
    return target == nullptr ? 0 : target->allocator(text);
}

void LoadTracer::allocation(std::uint32_t allocatorId, std::uint64_t bytes) {
    if (target != nullptr) {
        target->allocation(allocatorId, bytes);
    }
}

et::core::DebugLevel LoadTracer::debugLevel() const {
    return target == nullptr ? et::core::DebugLevel::None : target->debugLevel();
}

}  // namespace et_inspect::detail
