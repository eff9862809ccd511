#include "app/studio/graph/hover_link.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace et::studio {

namespace {

using core::GraphNode;
using inspector::Event;
using visualizers::EventRef;

/// The events of a method by the identifiers of nodes.
struct EventIndex {
    std::map<core::DebugHandle, EventRef> byHandle{};
    std::map<core::InstructionId, EventRef> byInstruction{};
};

EventIndex indexOf(const inspector::EventBlocks& blocks, std::string_view method) {
    EventIndex index;
    std::map<core::DebugHandle, std::size_t> others;  // number of other handles of the event for a handle
    for (std::size_t i = 0; i < blocks.blocks().size(); ++i) {
        const inspector::Block& block = blocks.blocks()[i];
        for (std::size_t j = 0; (block.method.empty() || block.method == method) && j < block.events.size();
             ++j) {
            const Event& event = block.events[j];
            if (event.chain < 0 || event.samples.empty()) {
                continue;
            }
            for (const core::DebugHandle handle : event.handles) {
                const auto known = others.find(handle);
                if (known == others.end() || event.handles.size() < known->second) {
                    others[handle] = event.handles.size();
                    index.byHandle[handle] = EventRef{i, j};
                }
            }
            if (!event.delegated) {
                index.byInstruction.emplace(event.instruction, EventRef{i, j});
            }
        }
    }
    return index;
}

std::optional<EventRef> eventFor(const GraphNode& node, const EventIndex& index) {
    for (const core::DebugHandle handle : node.debugHandles) {
        if (const auto found = index.byHandle.find(handle); found != index.byHandle.end()) {
            return found->second;
        }
    }
    const auto found =
        node.instruction ? index.byInstruction.find(*node.instruction) : index.byInstruction.end();
    return found == index.byInstruction.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

HoverLink::HoverLink(const core::ModelGraph& graph, const inspector::GraphChoice& choice,
                     const inspector::EventBlocks* blocks) {
    if (blocks == nullptr) {
        return;
    }
    const EventIndex index = indexOf(*blocks, choice.method);
    events.reserve(graph.nodes().size());
    for (const GraphNode& node : graph.nodes()) {
        events.push_back(eventFor(node, index));
    }
}

std::optional<EventRef> HoverLink::eventOf(core::GraphNodeId node) const {
    return node.value < events.size() ? events[node.value] : std::nullopt;
}

std::vector<bool> HoverLink::nodesOf(const std::optional<EventRef>& event) const {
    std::vector<bool> nodes;
    if (!event || !std::ranges::contains(events, event)) {
        return nodes;
    }
    nodes.reserve(events.size());
    for (const auto& each : events) {
        nodes.push_back(each == event);
    }
    return nodes;
}

}  // namespace et::studio
