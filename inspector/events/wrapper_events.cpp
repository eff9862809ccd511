#include "inspector/events/wrapper_events.h"

#include "inspector/events/event_fields.h"
#include "inspector/names/operator_names.h"

#include <cstdint>
#include <set>
#include <utility>

namespace et::inspector::events {

std::vector<bool> wrapperEvents(const Block& block) {
    std::set<std::pair<std::int64_t, std::int32_t>> kernels;
    for (const Event& event : block.events) {
        if (!event.delegated && !event.samples.empty() &&
            !names::detail::kernelOperator(event.name).empty()) {
            kernels.emplace(event.chain, event.instruction.value);
        }
    }
    std::vector<bool> out;
    out.reserve(block.events.size());
    for (const Event& event : block.events) {
        out.push_back(!event.delegated && event.name == names::detail::operatorCall &&
                      kernels.contains({event.chain, event.instruction.value}));
    }
    return out;
}

}  // namespace et::inspector::events
