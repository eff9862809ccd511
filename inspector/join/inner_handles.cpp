#include "inspector/join/inner_handles.h"

#include "runtime/executor/module_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>

namespace et::inspector::join::detail {
namespace {

std::vector<core::DebugHandle> handlesOf(const core::ModelGraph& inside,
                                         const std::vector<std::size_t>& nodes) {
    std::vector<core::DebugHandle> handles;
    for (const std::size_t node : nodes) {
        if (node < inside.nodes().size()) {
            std::ranges::copy_if(
                inside.nodes()[node].debugHandles, std::back_inserter(handles),
                [&](core::DebugHandle each) { return !std::ranges::contains(handles, each); });
        }
    }
    return handles;
}

bool isOfCall(const Event& event, const std::vector<core::DebugHandle>& handles) {
    return std::ranges::all_of(handles, [&](core::DebugHandle handle) {
        return std::ranges::contains(event.regionHandles, handle);
    });
}

}  // namespace

const program::Delegate* delegateAt(const program::Method& method, const CallPlace& place) {
    const auto chain = static_cast<std::size_t>(place.first);
    const auto at = static_cast<std::size_t>(place.second.value);
    if (place.first < 0 || place.second.value < 0 || chain >= method.chains.size() ||
        at >= method.chains[chain].instructions.size()) {
        return nullptr;
    }
    const auto* call = std::get_if<program::DelegateCall>(&method.chains[chain].instructions[at]);
    return call == nullptr ? nullptr : &method.delegate(call->delegate);
}

std::vector<OperatorHandles> handlesByName(const executor::Backend& backend,
                                           const program::Delegate& delegate, const core::ModelGraph& inside,
                                           std::span<const std::string_view> names) {
    const auto found = backend.nodesOf(delegate, names);
    std::vector<OperatorHandles> handles(names.size());
    for (std::size_t i = 0; i < std::min(found.size(), names.size()); ++i) {
        if (found[i]) {
            handles[i] = handlesOf(inside, *found[i]);
        }
    }
    return handles;
}

std::vector<OperatorHandles> InnerHandles::find(std::string_view method, std::span<const Event> events) {
    std::vector<OperatorHandles> found(events.size());
    const program::Method* ran = program.findMethod(method);
    std::map<CallPlace, std::vector<std::size_t>> calls;
    for (std::size_t i = 0; ran != nullptr && i < events.size(); ++i) {
        if (events[i].delegated && !events[i].samples.empty()) {
            calls[{events[i].chain, events[i].instruction}].push_back(i);
        }
    }
    for (const auto& [place, operators] : calls) {
        const program::Delegate* delegate = delegateAt(*ran, place);
        const auto isUnmapped = [&](std::size_t i) {
            return events[i].handleSource == HandleSource::UnmappedDelegate;
        };
        const executor::Backend* backend =
            delegate == nullptr ? nullptr : executor::findBackend(backends, delegate->backend);
        if (backend == nullptr || std::ranges::none_of(operators, isUnmapped)) {
            continue;
        }
        const core::ModelGraph* inside = graphOf(*backend, *delegate);
        if (inside == nullptr) {
            continue;
        }
        std::vector<std::string_view> names;
        std::ranges::transform(operators, std::back_inserter(names),
                               [&](std::size_t i) { return events[i].name; });
        std::vector<OperatorHandles> handles = handlesByName(*backend, *delegate, *inside, names);
        for (std::size_t at = 0; at < operators.size(); ++at) {
            const std::size_t i = operators[at];
            if (isUnmapped(i) && handles[at] && isOfCall(events[i], *handles[at])) {
                found[i] = std::move(handles[at]);
            }
        }
    }
    return found;
}

/// Returns null if the payload's contents are unknown.
const core::ModelGraph* InnerHandles::graphOf(const executor::Backend& backend,
                                              const program::Delegate& delegate) {
    const auto [known, isNew] = described.try_emplace(&delegate);
    if (isNew) {
        // Weights outside the program do not matter here.
        if (auto graph = backend.describe(delegate, executor::ModuleData(program, {}))) {
            known->second = *std::move(graph);
        }
    }
    return known->second ? &*known->second : nullptr;
}

}  // namespace et::inspector::join::detail
