// Tests of the displayed parts of a graph: boxes, labels, colours.
#include "inspector/graph/diagram.h"

#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_overlay.h"
#include "tests/inspector/graph_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <string>

namespace et::test {
namespace {

using core::GraphGroupId;
using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::ModelGraph;
using inspector::Diagram;
using inspector::DiagramBox;
using testing::HasSubstr;
using testing::IsEmpty;

/// A chain of `count` nodes.
ModelGraph longGraph(std::size_t count) {
    ModelGraph graph;
    auto last = graph.addValue({.name = "x", .type = "float32 [4]", .role = GraphValue::Role::Input});
    for (std::size_t i = 0; i < count; ++i) {
        const auto next = graph.addValue({.name = "v", .type = "float32 [4]", .bytes = 16});
        graph.addNode({.name = std::to_string(i), .kind = "relu", .inputs = {last}, .outputs = {next}});
        last = next;
    }
    graph.setRole(last, GraphValue::Role::Output);
    return graph;
}

std::size_t count(const Diagram& diagram, DiagramBox::Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(diagram.boxes, kind, &DiagramBox::kind));
}

TEST(FoldLongRuns, MakesSectionsOfSections) {
    ModelGraph graph = longGraph(2500);
    inspector::foldLongRuns(graph, 10);
    std::map<std::optional<GraphGroupId>, std::size_t> children;
    for (const GraphNode& node : graph.nodes()) {
        ASSERT_TRUE(node.group);
        ++children[node.group];
    }
    for (const core::GraphGroup& group : graph.groups()) {
        ++children[group.parent];
        EXPECT_EQ(group.kind, "section");
    }
    for (const auto& [parent, number] : children) {
        EXPECT_LE(number, 10U);
    }
    EXPECT_EQ(graph.groups()[0].name, "nodes 0 to 9");
}

TEST(Diagram, ShowsAllOfASmallGraph) {
    const Diagram diagram = Diagram::of(longGraph(3), {});
    EXPECT_EQ(count(diagram, DiagramBox::Kind::Node), 3U);
    EXPECT_EQ(count(diagram, DiagramBox::Kind::Input), 1U);
    EXPECT_EQ(count(diagram, DiagramBox::Kind::Output), 1U);
    EXPECT_EQ(diagram.edges.size(), 4U);
}

TEST(Diagram, KeepsWithinItsBudget) {
    ModelGraph graph = longGraph(5000);
    inspector::foldLongRuns(graph, 100);
    const Diagram diagram = Diagram::of(graph, {.budget = 160});
    EXPECT_LE(diagram.boxes.size(), 162U) << "an input and an output come to it";
    EXPECT_GT(count(diagram, DiagramBox::Kind::Node), 0U) << "a section fits into the budget";
    std::size_t nodes = 0;
    for (const DiagramBox& box : diagram.boxes) {
        nodes += box.nodes.size();
    }
    EXPECT_EQ(nodes, 5000U) << "each node is in some box";
}

TEST(Diagram, ExpandsAndFoldsNamedGroups) {
    const ModelGraph graph = inspector::recordGraph(moduleGraph(), "forward");
    const Diagram folded = Diagram::of(graph, {.budget = 0});
    EXPECT_EQ(count(folded, DiagramBox::Kind::Group), 2U);
    EXPECT_THAT(folded.groups, IsEmpty());

    const Diagram opened = Diagram::of(graph, {.budget = 0, .expand = {GraphGroupId(1)}});
    EXPECT_EQ(count(opened, DiagramBox::Kind::Node), 2U);
    EXPECT_EQ(opened.groups.size(), 2U) << "what is around it opens, too";
    EXPECT_EQ(opened.groups[1].parent, 0U);

    const Diagram some = Diagram::of(graph, {.collapse = {GraphGroupId(0)}});
    EXPECT_EQ(count(some, DiagramBox::Kind::Group), 1U);
    EXPECT_EQ(count(some, DiagramBox::Kind::Node), 1U);

    const Diagram all = Diagram::of(graph, {.budget = 0, .expandAll = true});
    EXPECT_EQ(count(all, DiagramBox::Kind::Node), 4U);
}

TEST(Diagram, FramesStandAroundMoreThanOneThing) {
    const ModelGraph graph = inspector::recordGraph(moduleGraph(), "forward");
    const Diagram all = Diagram::of(graph, {});
    std::vector<std::string_view> frames;
    for (const inspector::DiagramGroup& group : all.groups) {
        frames.push_back(inspector::groupName(graph.group(group.id)));
    }
    EXPECT_THAT(frames, ElementsAre("block", "block.0"));
}

TEST(Diagram, ShowsTheNeighbourhoodOfANode) {
    const Diagram diagram = Diagram::of(longGraph(20), {.around = {GraphNodeId(10)}, .depth = 2});
    std::vector<std::uint32_t> ids;
    for (const DiagramBox& box : diagram.boxes) {
        ASSERT_EQ(box.kind, DiagramBox::Kind::Node);
        ids.push_back(box.id);
    }
    EXPECT_THAT(ids, ElementsAre(8U, 9U, 10U, 11U, 12U));
    EXPECT_EQ(diagram.hidden, 15U);
}

TEST(Diagram, LinesBetweenBoxesCarryEachValueOnce) {
    ModelGraph graph;
    const auto in = graph.addValue({.name = "x", .type = {}, .role = GraphValue::Role::Input});
    const auto out = graph.addValue({.name = "y", .type = {}});
    const auto weight = graph.addValue({.name = "w", .type = {}, .role = GraphValue::Role::Constant});
    graph.addNode({.name = "0", .kind = "mul", .inputs = {in, in, weight}, .outputs = {out}});
    const Diagram diagram = Diagram::of(graph, {});
    ASSERT_EQ(diagram.edges.size(), 1U) << "constants are no boxes";
    EXPECT_THAT(diagram.edges[0].values, ElementsAre(in));
}

TEST(GraphLabels, ShowDistinguishingArguments) {
    EXPECT_EQ(inspector::shortKind("aten::convolution.out"), "convolution");
    EXPECT_EQ(inspector::shortKind("aten.convolution.default"), "convolution");
    EXPECT_EQ(inspector::shortKind("aten.add.Tensor"), "add.Tensor");
    EXPECT_EQ(inspector::shortKind("mylib::thing.out"), "mylib::thing");
    EXPECT_EQ(inspector::shortKind("XnnpackBackend"), "XnnpackBackend");
}

TEST(GraphLabels, UseReadableOperatorNames) {
    ModelGraph graph;
    const auto image = graph.addValue({.name = "y", .type = "float32 [1, 8, 16, 16]"});
    const auto nodeOf = [&](std::string kind) {
        graph.addNode({.name = "n", .kind = std::move(kind), .inputs = {}, .outputs = {image}});
        return inspector::readableKind(graph, graph.nodes().back());
    };
    EXPECT_EQ(nodeOf("aten.convolution.default"), "conv2d");
    EXPECT_EQ(nodeOf("aten::_native_batch_norm_legit_no_training.out"), "batch_norm");
    EXPECT_EQ(nodeOf("aten.add.Tensor"), "add");
    EXPECT_EQ(nodeOf("llama.custom_sdpa.default"), "attention");
    EXPECT_EQ(nodeOf("mylib::thing.out"), "mylib::thing") << "what others make keeps its name";
    EXPECT_EQ(nodeOf("XnnpackBackend"), "XnnpackBackend");
}

TEST(GraphOverlay, TimesArePartsOfTheWhole) {
    const TwoNodes backend;
    const std::array<const executor::Backend*, 1> backends{&backend};
    const ProgramPtr program = delegatedProgram();
    const ModelGraph graph = graphOf(*program, backends);
    const std::vector<inspector::MeasuredPart> measured{
        {.amount = 1, .instruction = core::InstructionId(0)},
        {.amount = 2.5, .instruction = core::InstructionId(1)},
        {.amount = 0.5, .instruction = core::InstructionId(2)}};
    const inspector::GraphNumbers times = placeTimes(graph, measured, "ms");
    const Diagram folded = Diagram::of(graph, {.budget = 0});
    const auto colours = coloursOf(graph, folded, inspector::Overlay::Time, times);
    EXPECT_EQ(colours.notes[0], "1 ms, 25.0 %");
    EXPECT_EQ(colours.notes[1], "2.5 ms, 62.5 %");
    EXPECT_NE(colours.fills[0], colours.fills[1]);

    const Diagram opened = Diagram::of(graph, {});
    const auto inside = coloursOf(graph, opened, inspector::Overlay::Time, times);
    EXPECT_EQ(inside.notes[1], "part of 2.5 ms, 62.5 %") << "a trace does not say it of one node inside";
}

TEST(GraphOverlay, ColoursKindsAndDtypes) {
    const ModelGraph graph = graphOf(*delegatedProgram());
    const Diagram diagram = Diagram::of(graph, {});
    const auto kinds = coloursOf(graph, diagram, inspector::Overlay::Kind);
    EXPECT_NE(kinds.fills[0], kinds.fills[2]);
    EXPECT_EQ(kinds.legend.size(), 3U);
    const auto dtypes = coloursOf(graph, diagram, inspector::Overlay::Dtype);
    EXPECT_EQ(dtypes.fills[0], dtypes.fills[2]);
    ASSERT_EQ(dtypes.legend.size(), 1U);
    EXPECT_THAT(dtypes.legend[0].text, HasSubstr("float32"));
}

}  // namespace
}  // namespace et::test
