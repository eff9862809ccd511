#include "backends/opaque_code.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace et::backends {

void addOpaqueCode(core::ModelGraph& graph, core::GraphNode& node, std::string_view name, core::Bytes code) {
    if (code.empty()) {
        return;
    }
    node.inputs.push_back(graph.addValue({.name = std::string(name),
                                          .type = "opaque",
                                          .role = core::GraphValue::Role::Constant,
                                          .bytes = code.size(),
                                          .data = code}));
}

void addByteCounts(core::GraphNode& node, const PayloadBytes& bytes) {
    node.attributes.push_back({"described bytes", fmt::to_string(bytes.known)});
    node.attributes.push_back({"opaque bytes", fmt::to_string(bytes.opaque)});
    node.attributes.push_back({"padding bytes", fmt::to_string(bytes.padding)});
}

void addByteCounts(core::GraphNode& node, core::Bytes payload, std::size_t described) {
    ByteCoverage coverage(payload);
    coverage.add(payload.data(), described);
    addByteCounts(node, coverage.count());
}

core::ModelGraph describeOpaque(core::Bytes payload, OpaqueModel model) {
    core::ModelGraph graph;
    core::GraphNode node{
        .name = "n0", .kind = std::string(model.kind), .attributes = std::move(model.attributes)};
    for (std::size_t i = 0; i < model.arguments.size(); ++i) {
        core::GraphValue& value = model.arguments[i];
        const bool isInput = value.role == core::GraphValue::Role::Input;
        value.attributes.push_back({"argument", fmt::to_string(i)});
        (isInput ? node.inputs : node.outputs).push_back(graph.addValue(std::move(value)));
    }
    addOpaqueCode(graph, node, model.codeName, model.code);
    addByteCounts(node, payload, model.described);
    graph.addNode(std::move(node));
    return graph;
}

}  // namespace et::backends
