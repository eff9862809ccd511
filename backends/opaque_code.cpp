#include "backends/opaque_code.h"

#include <fmt/format.h>

#include <string>

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

}  // namespace et::backends
