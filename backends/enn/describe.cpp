#include "backends/enn/describe.h"

#include "backends/opaque_code.h"

#include <utility>

namespace et::backends::enn {

using core::Bytes;
using core::Result;

Result<core::ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    core::ModelGraph graph;
    core::GraphNode node{.name = "n0", .kind = "ENN model"};
    addOpaqueCode(graph, node, "compiled model", payload);
    addByteCounts(node, payload, 0);
    graph.addNode(std::move(node));
    return graph;
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    contents.described.addOpaque(delegate.payload);
    contents.parts = {{.name = "model.nnc", .data = delegate.payload}};
    return {};
}

}  // namespace et::backends::enn
