#include "runtime/core/graph.h"

#include <algorithm>

namespace et::core {

GraphValueId ModelGraph::addValue(GraphValue value) {
    valueList.push_back(std::move(value));
    return GraphValueId(static_cast<std::uint32_t>(valueList.size() - 1));
}

GraphNodeId ModelGraph::addNode(GraphNode node) {
    const GraphNodeId id(static_cast<std::uint32_t>(nodeList.size()));
    for (const GraphValueId input : node.inputs) {
        valueList[input.value].consumers.push_back(id);
    }
    for (const GraphValueId output : node.outputs) {
        valueList[output.value].producer = id;
    }
    nodeList.push_back(std::move(node));
    return id;
}

GraphGroupId ModelGraph::addGroup(std::string_view groupName, std::optional<GraphGroupId> parent) {
    return addGroup(GraphGroup{.name = std::string(groupName), .parent = parent});
}

GraphGroupId ModelGraph::addGroup(GraphGroup group) {
    groupList.push_back(std::move(group));
    return GraphGroupId(static_cast<std::uint32_t>(groupList.size() - 1));
}

std::map<std::string_view, std::size_t> ModelGraph::kinds() const {
    std::map<std::string_view, std::size_t> counts;
    for (const GraphNode& node : nodeList) {
        ++counts[node.kind];
    }
    return counts;
}

std::vector<GraphNodeId> ModelGraph::nodesOf(DebugHandle handle) const {
    std::vector<GraphNodeId> found;
    for (std::size_t i = 0; i < nodeList.size(); ++i) {
        if (std::ranges::contains(nodeList[i].debugHandles, handle)) {
            found.emplace_back(static_cast<std::uint32_t>(i));
        }
    }
    return found;
}

}  // namespace et::core
