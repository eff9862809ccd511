#include "visualizers/toolkit/flame_scene.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

FlameScene::FlameScene(std::shared_ptr<const inspector::EventBlocks> joined,
                       inspector::events::FlameTree made)
    : source(std::move(joined)), shown(std::move(made)), lefts(shown.nodes.size(), 0.0) {
    for (std::size_t i = 0; i < shown.nodes.size(); ++i) {
        double left = lefts[i];
        for (const std::size_t child : shown.nodes[i].children) {
            lefts[child] = left;
            left += shown.nodes[child].total;
        }
        for (const std::size_t event : shown.nodes[i].events) {
            byEvent.emplace(event, i);
        }
    }
}

std::optional<std::size_t> FlameScene::nodeAt(std::size_t depth, double time) const {
    std::size_t node = 0;
    if (time < 0 || time > length()) {
        return std::nullopt;
    }
    while (shown.nodes[node].depth < depth) {
        const auto& children = shown.nodes[node].children;
        // The last that starts before the time; zero-length nodes cannot be hit.
        const auto after =
            std::ranges::upper_bound(children, time, {}, [this](std::size_t child) { return lefts[child]; });
        if (after == children.begin()) {
            return std::nullopt;
        }
        const std::size_t found = *std::prev(after);
        if (time > lefts[found] + shown.nodes[found].total) {
            return std::nullopt;
        }
        node = found;
    }
    return node;
}

std::optional<std::size_t> FlameScene::nodeOf(EventRef event) const {
    const auto found = event.block == shown.block ? byEvent.find(event.event) : byEvent.end();
    return found == byEvent.end() ? std::nullopt : std::optional(found->second);
}

std::vector<EventRef> FlameScene::eventsOf(std::size_t node) const {
    std::vector<EventRef> events;
    for (const std::size_t event : shown.eventsBelow(node)) {
        events.push_back({shown.block, event});
    }
    return events;
}

std::optional<EventRef> FlameScene::slowestOf(std::size_t node) const {
    const std::vector<EventRef> events = eventsOf(node);
    const auto& all = source->blocks()[shown.block].events;
    const auto slowest =
        std::ranges::max_element(events, {}, [&](EventRef event) { return all[event.event].statistics.p50; });
    return slowest == events.end() ? std::nullopt : std::optional(*slowest);
}

}  // namespace et::visualizers
