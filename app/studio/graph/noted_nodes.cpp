#include "app/studio/graph/noted_nodes.h"

#include "visualizers/notes/noted_events.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace et::studio {

namespace {

using inspector::store::Note;

bool isTo(const core::GraphNode& node, const Note& note) {
    return note.debugHandle
               ? std::ranges::contains(node.debugHandles, *note.debugHandle)
               : note.delegated.empty() && note.instruction && node.instruction == note.instruction;
}

/// One flag per node; empty: none.
std::vector<bool> nodesOf(const Note& note, const core::ModelGraph& graph,
                          const inspector::EventBlocks* blocks, const HoverLink& link) {
    if (const auto event = blocks == nullptr ? std::nullopt : visualizers::notedEvent(note, *blocks)) {
        if (auto nodes = link.nodesOf(event); !nodes.empty()) {
            return nodes;
        }
    }
    std::vector<bool> nodes;
    nodes.reserve(graph.nodes().size());
    for (const core::GraphNode& node : graph.nodes()) {
        nodes.push_back(isTo(node, note));
    }
    return nodes;
}

}  // namespace

std::vector<QString> notedNodes(const std::vector<Note>& notes, const core::ModelGraph& graph,
                                const inspector::GraphChoice& choice, const inspector::EventBlocks* blocks,
                                const HoverLink& link) {
    std::vector<QString> texts;
    for (const Note& note : notes) {
        if (!note.method.empty() && note.method == choice.method) {
            const std::vector<bool> nodes = nodesOf(note, graph, blocks, link);
            texts.resize(graph.nodes().size());
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                if (nodes[i]) {
                    visualizers::addNote(texts[i], note);
                }
            }
        }
    }
    return std::ranges::all_of(texts, &QString::isEmpty) ? std::vector<QString>() : texts;
}

}  // namespace et::studio
