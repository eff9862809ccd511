#include "app/pages/report/page_events.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/wrapper_events.h"
#include "runtime/core/event_names.h"

namespace et::app {

PageKind pageKind(const inspector::Event& event) {
    if (event.delegated) {
        return PageKind::Delegated;
    }
    if (event.name.starts_with(core::event_name::delegateCall)) {
        return PageKind::DelegateCall;
    }
    return event.instruction.value >= 0 && event.name.starts_with(core::event_name::kernelPrefix)
               ? PageKind::Kernel
               : PageKind::Runtime;
}

PageEvents::PageEvents(const inspector::EventBlocks& blocks) : tree(inspector::report::eventRows(blocks)) {
    for (std::size_t i = 0; i < tree.rows.size(); ++i) {
        for (const etdump::EventIndex sample : tree.rows[i].event->profileEvents) {
            bySample.emplace(sample, i);
        }
    }
    for (const inspector::Block& block : blocks.blocks()) {
        const std::vector<bool> ofBlock = inspector::report::wrapperEvents(block);
        wrappers.insert(wrappers.end(), ofBlock.begin(), ofBlock.end());
    }
}

std::optional<std::size_t> PageEvents::rowOf(etdump::EventIndex sample) const {
    const auto found = bySample.find(sample);
    return found == bySample.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace et::app
