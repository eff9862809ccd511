#include "inspector/join/module_nodes.h"

#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

namespace et::inspector {

bool quantizes(const etrecord::Node& node) {
    return isQuantization(names::detail::nodeOperator(node.op));
}

std::vector<const etrecord::Node*> nodesWithModules(EdgeNodes nodes) {
    std::vector<const etrecord::Node*> computing;
    std::vector<const etrecord::Node*> quantizing;
    for (const etrecord::Node* node : nodes) {
        if (!modulesOf(*node).empty()) {
            (quantizes(*node) ? quantizing : computing).push_back(node);
        }
    }
    return computing.empty() ? quantizing : computing;
}

}  // namespace et::inspector
