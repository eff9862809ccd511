#include "inspector/numeric_gap/handle_mapping.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::ReferenceValue;

bool overlap(const HandleList& left, const HandleList& right) {
    return std::ranges::any_of(left,
                               [&](core::DebugHandle each) { return std::ranges::contains(right, each); });
}

/// The union of the handles: those of `first` that are not in `last`, followed by those of `last`.
HandleList joined(const HandleList& first, const HandleList& last) {
    HandleList all;
    for (const core::DebugHandle each : first) {
        if (!std::ranges::contains(last, each) && !std::ranges::contains(all, each)) {
            all.push_back(each);
        }
    }
    for (const core::DebugHandle each : last) {
        if (!std::ranges::contains(all, each)) {
            all.push_back(each);
        }
    }
    return all;
}

/// Merges two outputs. Keeps the values of the one that runs last; its handles come last.
EventOutput merged(EventOutput left, EventOutput right) {
    if (left.instruction >= right.instruction) {
        std::swap(left, right);
    }
    right.handles = joined(left.handles, right.handles);
    return right;
}

/// Among events with equal handles, keeps the one that runs last.
std::vector<EventOutput> lastOfEach(std::span<const EventOutput> events) {
    std::vector<EventOutput> kept;
    std::map<HandleList, std::size_t> places;
    for (const EventOutput& each : events) {
        const auto [known, isNew] = places.try_emplace(each.handles, kept.size());
        if (isNew) {
            kept.push_back(each);
        } else if (each.instruction > kept[known->second].instruction) {
            kept[known->second] = each;
        }
    }
    return kept;
}

std::vector<std::string> eventsAmong(std::span<const EventOutput> events, const HandleList& handles) {
    const std::set<core::DebugHandle> known(handles.begin(), handles.end());
    std::vector<std::string> names;
    for (const EventOutput& each : events) {
        if (std::ranges::all_of(each.handles, [&](core::DebugHandle one) { return known.contains(one); })) {
            names.push_back(each.name);
        }
    }
    return names;
}

std::vector<std::string> nodesAmong(std::span<const GraphOutput> graph, const HandleList& handles) {
    const std::set<core::DebugHandle> known(handles.begin(), handles.end());
    std::vector<std::string> names;
    for (const GraphOutput& each : graph) {
        if (std::ranges::all_of(each.handles, [&](core::DebugHandle one) { return known.contains(one); })) {
            names.insert(names.end(), each.nodes.begin(), each.nodes.end());
        }
    }
    return names;
}

/// The value of output `fromEnd` (1: the last) of the event; a logged list is combined into one value.
std::optional<ReferenceValue> outputOf(const EventOutput& event, const ReferenceValue& expected,
                                       std::size_t fromEnd) {
    if (event.values.empty() || (event.isDelegate && fromEnd > event.values.size())) {
        return std::nullopt;
    }
    if (event.isDelegate) {
        return event.values[event.values.size() - fromEnd];
    }
    const auto* list = expected.as<ReferenceValue::List>();
    if (list != nullptr && event.values.front().as<ReferenceValue::List>() == nullptr) {
        return ReferenceValue{ReferenceValue::List(event.values.begin(), event.values.end())};
    }
    return event.values.front();
}

const GraphOutput* ownerOf(std::span<const GraphOutput> graph, core::DebugHandle handle) {
    const HandleList wanted{handle};
    const auto exact = std::ranges::find(graph, wanted, &GraphOutput::handles);
    const auto any = exact != graph.end() ? exact : std::ranges::find_if(graph, [&](const GraphOutput& each) {
        return std::ranges::contains(each.handles, handle);
    });
    return any == graph.end() ? nullptr : &*any;
}

/// Number of handles, from the last backwards, that belong to an output of the event.
std::size_t outputsOf(const EventOutput& event) {
    return event.isDelegate ? std::max<std::size_t>(std::min(event.outputs, event.handles.size()), 1) : 1;
}

/// Events with handles; among equal handles, the one that runs last.
std::vector<EventOutput> separateEvents(std::span<const EventOutput> events) {
    std::vector<EventOutput> known(events.begin(), events.end());
    std::erase_if(known, [](const EventOutput& each) { return each.handles.empty(); });
    return lastOfEach(known);
}

void addMatches(std::span<const GraphOutput> graph, const EventOutput& event,
                std::span<const EventOutput> separate, std::vector<HandleMatch>& matches) {
    for (std::size_t fromEnd = outputsOf(event); fromEnd > 0; --fromEnd) {
        const GraphOutput* owner = ownerOf(graph, event.handles[event.handles.size() - fromEnd]);
        if (owner == nullptr) {
            continue;
        }
        if (auto runtime = outputOf(event, owner->value, fromEnd)) {
            matches.push_back({.handles = event.handles,
                               .nodes = nodesAmong(graph, event.handles),
                               .events = eventsAmong(separate, event.handles),
                               .instruction = event.instruction,
                               .reference = owner->value,
                               .runtime = *std::move(runtime)});
        }
    }
}

}  // namespace

void addOutput(std::vector<GraphOutput>& outputs, const HandleList& handles, const std::string& node,
               ReferenceValue value) {
    const auto known = std::ranges::find(outputs, handles, &GraphOutput::handles);
    if (known == outputs.end()) {
        outputs.push_back({.handles = handles, .nodes = {node}, .value = std::move(value)});
        return;
    }
    known->nodes.push_back(node);
    known->value = std::move(value);
}

std::vector<EventOutput> mergeOverlaps(std::span<const EventOutput> events) {
    std::vector<EventOutput> separate;
    for (const EventOutput& each : events) {
        EventOutput all = each;
        const auto apart = std::ranges::stable_partition(
            separate, [&](const EventOutput& known) { return !overlap(known.handles, each.handles); });
        for (const EventOutput& known : apart) {
            all = merged(known, std::move(all));
        }
        separate.erase(apart.begin(), separate.end());
        separate.push_back(std::move(all));
    }
    std::ranges::stable_sort(separate, {}, [](const EventOutput& each) { return each.handles.back(); });
    return separate;
}

std::set<core::DebugHandle> comparedHandles(std::span<const EventOutput> events) {
    std::set<core::DebugHandle> compared;
    for (const EventOutput& event : mergeOverlaps(separateEvents(events))) {
        compared.insert(event.handles.end() - static_cast<std::ptrdiff_t>(outputsOf(event)),
                        event.handles.end());
    }
    return compared;
}

std::vector<HandleMatch> matchHandles(std::span<const GraphOutput> graph,
                                      std::span<const EventOutput> events) {
    const std::vector<EventOutput> separate = separateEvents(events);
    std::vector<EventOutput> mergedEvents = mergeOverlaps(separate);
    std::vector<HandleMatch> matches;
    for (const GraphOutput& each : graph) {
        const auto found = std::ranges::find_if(
            mergedEvents, [&](const EventOutput& event) { return overlap(event.handles, each.handles); });
        if (found != mergedEvents.end()) {
            addMatches(graph, *found, separate, matches);
            mergedEvents.erase(found);
        }
    }
    return matches;
}

}  // namespace et::inspector
