#include "app/output/report/page_events.h"

#include "inspector/events/wrapper_events.h"
#include "runtime/core/event_names.h"

#include <variant>

namespace et::output {

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

std::vector<bool> wrapperRows(const inspector::events::EventRows& events) {
    std::vector<bool> out;
    out.reserve(events.rows.size());
    for (const inspector::events::BlockTime& block : events.blocks) {
        if (block.rowCount > 0) {
            const auto ofBlock = inspector::events::wrapperEvents(*events.rows[block.firstRow].block);
            out.insert(out.end(), ofBlock.begin(), ofBlock.end());
        }
    }
    return out;
}

std::string listText(const List& cells) {
    std::string out;
    for (const Cell& cell : cells) {
        if (const auto* const text = std::get_if<std::string>(&cell)) {
            out += (out.empty() ? "" : ", ") + *text;
        }
    }
    return out;
}

PageEvents::PageEvents(const inspector::EventBlocks& blocks)
    : tree(inspector::events::eventRows(blocks)), wrappers(wrapperRows(tree)) {
    for (std::size_t i = 0; i < tree.rows.size(); ++i) {
        for (const etdump::EventIndex sample : tree.rows[i].event->profileEvents) {
            bySample.emplace(sample, i);
        }
    }
}

std::optional<std::size_t> PageEvents::rowOf(etdump::EventIndex sample) const {
    const auto found = bySample.find(sample);
    return found == bySample.end() ? std::nullopt : std::optional(found->second);
}

void PageEvents::leaveOutWrappers(std::vector<inspector::events::Slice>& slices) const {
    std::erase_if(slices, [this](const inspector::events::Slice& slice) {
        const auto row = rowOf(slice.event);
        return row && wrappers[*row];
    });
}

}  // namespace et::output
