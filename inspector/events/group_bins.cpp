#include "inspector/events/group_bins.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>
#include <vector>

namespace et::inspector::report {
namespace {

constexpr std::string_view notDelegated = "(not delegated)";

/// The op type that a kernel implements among those of its debug handles, which may stand for several
/// kernels.
std::string kernelLabel(const EventRow& row, std::string_view kernel) {
    std::string_view best;
    for (const std::string_view type : opTypes(*row.block, *row.event, OpTypes::All)) {
        if (detail::nodeOperator(type) == kernel) {
            return std::string(type);
        }
        if (best.empty() && detail::mayImplement(kernel, detail::nodeOperator(type))) {
            best = type;
        }
    }
    const std::string_view name = row.event->name;
    return std::string(best.empty() ? name.substr(detail::kernelPrefix.size()) : best);
}

std::string operatorLabel(const EventRow& row) {
    const Event& event = *row.event;
    if (const std::string_view kernel = detail::kernelOperator(event.name);
        !kernel.empty() && !event.delegated) {
        return kernelLabel(row, kernel);
    }
    if (event.delegated) {
        std::vector<std::string_view> types = opTypes(*row.block, event, OpTypes::All);
        types.erase(std::ranges::unique(types).begin(), types.end());
        return types.empty() ? std::string(withoutNumber(event.name))
                             : fmt::format("{}", fmt::join(types, " + "));
    }
    const bool call = event.name == detail::delegateCall && !event.backend.empty();
    return std::string(call ? event.backend : event.name);
}

std::string moduleLabel(const EventRow& row) {
    const Cell module = commonModule(*row.block, *row.event);
    const auto* name = std::get_if<std::string>(&module);
    return name == nullptr ? "(no module)" : name->empty() ? "(root)" : *name;
}

Bin delegateBin(const EventRow& row) {
    const Event& event = *row.event;
    if (!event.delegated && event.name != detail::delegateCall) {
        return {.group = std::string(row.hasParts ? unattributed : notDelegated)};
    }
    const std::string own = row.hasParts ? std::string(unattributed) : operatorLabel(row);
    return {.group = event.backend.empty() ? "(unknown delegate)" : std::string(event.backend),
            .part = own,
            .instruction = std::int64_t{event.instruction.value},
            .place = {event.chain, event.instruction.value}};
}

}  // namespace

Bin binOf(const EventRow& row, GroupBy by, bool kept) {
    if (!kept) {
        return {.group = std::string(filteredOut)};
    }
    switch (by) {
        case GroupBy::Delegate:
            return delegateBin(row);
        case GroupBy::Block:
            return {.group = std::string(row.block->name)};
        case GroupBy::Module:
        case GroupBy::Op:
        case GroupBy::None:
            break;
    }
    if (row.hasParts) {
        return {.group = std::string(unattributed)};
    }
    return {.group = by == GroupBy::Module ? moduleLabel(row) : operatorLabel(row)};
}

}  // namespace et::inspector::report
