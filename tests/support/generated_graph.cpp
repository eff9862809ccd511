#include "tests/support/generated_graph.h"

#include "inspector/graph/graph_sources.h"

#include <optional>
#include <string>
#include <vector>

namespace et::test {

using core::GraphGroupId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

std::shared_ptr<const ModelGraph> generatedGraph(std::size_t nodes) {
    auto graph = std::make_shared<ModelGraph>();
    graph->name = "generated";
    GraphValueId last =
        graph->addValue({.name = "x", .type = "float32 [1, 64]", .role = GraphValue::Role::Input});
    GraphValueId start = last;
    std::optional<GraphGroupId> module;
    std::optional<GraphGroupId> block;
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::string number = std::to_string(i);
        if (i % 50 == 0) {
            module = graph->addGroup({.name = "layers." + number, .kind = "module"});
        }
        if (i % 10 == 0) {
            block = graph->addGroup({.name = "block" + number, .parent = module, .kind = "module"});
            start = last;
        }
        const bool adds = i % 10 == 9;
        const GraphValueId out =
            graph->addValue({.name = "v" + number, .type = "float32 [1, 64]", .bytes = 256});
        graph->addNode({.name = "aten_node_" + number,
                        .kind = adds         ? "aten.add.Tensor"
                                : i % 3 == 0 ? "aten.linear.default"
                                             : "aten.relu.default",
                        .inputs = adds ? std::vector{last, start} : std::vector{last},
                        .outputs = {out},
                        .group = block});
        last = out;
    }
    inspector::foldLongRuns(*graph, 100);
    return graph;
}

}  // namespace et::test
