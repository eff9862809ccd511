// Tests of the files for Model Explorer: ids, edges, layers and node data.
#include "inspector/graph/model_explorer.h"

#include "tests/inspector/graph_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace et::test {
namespace {

using core::GraphNodeId;
using core::GraphValue;
using inspector::ExplorerData;
using inspector::explorerData;
using inspector::explorerGraph;
using inspector::ExplorerLayers;
using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

const std::vector<bool> all;

std::string textAt(simdjson::dom::element element, std::string_view key) {
    std::string_view text;
    EXPECT_EQ(element[key].get(text), simdjson::SUCCESS) << key;
    return std::string(text);
}

/// A collection read back; every edge must lead from a node of the graph.
class Collection {
  public:
    explicit Collection(const std::string& json) : document(parser.parse(json).value()) {
        const simdjson::dom::array written = graph()["nodes"].get_array().value();
        for (const auto node : written) {
            EXPECT_TRUE(nodes.emplace(textAt(node, "id"), node).second) << "unique ids";
        }
        for (const auto& [id, node] : nodes) {
            for (const auto edge : edgesOf(node)) {
                EXPECT_TRUE(nodes.contains(textAt(edge, "sourceNodeId"))) << id;
            }
        }
    }

    [[nodiscard]] simdjson::dom::element graph() const { return document["graphs"].at(0).value(); }
    [[nodiscard]] std::string label() const { return textAt(document, "label"); }
    [[nodiscard]] std::map<std::string, std::string> layers() const {
        std::map<std::string, std::string> out;
        for (const auto& [id, node] : nodes) {
            out[id] = textAt(node, "namespace");
        }
        return out;
    }
    [[nodiscard]] std::vector<std::string> sourcesOf(const std::string& id) const {
        std::vector<std::string> out;
        for (const auto edge : edgesOf(nodes.at(id))) {
            out.push_back(textAt(edge, "sourceNodeId"));
        }
        return out;
    }

  private:
    static std::vector<simdjson::dom::element> edgesOf(simdjson::dom::element node) {
        std::vector<simdjson::dom::element> out;
        simdjson::dom::array edges;
        if (node["incomingEdges"].get(edges) == simdjson::SUCCESS) {
            out.assign(edges.begin(), edges.end());
        }
        return out;
    }

    simdjson::dom::parser parser;
    simdjson::dom::element document;
    std::map<std::string, simdjson::dom::element> nodes;
};

/// quantize -> dequantize -> conv -> quantize, then a node in the program.
core::ModelGraph quantizedGraph() {
    core::ModelGraph graph;
    graph.name = "forward";
    auto value = graph.addValue({.name = "x", .type = "float32 [4]", .role = GraphValue::Role::Input});
    const auto weight =
        graph.addValue({.name = "w", .type = "float32 [4]", .role = GraphValue::Role::Constant});
    int handle = 0;
    for (const char* const kind :
         {"quantized_decomposed.quantize_per_tensor.default",
          "quantized_decomposed.dequantize_per_tensor.default", "aten.conv2d.default",
          "quantized_decomposed.quantize_per_tensor.default", "aten.relu.default"}) {
        const auto out = graph.addValue({.name = "v" + std::to_string(handle), .type = "float32 [4]"});
        core::GraphNode node{
            .name = "n" + std::to_string(handle), .kind = kind, .inputs = {value}, .outputs = {out}};
        if (node.kind == "aten.conv2d.default") {
            node.inputs.push_back(weight);
        }
        node.debugHandles.emplace_back(++handle);
        node.attributes.push_back({"runs in", handle < 5 ? "A/B, instruction 0" : "instruction 1"});
        graph.addNode(std::move(node));
        value = out;
    }
    graph.setRole(value, GraphValue::Role::Output);
    return graph;
}

TEST(ModelExplorer, GroupsBecomeNamespaces) {
    const auto graph = inspector::recordGraph(moduleGraph(), "forward");
    const Collection read(explorerGraph({.graph = graph, .shown = all, .label = "model.etrecord"}));
    EXPECT_EQ(read.label(), "model.etrecord");
    EXPECT_EQ(textAt(read.graph(), "id"), "forward");
    std::set<std::string> layers;
    for (const auto& [id, layer] : read.layers()) {
        layers.insert(layer);
    }
    EXPECT_EQ(layers, (std::set<std::string>{"block/0", "block/1", "head"}));
}

TEST(ModelExplorer, ClustersAreNamedAsByExecuTorch) {
    const core::ModelGraph graph = quantizedGraph();
    const Collection read(
        explorerGraph({.graph = graph, .shown = all, .label = "m", .layers = ExplorerLayers::Clusters}));
    const std::string partition = "partition 0 (A:B, instruction 0)";
    EXPECT_THAT(
        read.layers(),
        UnorderedElementsAre(Pair("x", ""), Pair("w", ""), Pair("output", ""), Pair("n0", partition),
                             Pair("n1", partition + "/cluster (0)"), Pair("n2", partition + "/cluster (0)"),
                             Pair("n3", partition + "/cluster (0)"), Pair("n4", "")));
    EXPECT_THAT(read.sourcesOf("n2"), ElementsAre("n1", "w"));
    EXPECT_THAT(read.sourcesOf("output"), ElementsAre("n4"));
}

TEST(ModelExplorer, HiddenNodesHaveNoEdges) {
    const core::ModelGraph graph = quantizedGraph();
    const std::vector<bool> shown{false, false, true, true, false};
    const Collection read(explorerGraph({.graph = graph, .shown = shown, .label = "m"}));
    EXPECT_THAT(read.sourcesOf("n2"), ElementsAre("w"));
    EXPECT_EQ(read.layers().size(), 3U);
}

TEST(ModelExplorer, RepeatedNamesGetNumbers) {
    core::ModelGraph graph;
    const auto in = graph.addValue({.name = "a", .type = {}, .role = GraphValue::Role::Input});
    for (int i = 0; i < 3; ++i) {
        graph.addNode({.name = "a", .kind = "aten.relu.default", .inputs = {in}});
    }
    const Collection read(explorerGraph({.graph = graph, .shown = all, .label = "m"}));
    EXPECT_EQ(read.layers().size(), 4U);
    EXPECT_THAT(read.sourcesOf("a (3)"), ElementsAre("a (4)"));
}

TEST(ModelExplorer, NodeDataHasAFileForEachKindOfNumberAndWord) {
    const core::ModelGraph graph = quantizedGraph();
    const inspector::GraphNumbers times{
        .title = "time of one run",
        .unit = "ms",
        .parts = {{{GraphNodeId(0), GraphNodeId(2)}, 3}, {{GraphNodeId(2)}, 1}, {{GraphNodeId(4)}, 2}}};
    const inspector::GraphNumbers gap{
        .title = "MSE", .unit = {}, .adds = false, .parts = {{{GraphNodeId(1), GraphNodeId(2)}, 0.5}}};
    const std::vector<ExplorerData> data =
        explorerData({.graph = graph, .shown = all, .label = "m"}, times, gap);
    ASSERT_EQ(data.size(), 4U);
    std::map<std::string, std::map<std::string, std::string>> values;
    for (const ExplorerData& each : data) {
        simdjson::dom::parser parser;
        const auto results = parser.parse(each.json)["forward"]["results"].get_object().value();
        for (const auto& [id, result] : results) {
            values[each.name][std::string(id)] = simdjson::minify(result["value"].value());
        }
    }
    EXPECT_THAT(values["time"], ElementsAre(Pair("n2", "4.0"), Pair("n4", "2.0")))
        << "the sum is that of the run";
    EXPECT_THAT(values["gap"], ElementsAre(Pair("n1", "0.5"), Pair("n2", "0.5")));
    EXPECT_EQ(values["partition"]["n0"], "\"A/B, instruction 0\"");
    EXPECT_EQ(values["partition"]["n4"], "\"not delegated\"");
    EXPECT_THAT(values["quantization"],
                ElementsAre(Pair("n0", "\"quantize\""), Pair("n1", "\"cluster 0\""),
                            Pair("n2", "\"cluster 0\""), Pair("n3", "\"cluster 0\"")));
    EXPECT_EQ(explorerDataPath("out/model.json", data[0]), "out/model.time.json");
    EXPECT_EQ(explorerData({.graph = graph, .shown = all, .label = "m"},
                           {.title = {}, .unit = {}, .parts = {}}, {.title = {}, .unit = {}, .parts = {}})
                  .size(),
              2U);
}

}  // namespace
}  // namespace et::test
