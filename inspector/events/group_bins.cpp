#include "inspector/events/group_bins.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"
#include "runtime/core/operator_counter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

namespace et::inspector::events {
namespace {

constexpr std::string_view notDelegated = "(not delegated)";
constexpr std::string_view insideDelegate = "(inside ";  ///< before the name of the backend

/// The op type that a kernel implements, among those of its debug handles, which several kernels may share.
std::string kernelLabel(const EventRow& row, std::string_view kernel) {
    std::string_view best;
    for (const std::string_view type : opTypes(*row.block, *row.event, OpTypes::All)) {
        if (names::detail::nodeOperator(type) == kernel) {
            return std::string(type);
        }
        if (best.empty() && names::detail::mayImplement(kernel, names::detail::nodeOperator(type))) {
            best = type;
        }
    }
    const std::string_view name = row.event->name;
    const bool prefixed = name.starts_with(names::detail::kernelPrefix);  // custom libraries use another form
    const std::string_view own = prefixed ? name.substr(names::detail::kernelPrefix.size()) : name;
    return std::string(best.empty() ? own : best);
}

std::string operatorLabel(const EventRow& row) {
    const Event& event = *row.event;
    if (const std::string_view kernel = names::detail::kernelOperator(event.name);
        !kernel.empty() && !event.delegated) {
        return kernelLabel(row, kernel);
    }
    if (event.delegated) {
        std::vector<std::string_view> types = opTypes(*row.block, event, OpTypes::All);
        types.erase(std::ranges::unique(types).begin(), types.end());
        return types.empty() ? std::string(core::withoutCounter(event.name))
                             : fmt::format("{}", fmt::join(types, " + "));
    }
    const bool call = event.name == names::detail::delegateCall && !event.backend.empty();
    return std::string(call ? event.backend : event.name);
}

std::string moduleLabel(const EventRows& rows, std::size_t at, const BinRule& rule) {
    const EventRow& row = rows.rows[at];
    if (row.block->name == phaseBlockName && !row.block->phase.empty()) {
        return std::string(outsideModel);
    }
    const auto modules = rule.places->of(at);
    if (!modules) {
        return "(no module)";
    }
    return modules->empty() || modules->back().fqn.empty() ? "(root)" : rule.names(modules->back().fqn);
}

/// Label of an event's self time; by phase, every time has a label.
std::string remainderLabel(const Event& event, bool byPhase) {
    if (byPhase && event.name == names::detail::methodExecute) {
        return std::string(dispatch);
    }
    if (byPhase && event.name == names::detail::delegateCall && !event.backend.empty()) {
        return fmt::format("{}{})", insideDelegate, event.backend);
    }
    return std::string(unattributed);
}

Bin delegateBin(const EventRow& row) {
    const Event& event = *row.event;
    if (!event.delegated && event.name != names::detail::delegateCall) {
        return {.labels = {std::string(row.hasParts ? unattributed : notDelegated)}};
    }
    const std::string own = row.hasParts ? std::string(unattributed) : operatorLabel(row);
    return {.labels = {event.backend.empty() ? "(unknown delegate)" : std::string(event.backend)},
            .part = own,
            .instruction = std::int64_t{event.instruction.value},
            .place = {event.chain, event.instruction.value}};
}

/// The label for one key; empty if it depends on the block instead of the event.
std::optional<std::string> labelOf(const EventRows& rows, std::size_t at, GroupBy key, const BinRule& rule) {
    const EventRow& row = rows.rows[at];
    const Event& event = *row.event;
    const bool byPhase = rule.by.has(GroupBy::Phase);
    const bool loads = event.name == names::detail::loadMethod || event.name == names::detail::methodInit;
    switch (key) {
        case GroupBy::Block:
            return std::string(row.block->name);
        case GroupBy::Module:
            if (byPhase && loads) {
                return std::string(loading);
            }
            // By phase, a call's time outside its operators belongs to its module.
            return row.hasParts && !(byPhase && names::detail::isCall(event.name))
                       ? remainderLabel(event, byPhase)
                       : moduleLabel(rows, at, rule);
        case GroupBy::Op:
            return row.hasParts ? remainderLabel(event, byPhase) : operatorLabel(row);
        case GroupBy::Delegate:
        case GroupBy::Phase:
        case GroupBy::Trace:
        case GroupBy::None:
            break;
    }
    return std::nullopt;
}

}  // namespace

bool isRemainder(std::string_view label) {
    return label == unattributed || label == dispatch || label.starts_with(insideDelegate);
}

Bin binOf(const EventRows& rows, std::size_t at, const BinRule& rule, bool kept) {
    if (rule.by.has(GroupBy::Delegate)) {
        return kept ? delegateBin(rows.rows[at]) : Bin{.labels = {std::string(filteredOut)}};
    }
    Bin bin;
    for (const GroupBy key : rule.by.all()) {
        if (auto label = labelOf(rows, at, key, rule)) {
            bin.labels.push_back(kept ? *std::move(label) : std::string(filteredOut));
        }
    }
    return bin;
}

}  // namespace et::inspector::events
