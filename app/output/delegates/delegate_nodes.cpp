#include "app/output/delegates/delegate_nodes.h"

#include "app/output/graph/graph_info.h"
#include "inspector/join/module_nodes.h"
#include "inspector/names/value_role.h"

#include <string>
#include <unordered_set>
#include <utility>

namespace et::output {
namespace {

List valueNames(const core::ModelGraph& inner, const std::vector<core::GraphValueId>& ids) {
    return listOf(ids, [&](core::GraphValueId id) { return inner.value(id).name; });
}

}  // namespace

void DelegateNodes::addSymbols(Dict& info, const std::vector<core::DebugHandle>& handles,
                               const std::vector<const etrecord::Node*>& nodes) const {
    info.emplace_back("debug_handles", numbersOf(handles));
    if (!recorded) {
        return;
    }
    info.emplace_back("edge_nodes", listOf(nodes, &etrecord::Node::name));
    info.emplace_back("edge_operators", listOf(nodes, &etrecord::Node::op));
    info.emplace_back("module", inspector::commonModule(nodes));
    info.emplace_back("source_lines", inspector::sourceLines(nodes));
}

std::vector<const etrecord::Node*> DelegateNodes::edgeNodes(
    const std::vector<core::DebugHandle>& handles) const {
    std::vector<const etrecord::Node*> nodes;
    for (const core::DebugHandle handle : handles) {
        if (graph == nullptr) {
            break;
        }
        for (const etrecord::NodeIndex index : graph->nodesOf(handle)) {
            nodes.push_back(&graph->nodes[index]);
        }
    }
    return nodes;
}

Dict DelegateNodes::ofGraph(const core::ModelGraph& inner) const {
    List nodes;
    for (const core::GraphNode& node : inner.nodes()) {
        Dict info{{"name", node.name},
                  {"kind", node.kind},
                  {"inputs", valueNames(inner, node.inputs)},
                  {"outputs", valueNames(inner, node.outputs)}};
        addSymbols(info, node.debugHandles, edgeNodes(node.debugHandles));
        info.emplace_back("attributes", attributeInfo(node.attributes));
        nodes.emplace_back(std::move(info));
    }
    List values;
    for (const core::GraphValue& value : inner.values()) {
        values.emplace_back(Dict{{"name", value.name},
                                 {"role", std::string(inspector::roleName(value.role))},
                                 {"tensor", value.type},
                                 {"bytes", value.bytes},
                                 {"attributes", attributeInfo(value.attributes)}});
    }
    return {{"node_list", std::move(nodes)}, {"value_list", std::move(values)}};
}

Dict DelegateNodes::ofEdgeNodes(const inspector::DelegateReport& report) const {
    if (!recorded) {
        return {};
    }
    List nodes;
    std::unordered_set<const etrecord::Node*> seen;
    for (const inspector::DelegateCallSite& call : report.calls) {
        for (const etrecord::Node* node : call.nodes) {
            if (seen.insert(node).second) {
                Dict info;
                addSymbols(info, node->debugHandles, {node});
                nodes.emplace_back(std::move(info));
            }
        }
    }
    return {{"edge_node_list", std::move(nodes)}};
}

}  // namespace et::output
