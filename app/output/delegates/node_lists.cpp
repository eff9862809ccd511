#include "app/output/delegates/node_lists.h"

#include "app/output/info/artifact_info.h"
#include "inspector/join/node_fields.h"
#include "inspector/names/value_role.h"

#include <string>
#include <unordered_set>
#include <utility>

namespace et::output {
namespace {

Cell textList(const std::vector<std::string>& items) {
    return List(items.begin(), items.end());
}

std::vector<std::string> valueNames(const core::ModelGraph& inner,
                                    const std::vector<core::GraphValueId>& ids) {
    std::vector<std::string> names;
    for (const core::GraphValueId id : ids) {
        names.push_back(inner.value(id).name);
    }
    return names;
}

Dict attributes(const std::vector<core::GraphAttribute>& from) {
    Dict out;
    for (const core::GraphAttribute& attribute : from) {
        out.emplace_back(attribute.name, attribute.text);
    }
    return out;
}

}  // namespace

void NodeLists::addSymbols(Dict& info, const std::vector<core::DebugHandle>& handles,
                           const std::vector<const etrecord::Node*>& nodes) const {
    std::vector<std::int64_t> numbers;
    for (const core::DebugHandle handle : handles) {
        numbers.push_back(handle.value);
    }
    info.emplace_back("debug_handles", std::move(numbers));
    if (!recorded) {
        return;
    }
    std::vector<std::string> names;
    std::vector<std::string> operators;
    for (const etrecord::Node* node : nodes) {
        names.push_back(node->name);
        operators.push_back(node->op);
    }
    info.emplace_back("edge_nodes", textList(names));
    info.emplace_back("edge_operators", textList(operators));
    info.emplace_back("module", inspector::commonModule(nodes));
    info.emplace_back("source_lines", inspector::sourceLines(nodes));
}

std::vector<const etrecord::Node*> NodeLists::edgeNodes(const std::vector<core::DebugHandle>& handles) const {
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

Dict NodeLists::ofGraph(const core::ModelGraph& inner) const {
    List nodes;
    for (const core::GraphNode& node : inner.nodes()) {
        Dict info{{"name", node.name},
                  {"kind", node.kind},
                  {"inputs", textList(valueNames(inner, node.inputs))},
                  {"outputs", textList(valueNames(inner, node.outputs))}};
        addSymbols(info, node.debugHandles, edgeNodes(node.debugHandles));
        info.emplace_back("attributes", attributes(node.attributes));
        nodes.emplace_back(std::move(info));
    }
    List values;
    for (const core::GraphValue& value : inner.values()) {
        values.emplace_back(Dict{{"name", value.name},
                                 {"role", std::string(inspector::roleName(value.role))},
                                 {"tensor", value.type},
                                 {"bytes", value.bytes},
                                 {"attributes", attributes(value.attributes)}});
    }
    return {{"node_list", std::move(nodes)}, {"value_list", std::move(values)}};
}

Dict NodeLists::ofEdgeNodes(const inspector::DelegateReport& report) const {
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
