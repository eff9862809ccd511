#include "inspector/events/group_bins.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
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
    const bool prefixed = name.starts_with(detail::kernelPrefix);  // custom libraries have another form
    const std::string_view own = prefixed ? name.substr(detail::kernelPrefix.size()) : name;
    return std::string(best.empty() ? own : best);
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

std::string moduleLabel(const EventRow& row, const ModuleRollUp& modules) {
    if (row.block->name == phaseBlockName && !row.block->phase.empty()) {
        return std::string(outsideModel);
    }
    const Cell module = commonModule(*row.block, *row.event);
    const auto* name = std::get_if<std::string>(&module);
    return name == nullptr ? "(no module)" : name->empty() ? "(root)" : modules(*name);
}

Bin delegateBin(const EventRow& row) {
    const Event& event = *row.event;
    if (!event.delegated && event.name != detail::delegateCall) {
        return {.labels = {std::string(row.hasParts ? unattributed : notDelegated)}};
    }
    const std::string own = row.hasParts ? std::string(unattributed) : operatorLabel(row);
    return {.labels = {event.backend.empty() ? "(unknown delegate)" : std::string(event.backend)},
            .part = own,
            .instruction = std::int64_t{event.instruction.value},
            .place = {event.chain, event.instruction.value}};
}

/// The label of one key; nothing: it is of the block, not of the event.
std::optional<std::string> labelOf(const EventRow& row, GroupBy by, const ModuleRollUp& modules,
                                   bool byPhase) {
    // By phase, every time has a place: what a call takes besides its operators is of its module.
    const bool callsHaveModules = byPhase && detail::isCall(row.event->name);
    switch (by) {
        case GroupBy::Block:
            return std::string(row.block->name);
        case GroupBy::Module:
            return row.hasParts && !callsHaveModules ? std::string(unattributed) : moduleLabel(row, modules);
        case GroupBy::Op:
            return row.hasParts ? std::string(unattributed) : operatorLabel(row);
        case GroupBy::Delegate:
        case GroupBy::Phase:
        case GroupBy::Trace:
        case GroupBy::None:
            break;
    }
    return std::nullopt;
}

}  // namespace

Bin binOf(const EventRow& row, const GroupKeys& by, const ModuleRollUp& modules, bool kept) {
    if (by.has(GroupBy::Delegate)) {
        return kept ? delegateBin(row) : Bin{.labels = {std::string(filteredOut)}};
    }
    Bin bin;
    for (const GroupBy key : by.all()) {
        if (auto label = labelOf(row, key, modules, by.has(GroupBy::Phase))) {
            bin.labels.push_back(kept ? *std::move(label) : std::string(filteredOut));
        }
    }
    return bin;
}

}  // namespace et::inspector::report
