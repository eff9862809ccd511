#include "inspector/graph/graph_sources.h"
#include "inspector/names/python_stack.h"
#include "inspector/names/value_role.h"
#include "inspector/store/session/session_rows.h"
#include "runtime/native/model_graph.h"
#include "runtime/native/package.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::store {
namespace {

using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

/// "features > features.0", outermost first; limited, since the nesting in a damaged file may be unbounded.
std::string groupPath(const ModelGraph& graph, const GraphNode& node) {
    constexpr int deepest = 64;
    std::string path;
    std::optional<core::GraphGroupId> group = node.group;
    for (int depth = 0; group && depth < deepest; ++depth) {
        const core::GraphGroup& found = graph.group(*group);
        path = path.empty() ? found.name : found.name + " > " + path;
        group = found.parent;
    }
    return path;
}

/// Adds the rows of one graph.
class GraphRows {
  public:
    GraphRows(RowWriter& to, std::int64_t number, const ModelGraph& of)
        : rows(to), graph(number), model(of) {}

    /// `exported`: the record's graph with these nodes; null for graphs of a program.
    Result<> add(std::string_view kind, std::string_view method, const etrecord::ExportedGraph* exported) {
        ET_TRY(rows.add("graphs", graph, kind, method));
        if (exported != nullptr) {
            for (const etrecord::Node& node : exported->nodes) {
                recorded.emplace(node.name, &node);
            }
        }
        for (std::size_t i = 0; i < model.nodes().size(); ++i) {
            ET_TRY(addNode(i, model.nodes()[i]));
        }
        return {};
    }

    [[nodiscard]] NodeRows takeNames() { return {.graph = graph, .byName = std::move(names)}; }

  private:
    Result<> addNode(std::size_t at, const GraphNode& node) {
        const auto found = recorded.find(node.name);
        const etrecord::Node* const origin = found == recorded.end() ? nullptr : found->second;
        names.emplace(node.name, static_cast<std::int64_t>(at));
        const auto instruction = node.instruction.transform([](auto id) { return id.value; });
        std::optional<std::string_view> module;
        std::optional<std::string_view> type;
        if (origin != nullptr && !origin->moduleStack.empty()) {
            module = origin->moduleStack.back().fqn;
            type = orNull(origin->moduleStack.back().type);
        }
        ET_TRY(rows.add("nodes", graph, at, node.name, node.kind, instruction, orNull(groupPath(model, node)),
                        module, type, sourceOf(node)));
        ET_TRY(addParts(at, node));
        return origin == nullptr ? Result<>() : addOrigin(at, *origin);
    }

    static std::optional<std::string_view> sourceOf(const GraphNode& node) {
        for (const core::GraphAttribute& attribute : node.attributes) {
            if (attribute.name == "source") {
                return attribute.text;
            }
        }
        return std::nullopt;
    }

    Result<> addParts(std::size_t at, const GraphNode& node) {
        for (const core::GraphAttribute& attribute : node.attributes) {
            ET_TRY(rows.add("node_attributes", graph, at, attribute.name, attribute.text));
        }
        for (const core::DebugHandle handle : node.debugHandles) {
            ET_TRY(rows.add("node_handles", graph, at, handle.value));
        }
        for (const core::GraphValueId id : node.inputs) {
            const GraphValue& value = model.value(id);
            const auto producer = value.producer.transform([](GraphNodeId nodeId) { return nodeId.value; });
            const auto bytes = value.bytes == 0 ? std::nullopt : std::optional(value.bytes);
            ET_TRY(rows.add("edges", graph, producer, at, value.name, orNull(value.type),
                            roleName(value.role), bytes));
        }
        return {};
    }

    Result<> addOrigin(std::size_t at, const etrecord::Node& node) {
        for (std::size_t depth = 0; depth < node.moduleStack.size(); ++depth) {
            const etrecord::ModuleFrame& frame = node.moduleStack[depth];
            ET_TRY(rows.add("node_modules", graph, at, depth, frame.path, frame.fqn, orNull(frame.type)));
        }
        const std::vector<PythonFrame> frames = parseFrames(node.stackTrace);
        for (std::size_t depth = 0; depth < frames.size(); ++depth) {
            const PythonFrame& frame = frames[depth];
            ET_TRY(rows.add("stack_frames", graph, at, depth, frame.path, frame.line, orNull(frame.function),
                            orNull(frame.code)));
        }
        return {};
    }

    RowWriter& rows;
    std::int64_t graph;
    const ModelGraph& model;
    std::map<std::string_view, const etrecord::Node*> recorded;
    std::map<std::string, std::int64_t, std::less<>> names;
};

Result<> addMaps(RowWriter& rows, const etrecord::Record& record, std::string_view method) {
    const etrecord::MethodMaps* const maps = record.maps(method);
    if (maps == nullptr) {
        return {};
    }
    for (const auto& [instruction, entry] : maps->debugHandles) {
        for (const core::DebugHandle handle : entry.handles) {
            ET_TRY(rows.add("instruction_handles", method, instruction.value, handle.value));
        }
    }
    for (const auto& [instruction, entry] : maps->delegates) {
        for (const auto& [identifier, handles] : entry.identifiers) {
            for (const core::DebugHandle handle : handles) {
                ET_TRY(rows.add("delegate_maps", method, instruction.value, entry.backend, identifier,
                                handle.value));
            }
        }
    }
    return {};
}

Result<> addRecord(RowWriter& rows, const etrecord::Record& record, std::int64_t& number,
                   NodeRowsByMethod& edgeNodes) {
    for (const std::string& method : record.methods()) {
        const etrecord::ExportedGraph& exported = *record.edgeGraph(method);
        const ModelGraph graph = recordGraph(exported, method);
        GraphRows writer(rows, number++, graph);
        ET_TRY(writer.add("edge", method, &exported));
        edgeNodes.emplace(method, writer.takeNames());
        ET_TRY(addMaps(rows, record, method));
    }
    const auto exported = record.exportedProgram();
    if (!exported) {
        return rows.add("warnings", "record", exported.error().toString());
    }
    if (*exported == nullptr) {
        return {};
    }
    const ModelGraph graph = recordGraph(**exported, "forward");
    return GraphRows(rows, number++, graph).add("exported", "forward", *exported);
}

}  // namespace

Result<> addGraphRows(RowWriter& rows, const Session& session,
                      std::span<const executor::Backend* const> backends, NodeRowsByMethod& edgeNodes) {
    std::int64_t number = 0;
    if (session.record != nullptr) {
        ET_TRY(addRecord(rows, *session.record, number, edgeNodes));
    }
    if (session.package != nullptr) {
        for (const native::Method& method : session.package->program.methods) {
            const ModelGraph graph = native::modelGraph(method, session.package->finder());
            ET_TRY(GraphRows(rows, number++, graph).add("package", method.name, nullptr));
        }
    }
    if (session.program == nullptr) {
        return {};
    }
    for (const program::Method& method : session.program->methods) {
        ET_ASSIGN(const ModelGraph graph, programGraph({.program = *session.program,
                                                        .method = method,
                                                        .backends = backends,
                                                        .record = session.record.get()}));
        ET_TRY(GraphRows(rows, number++, graph).add("program", method.name, nullptr));
    }
    return {};
}

}  // namespace et::inspector::store
