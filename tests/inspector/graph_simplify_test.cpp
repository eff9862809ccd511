// Tests of simplified graphs: hidden nodes, their replacements, and repeated blocks.
#include "inspector/graph/diagram.h"
#include "inspector/graph/repeat_statistics.h"
#include "inspector/graph/simplify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector {

namespace {

using core::GraphGroup;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

GraphValueId tensor(ModelGraph& graph, GraphValue::Role role = GraphValue::Role::Intermediate) {
    return graph.addValue({.name = "v", .type = "float32 [1, 4]", .role = role});
}

const GraphNode* find(const ModelGraph& graph, std::string_view name) {
    const auto found = std::ranges::find(graph.nodes(), name, &GraphNode::name);
    return found == graph.nodes().end() ? nullptr : &*found;
}

/// Builds "in" followed by `count` layers that multiply and then add input and product; optionally a cache
/// outside the last layer, which updates it; a size that only a view uses.
ModelGraph layers(std::size_t count, std::string_view odd = {}, bool cached = false) {
    ModelGraph graph;
    const GraphValueId input = tensor(graph, GraphValue::Role::Input);
    const GraphValueId size = graph.addValue({.name = "s", .type = "Int"});
    graph.addNode({.name = "size", .kind = "aten::sym_size.int", .inputs = {input}, .outputs = {size}});
    GraphValueId last = input;
    for (std::size_t i = 0; i < count; ++i) {
        const GraphGroupId layer =
            graph.addGroup(GraphGroup{.name = "layers." + std::to_string(i), .kind = "module"});
        const std::string number = std::to_string(i);
        const GraphValueId viewed = tensor(graph);
        const GraphValueId product = tensor(graph);
        const GraphValueId sum = tensor(graph);
        graph.addNode({.name = "view" + number,
                       .kind = "executorch_prim::et_view.default",
                       .inputs = {last, size},
                       .outputs = {viewed}});
        graph.addNode({.name = "mul" + number,
                       .kind = i == 1 && !odd.empty() ? std::string(odd) : "aten::mul.out",
                       .inputs = {viewed, viewed},
                       .outputs = {product},
                       .group = layer});
        graph.addNode({.name = "add" + number,
                       .kind = "aten::add.out",
                       .inputs = {product, viewed},
                       .outputs = {sum},
                       .group = layer});
        last = sum;
    }
    if (cached) {
        const GraphValueId cache = tensor(graph);
        graph.addNode(
            {.name = "cache", .kind = "llama::update_cache.out", .inputs = {last}, .outputs = {cache}});
    }
    graph.setRole(last, GraphValue::Role::Output);
    return graph;
}

TEST(Simplify, HidesViewsAndScalars) {
    const SimplifiedGraph simple = simplified(layers(3), {.foldRepeats = false});
    EXPECT_EQ(simple.hidden, 4U) << "three views and a size";
    EXPECT_EQ(find(simple.graph, "size"), nullptr);
    EXPECT_EQ(find(simple.graph, "view1"), nullptr);
    const GraphNode* const mul = find(simple.graph, "mul1");
    ASSERT_NE(mul, nullptr);
    const auto producer = simple.graph.value(mul->inputs[0]).producer;
    ASSERT_TRUE(producer);
    EXPECT_EQ(simple.graph.node(*producer).name, "add0") << "what the view was of";
}

TEST(Simplify, ACacheStandsWithItsLayer) {
    const SimplifiedGraph simple = simplified(layers(3, {}, true), {.foldRepeats = false});
    const GraphNode* const cache = find(simple.graph, "cache");
    ASSERT_NE(cache, nullptr);
    ASSERT_TRUE(cache->group);
    EXPECT_EQ(simple.graph.group(*cache->group).name, "layers.2");
}

TEST(Simplify, QuantizersBelongToTheSurroundingModules) {
    ModelGraph graph;
    const GraphValueId input = tensor(graph, GraphValue::Role::Input);
    GraphValueId last = input;
    for (const std::string& name : {std::string("first"), std::string("second")}) {
        const auto module = graph.addGroup(GraphGroup{.name = name, .kind = "module"});
        const auto add = [&](const std::string& what, const std::string& kind,
                             std::optional<core::GraphGroupId> group) {
            const GraphValueId made = tensor(graph);
            graph.addNode(
                {.name = what + name, .kind = kind, .inputs = {last}, .outputs = {made}, .group = group});
            last = made;
        };
        add("dequantize ", "quantized_decomposed.dequantize_per_tensor.default", {});
        add("linear ", "aten.linear.default", module);
        add("quantize ", "quantized_decomposed::quantize_per_tensor.out", {});
    }
    graph.setRole(last, GraphValue::Role::Output);
    const SimplifiedGraph simple = simplified(graph);
    for (const core::GraphNode& node : simple.graph.nodes()) {
        ASSERT_TRUE(node.group) << node.name;
        EXPECT_TRUE(node.name.ends_with(simple.graph.group(*node.group).name)) << node.name;
    }
}

TEST(Simplify, FoldsRepeatedLayers) {
    const SimplifiedGraph simple = simplified(layers(6));
    EXPECT_EQ(simple.repeats, 1U);
    const auto found = std::ranges::find(simple.graph.groups(), std::string(repeatKind), &GraphGroup::kind);
    ASSERT_NE(found, simple.graph.groups().end());
    EXPECT_EQ(found->name, "layers.0 … layers.5 × 6");
    for (std::size_t i = 0; i < simple.graph.groups().size(); ++i) {
        const auto parent = simple.graph.groups()[i].parent;
        EXPECT_TRUE(!parent || parent->value < i) << "groups stand behind their parents";
    }
    const Diagram folded = Diagram::of(simple.graph, {});
    EXPECT_EQ(std::ranges::count(folded.boxes, DiagramBox::Kind::Group, &DiagramBox::kind), 1);
    const Diagram all = Diagram::of(simple.graph, {.expandAll = true});
    EXPECT_EQ(std::ranges::count(all.boxes, DiagramBox::Kind::Node, &DiagramBox::kind), 12);
}

/// One time for each "mul" and "add" of a layer: the layer's number plus one, ten times that for layer
/// `slow`.
GraphNumbers timesOf(const ModelGraph& graph, std::string_view slow) {
    GraphNumbers numbers{.title = "time of one run", .unit = "ms", .parts = {}};
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        const std::string& name = graph.nodes()[i].name;
        if (name.starts_with("mul") || name.starts_with("add")) {
            numbers.parts.push_back({.nodes = {GraphNodeId(i)}, .amount = name == slow ? 10.0 : 1.0});
        }
    }
    return numbers;
}

GraphGroupId repeatOf(const ModelGraph& graph) {
    const auto found = std::ranges::find(graph.groups(), std::string(repeatKind), &GraphGroup::kind);
    return GraphGroupId(static_cast<std::uint32_t>(found - graph.groups().begin()));
}

TEST(RepeatStatistics, SetsTheModulesBesideOneAnother) {
    const SimplifiedGraph simple = simplified(layers(6));
    const GraphNumbers times = timesOf(simple.graph, "mul3");
    const auto statistics = repeatStatistics(simple.graph, repeatOf(simple.graph), times);
    ASSERT_TRUE(statistics);
    ASSERT_EQ(statistics->members.size(), 6U);
    EXPECT_EQ(statistics->amounts[0], 2.0);
    EXPECT_EQ(statistics->amounts[3], 11.0);
    ASSERT_EQ(statistics->operators.size(), 2U);
    EXPECT_TRUE(statistics->unlike.empty());
    const auto sections = repeatSections(simple.graph, repeatOf(simple.graph), times);
    ASSERT_EQ(sections.size(), 2U);
    EXPECT_EQ(sections[0].title, "Repeats, time of one run");
    ASSERT_EQ(sections[0].rows.size(), 7U);
    EXPECT_EQ(sections[0].rows[0].second, "median 2.000 ms, 2.000 ms to 11.00 ms (layers.3)");
    EXPECT_EQ(sections[0].rows[4].second, "11.00 ms (+450.0 %)");
    EXPECT_EQ(sections[1].rows[0].first, "aten::mul.out");
    EXPECT_EQ(sections[1].rows[0].second, "median 1.000 ms, 1.000 ms to 10.00 ms (layers.3)");
}

TEST(RepeatStatistics, ListsDifferencesWithoutMeasurements) {
    ModelGraph graph = layers(4);
    // A time that covers two layers belongs to neither.
    const SimplifiedGraph simple = simplified(graph);
    GraphNumbers both{.title = "time", .unit = "ms", .parts = {}};
    both.parts.push_back({.nodes = {GraphNodeId(0), GraphNodeId(2)}, .amount = 5});
    const auto statistics = repeatStatistics(simple.graph, repeatOf(simple.graph), both);
    ASSERT_TRUE(statistics);
    EXPECT_TRUE(std::ranges::none_of(statistics->amounts, [](const auto& each) { return each.has_value(); }));
    const auto sections = repeatSections(simple.graph, repeatOf(simple.graph), {});
    ASSERT_EQ(sections.size(), 1U);
    EXPECT_EQ(sections[0].title, "Repeats");
    EXPECT_EQ(sections[0].rows[0].second, "not measured separately");
    EXPECT_FALSE(repeatStatistics(simple.graph, statistics->members[0], both)) << "a module is no repeat";
}

TEST(Simplify, OthersDoNotRepeat) {
    const SimplifiedGraph simple = simplified(layers(4, "aten::div.out"));
    EXPECT_EQ(simple.repeats, 1U) << "0 and 1 differ, 2 and 3 are alike";
    EXPECT_TRUE(std::ranges::contains(simple.graph.groups(), "layers.2 … layers.3 × 2", &GraphGroup::name));
    EXPECT_EQ(simplified(ModelGraph{}).hidden, 0U);
}

TEST(Simplify, ADelegateBetweenLayersBelongsToThem) {
    ModelGraph graph = layers(2);
    const GraphGroupId delegate = graph.addGroup(GraphGroup{.name = "Backend 0", .kind = "delegate"});
    const GraphGroupId first = graph.addGroup(GraphGroup{.name = "Backend 1", .kind = "delegate"});
    const GraphGroupId last = graph.addGroup(GraphGroup{.name = "Backend 2", .kind = "delegate"});
    const GraphValueId before = tensor(graph);
    const GraphValueId made = tensor(graph);
    const GraphValueId used = tensor(graph);
    const GraphValueId result = tensor(graph);
    const GraphNode add = *find(graph, "add0");
    const GraphNode next = *find(graph, "add1");
    graph.addNode({.name = "start", .kind = "Mul", .outputs = {before}, .group = first});
    graph.addNode({.name = "use0", .kind = "Mul", .inputs = {before}, .outputs = {used}, .group = add.group});
    graph.addNode({.name = "inside", .kind = "Mul", .inputs = {used}, .outputs = {made}, .group = delegate});
    graph.addNode(
        {.name = "use1", .kind = "Mul", .inputs = {made}, .outputs = {result}, .group = next.group});
    graph.addNode(
        {.name = "end", .kind = "Mul", .inputs = {result}, .outputs = {tensor(graph)}, .group = last});
    const SimplifiedGraph simple = simplified(graph);
    const auto& groups = simple.graph.groups();
    const auto moved = std::ranges::find(groups, "Backend 0", &GraphGroup::name);
    ASSERT_NE(moved, groups.end());
    ASSERT_TRUE(moved->parent);
    EXPECT_EQ(simple.graph.group(*moved->parent).kind, repeatKind);
    for (const std::string_view outside : {"Backend 1", "Backend 2"}) {
        const auto kept = std::ranges::find(groups, outside, &GraphGroup::name);
        ASSERT_NE(kept, groups.end());
        EXPECT_FALSE(kept->parent) << outside << " is before or after all layers";
    }
}

TEST(Simplify, KeepsOperatorsThatProduceOutputs) {
    ModelGraph graph;
    const GraphValueId input = tensor(graph, GraphValue::Role::Input);
    const GraphValueId output = tensor(graph, GraphValue::Role::Output);
    graph.addNode({.name = "view", .kind = "aten.view_copy.default", .inputs = {input}, .outputs = {output}});
    EXPECT_EQ(simplified(graph).hidden, 0U);
}

}  // namespace

}  // namespace et::inspector
