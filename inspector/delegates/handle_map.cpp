#include "inspector/delegates/handle_map.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace et::inspector {
namespace {

/// In the order of MapSource.
constexpr std::array<std::string_view, 4> sourceNames{"the trace's operators", "the record's delegate map",
                                                      "the nodes inside the payload",
                                                      "the whole instruction"};

/// Maximum nodes of one entry, because a damaged record may repeat them.
constexpr std::size_t maxNodes = 4096;

class Mapper {
  public:
    Mapper(std::string_view method, const DelegateReport& of, const DelegateCallSite& at,
           const etrecord::Record* from)
        : report(of),
          call(at),
          maps(from == nullptr ? nullptr : from->maps(method)),
          graph(from == nullptr ? nullptr : from->edgeGraph(method)) {}

    HandleMap map() const {
        using Entries = std::vector<HandleMapEntry>;
        const std::array<std::pair<MapSource, std::function<Entries()>>, 4> sources{{
            {MapSource::Trace, [this] { return ofTrace(); }},
            {MapSource::DelegateMap, [this] { return ofDelegateMap(); }},
            {MapSource::Payload, [this] { return ofPayload(); }},
            {MapSource::Instruction, [this] { return ofInstruction(); }},
        }};
        for (const auto& [source, entries] : sources) {
            HandleMap found{.source = source, .entries = entries()};
            if (!found.entries.empty()) {
                return found;
            }
        }
        return {};
    }

  private:
    std::vector<HandleMapEntry> ofTrace() const {
        std::vector<HandleMapEntry> out;
        for (const TimedOperator& each : call.operators) {
            out.push_back({.id = each.name, .handles = each.handles, .nodes = each.nodes, .time = each.time});
        }
        return out;
    }

    std::vector<HandleMapEntry> ofDelegateMap() const {
        std::vector<HandleMapEntry> out;
        if (maps == nullptr || call.chain != 0) {
            return out;
        }
        const auto entry = maps->delegates.find(call.instruction);
        if (entry == maps->delegates.end()) {
            return out;
        }
        if (!tells(entry->second)) {
            return out;
        }
        for (const auto& [id, handles] : entry->second.identifiers) {
            out.push_back({.id = id, .handles = handles, .nodes = nodesOf(handles)});
        }
        return out;
    }

    /// Whether the map is usable: its handles must be those of the instruction, not positions in the lowered
    /// graph that look like handles.
    bool tells(const etrecord::DelegateEntry& entry) const {
        const auto known = [this](core::DebugHandle handle) {
            return std::ranges::contains(call.handles, handle);
        };
        return !report.mapsPositions && std::ranges::all_of(entry.identifiers, [&](const auto& identifier) {
            return std::ranges::all_of(identifier.second, known);
        });
    }

    std::vector<HandleMapEntry> ofPayload() const {
        std::vector<HandleMapEntry> out;
        if (!report.graph || std::ranges::all_of(report.graph->nodes(), [](const core::GraphNode& node) {
                return node.debugHandles.empty();
            })) {
            return out;
        }
        for (std::size_t i = 0; i < report.graph->nodes().size(); ++i) {
            const core::GraphNode& node = report.graph->nodes()[i];
            out.push_back({.id = node.name.empty() ? node.kind : node.name + " " + node.kind,
                           .handles = node.debugHandles,
                           .nodes = nodesOf(node.debugHandles),
                           .payloadNode = i});
        }
        return out;
    }

    std::vector<HandleMapEntry> ofInstruction() const {
        if (call.handles.empty()) {
            return {};
        }
        return {{.id = std::string(report.delegate->backend),
                 .handles = call.handles,
                 .nodes = call.nodes,
                 .time = call.time}};
    }

    std::vector<const etrecord::Node*> nodesOf(const std::vector<core::DebugHandle>& handles) const {
        std::vector<const etrecord::Node*> nodes;
        std::unordered_set<const etrecord::Node*> seen;
        for (const core::DebugHandle handle : handles) {
            for (const etrecord::NodeIndex index :
                 graph == nullptr ? std::span<const etrecord::NodeIndex>() : graph->nodesOf(handle)) {
                if (nodes.size() < maxNodes && seen.insert(&graph->nodes[index]).second) {
                    nodes.push_back(&graph->nodes[index]);
                }
            }
        }
        return nodes;
    }

    const DelegateReport& report;
    const DelegateCallSite& call;
    const etrecord::MethodMaps* maps;
    const etrecord::ExportedGraph* graph;
};

}  // namespace

std::string_view mapSourceName(MapSource source) {
    return sourceNames[static_cast<std::size_t>(source)];
}

HandleMap handleMap(std::string_view method, const DelegateReport& report, const DelegateCallSite& call,
                    const etrecord::Record* record) {
    return Mapper(method, report, call, record).map();
}

std::vector<MappedNode> nodesToEntries(const HandleMap& map, const DelegateCallSite& call) {
    std::vector<MappedNode> out;
    std::unordered_map<const etrecord::Node*, std::size_t> places;
    const auto add = [&](const etrecord::Node* node) {
        const auto [place, fresh] = places.try_emplace(node, out.size());
        if (fresh) {
            out.push_back({.node = node});
        }
        return place->second;
    };
    for (const etrecord::Node* node : call.nodes) {
        add(node);
    }
    for (std::size_t i = 0; i < map.entries.size(); ++i) {
        for (const etrecord::Node* node : map.entries[i].nodes) {
            out[add(node)].entries.push_back(i);
        }
    }
    // All nodes of a graph are in one array, so comparing pointers gives graph order.
    std::ranges::stable_sort(out, std::less{}, &MappedNode::node);
    return out;
}

}  // namespace et::inspector
