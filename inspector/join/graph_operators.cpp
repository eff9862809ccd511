#include "inspector/join/graph_operators.h"

#include "inspector/names/operator_names.h"

#include <algorithm>
#include <memory>
#include <variant>

namespace et::inspector::join::detail {

GraphOperators::GraphOperators(const etrecord::ExportedGraph& graph) {
    add(graph);
}

// Recursion depth is bounded by the record's graph nesting, which the reader limits.
void GraphOperators::add(const etrecord::ExportedGraph& graph) {
    for (const etrecord::Node& node : graph.nodes) {
        const std::string_view name = names::detail::nodeOperator(node.op);
        ++counts[name];
        hasQuantization |= name.contains("quant");
        hasWrapped |= node.op.contains("auto_functionalized");
        for (const etrecord::Argument& argument : node.inputs) {
            const auto* subgraph = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value);
            if (subgraph != nullptr && *subgraph != nullptr) {
                add((*subgraph)->graph);
            }
        }
    }
}

std::size_t GraphOperators::countOf(std::string_view name) const {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
}

bool GraphOperators::mayContain(std::string_view kernel) const {
    return std::ranges::any_of(
        counts, [kernel](const auto& entry) { return names::detail::mayImplement(kernel, entry.first); });
}

}  // namespace et::inspector::join::detail
