#include "app/output/report/page_graph.h"

#include "backends/builtin.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/session_graphs.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using inspector::GraphChoice;

/// The method with the most runs in the trace; empty without a trace or method names.
std::string_view methodOf(const inspector::Session& session) {
    std::string_view method;
    std::size_t runs = 0;
    if (session.blocks != nullptr) {
        for (const inspector::Block& block : session.blocks->blocks()) {
            if (!block.method.empty() && block.graph != nullptr && block.runs.size() > runs) {
                method = block.method;
                runs = block.runs.size();
            }
        }
    }
    return method;
}

/// Prefers an Edge graph to the program's graph, and the method that ran to others.
std::optional<GraphChoice> chosenGraph(const inspector::Session& session) {
    const std::string_view method = methodOf(session);
    std::optional<GraphChoice> best;
    int bestRank = 0;
    for (const GraphChoice& choice : inspector::graphChoices(session)) {
        const bool record = choice.kind == GraphChoice::Kind::Edge;
        if (!record && choice.kind != GraphChoice::Kind::Program) {
            continue;
        }
        const int rank = 1 + (record && !session.recordContradiction ? 2 : 0) +
                         (!method.empty() && choice.method == method ? 4 : 0);
        if (rank > bestRank) {
            best = choice;
            bestRank = rank;
        }
    }
    return best;
}

void writeGroups(core::JsonWriter& out, PageTexts& texts, const core::ModelGraph& graph) {
    out.beginArray();
    for (const core::GraphGroup& group : graph.groups()) {
        out.beginArray();
        out.integer(std::uint64_t{texts.number(inspector::groupName(group))});
        out.integer(std::uint64_t{texts.number(group.kind)});
        out.integer(group.parent ? std::int64_t{group.parent->value} : -1);
        out.endArray();
    }
    out.endArray();
}

void writeNode(core::JsonWriter& out, PageTexts& texts, const core::ModelGraph& graph,
               const core::GraphNode& node) {
    out.beginArray();
    out.integer(std::uint64_t{texts.number(inspector::readableKind(graph, node))});
    out.integer(std::uint64_t{texts.number(node.name)});
    out.integer(node.group ? std::int64_t{node.group->value} : -1);
    out.integer(node.instruction ? std::int64_t{node.instruction->value} : -1);
    out.integer(
        std::uint64_t{node.outputs.empty() ? 0 : texts.number(graph.value(node.outputs.front()).type)});
    out.beginArray();
    for (const core::DebugHandle handle : node.debugHandles) {
        out.integer(std::int64_t{handle.value});
    }
    out.endArray();
    out.endArray();
}

/// Writes each pair of connected nodes once.
void writeEdges(core::JsonWriter& out, const core::ModelGraph& graph) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const core::GraphValue& value : graph.values()) {
        for (const core::GraphNodeId consumer : value.consumers) {
            if (value.producer && *value.producer != consumer) {
                edges.emplace_back(value.producer->value, consumer.value);
            }
        }
    }
    std::ranges::sort(edges);
    const auto twice = std::ranges::unique(edges);
    edges.erase(twice.begin(), twice.end());
    out.beginArray();
    for (const auto& [from, to] : edges) {
        out.integer(std::uint64_t{from});
        out.integer(std::uint64_t{to});
    }
    out.endArray();
}

}  // namespace

void writePageGraph(core::JsonWriter& out, PageTexts& texts, const inspector::Session& session,
                    std::size_t maxNodes) {
    const auto choice = chosenGraph(session);
    const auto readable = choice ? inspector::makeReadableGraph(session, *choice, backends::describable())
                                 : core::Result<inspector::SimplifiedGraph>(inspector::SimplifiedGraph());
    if (!readable || readable->graph.nodes().empty() || readable->graph.nodes().size() > maxNodes) {
        out.null();
        return;
    }
    const core::ModelGraph& graph = readable->graph;
    out.beginObject();
    out.member("name", [&] { out.string(choice->title); });
    out.member("hidden", [&] { out.integer(std::uint64_t{readable->hidden}); });
    out.member("groups", [&] { writeGroups(out, texts, graph); });
    out.member("nodes", [&] {
        out.beginArray();
        for (const core::GraphNode& node : graph.nodes()) {
            writeNode(out, texts, graph, node);
        }
        out.endArray();
    });
    out.member("edges", [&] { writeEdges(out, graph); });
    out.endObject();
}

}  // namespace et::output
