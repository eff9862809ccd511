// Tests of graph layout by et-layout, and of the drawing.
#include "inspector/graph/graph_layout.h"

#include "inspector/graph/graph_dot.h"
#include "inspector/graph/graph_picture.h"
#include "inspector/graph/graph_sources.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

namespace et::test {
namespace {

using core::ErrorCode;
using core::GraphValue;
using core::ModelGraph;
using inspector::Diagram;
using inspector::LayoutBox;
using inspector::LayoutOptions;
using inspector::LayoutRequest;
using testing::HasSubstr;

LayoutOptions ours() {
    return {.timeoutSeconds = 120, .cancel = nullptr, .helper = ET_LAYOUT_HELPER};
}

bool overlap(const LayoutBox& a, const LayoutBox& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

bool inside(const LayoutBox& inner, const LayoutBox& outer) {
    return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
           inner.y + inner.height <= outer.y + outer.height;
}

/// 0 -> 1 -> 3 and 0 -> 2 -> 3; 1 and 2 are in a nested group.
LayoutRequest diamond() {
    LayoutRequest request;
    request.nodes.assign(4, {.width = 80, .height = 30});
    request.groups = {{.parent = {}, .titleWidth = 60, .titleHeight = 12},
                      {.parent = 0, .titleWidth = 200, .titleHeight = 12}};
    request.nodes[1].group = 1;
    request.nodes[2].group = 1;
    request.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    return request;
}

TEST(GraphLayout, PlacesBoxesBelowTheirInputs) {
    const LayoutRequest request = diamond();
    const auto layout = layOut(request, ours());
    ASSERT_TRUE(layout) << layout.error().toString();

    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(layout->nodes[i].width, 80, 0.1);
        EXPECT_NEAR(layout->nodes[i].height, 30, 0.1);
        EXPECT_TRUE(inside(layout->nodes[i], {0, 0, layout->width, layout->height}));
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_FALSE(overlap(layout->nodes[i], layout->nodes[j])) << i << " and " << j;
        }
    }
    EXPECT_GT(layout->nodes[1].y, layout->nodes[0].y);
    EXPECT_GT(layout->nodes[3].y, layout->nodes[2].y);
    EXPECT_TRUE(inside(layout->groups[1], layout->groups[0]));
    EXPECT_TRUE(inside(layout->nodes[1], layout->groups[1]));
    EXPECT_TRUE(inside(layout->nodes[2], layout->groups[1]));
    EXPECT_FALSE(overlap(layout->nodes[0], layout->groups[0]));
    EXPECT_GE(layout->groups[1].width, 200) << "room for its title";
    EXPECT_GE(layout->nodes[1].y - layout->groups[1].y, 12);
}

TEST(GraphLayout, LinesLeadFromBoxToBox) {
    const LayoutRequest request = diamond();
    const auto layout = layOut(request, ours());
    ASSERT_TRUE(layout) << layout.error().toString();
    for (std::size_t i = 0; i < request.edges.size(); ++i) {
        const auto& line = layout->edges[i];
        ASSERT_GE(line.size(), 4U);
        EXPECT_EQ(line.size() % 3, 1U);
        const LayoutBox& from = layout->nodes[request.edges[i].from];
        const LayoutBox& to = layout->nodes[request.edges[i].to];
        EXPECT_NEAR(line.front().y, from.y + from.height, 2);
        EXPECT_NEAR(line.back().y, to.y, 2);
    }
}

/// A folded module that calls delegates outside it is before and after them.
TEST(GraphLayout, CyclesKeepTheOrderOfNodes) {
    LayoutRequest request;
    request.nodes.assign(4, {.width = 80, .height = 30});
    request.edges = {{3, 2, true}, {2, 0, true}, {0, 1}, {1, 0, true}, {1, 2}, {2, 3}};
    const auto layout = layOut(request, ours());
    ASSERT_TRUE(layout) << layout.error().toString();
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_GT(layout->nodes[i].y, layout->nodes[i - 1].y) << i;
    }
    for (std::size_t i = 0; i < request.edges.size(); ++i) {
        const auto& edge = request.edges[i];
        const auto& curve = layout->edges[i];
        ASSERT_FALSE(curve.empty()) << i;
        EXPECT_EQ(curve.front().y < curve.back().y, edge.from < edge.to) << i << ": leads to the other node";
    }
}

TEST(GraphLayout, GoesToTheRightWhenAsked) {
    LayoutRequest request = diamond();
    request.leftToRight = true;
    const auto layout = layOut(request, ours());
    ASSERT_TRUE(layout) << layout.error().toString();
    EXPECT_GT(layout->nodes[1].x, layout->nodes[0].x);
    EXPECT_GT(layout->nodes[3].x, layout->nodes[1].x);
}

TEST(GraphLayout, AnEmptyGraphHasALayout) {
    const auto layout = layOut({}, ours());
    EXPECT_TRUE(layout) << layout.error().toString();
}

TEST(GraphLayout, EndsWhenItIsCancelled) {
    const std::atomic<bool> cancel = true;
    LayoutOptions options = ours();
    options.cancel = &cancel;
    const auto layout = layOut(diamond(), options);
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code, ErrorCode::Cancelled);
}

TEST(GraphLayout, EndsWhenItsTimeIsOver) {
    LayoutOptions options = ours();
    options.timeoutSeconds = 0;
    const auto layout = layOut(diamond(), options);
    ASSERT_FALSE(layout);
    EXPECT_EQ(layout.error().code, ErrorCode::Limit);
    EXPECT_THAT(layout.error().message, HasSubstr("longer than 0 seconds"));
}

TEST(GraphLayout, ReportsMissingProgramAndErrors) {
    LayoutOptions options = ours();
    options.helper = "/nowhere/et-layout";
    const auto missing = layOut(diamond(), options);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::Io);

    options.helper = "/bin/false";
    const auto failing = layOut(diamond(), options);
    ASSERT_FALSE(failing);
    EXPECT_EQ(failing.error().code, ErrorCode::Io);
    EXPECT_THAT(failing.error().toString(),
                HasSubstr("/bin/false: et-layout, which lays out graphs, failed"));

    options.helper = "/bin/cat";  // echoes the request
    const auto strange = layOut(diamond(), options);
    ASSERT_FALSE(strange);
    EXPECT_EQ(strange.error().code, ErrorCode::Format);
    EXPECT_THAT(strange.error().toString(),
                HasSubstr("/bin/cat: unexpected output of et-layout: \"digraph g {\""));

    const ScratchFolder folder;
    options.helper = folder.path() / "layout";
    std::ofstream(options.helper) << "#!/bin/sh\nkill -SEGV $$\n";
    std::filesystem::permissions(options.helper, std::filesystem::perms::owner_all);
    const auto crashing = layOut(diamond(), options);
    ASSERT_FALSE(crashing);
    EXPECT_EQ(crashing.error().code, ErrorCode::Limit);
    EXPECT_THAT(crashing.error().toString(),
                HasSubstr("layout: et-layout, which lays out graphs, failed: crashed"));
}

/// Modules with several nodes each, and edges between them.
ModelGraph moduleGraph(std::size_t modules, std::size_t nodes) {
    ModelGraph graph;
    graph.name = "a & b";
    auto last = graph.addValue({.name = "x", .type = "float32 [4]", .role = GraphValue::Role::Input});
    const auto first = last;
    for (std::size_t m = 0; m < modules; ++m) {
        const auto group = graph.addGroup(
            core::GraphGroup{.name = "block." + std::to_string(m), .parent = {}, .kind = "module"});
        for (std::size_t i = 0; i < nodes; ++i) {
            const auto next = graph.addValue({.name = "v", .type = "float32 [4]", .bytes = 16});
            graph.addNode({.name = std::to_string(m * nodes + i),
                           .kind = i % 2 == 0 ? "aten::<relu>" : "aten::add.out",
                           .inputs = {last, i % 7 == 0 ? first : last},
                           .outputs = {next},
                           .group = group});
            last = next;
        }
    }
    graph.setRole(last, GraphValue::Role::Output);
    return graph;
}

/// A graph with the diagram, labels and colours of a view.
struct Pictured {
    explicit Pictured(ModelGraph of, const inspector::DiagramOptions& options = {})
        : graph(std::move(of)),
          diagram(Diagram::of(graph, options)),
          labels(labelsOf(graph, diagram)),
          colours(coloursOf(graph, diagram, inspector::Overlay::Kind)) {
        found.resize(graph.nodes().size());
    }
    [[nodiscard]] inspector::GraphView view() const {
        return {.graph = graph, .diagram = diagram, .labels = labels, .colours = colours, .found = found};
    }

    ModelGraph graph;
    Diagram diagram;
    std::vector<inspector::BoxLabel> labels;
    inspector::BoxColours colours;
    std::vector<bool> found;
};

TEST(GraphPicture, ShowsBoxesGroupsLinesAndALegend) {
    Pictured pictured(moduleGraph(2, 3));
    pictured.found[4] = true;
    const auto layout = layOut(layoutRequest(pictured.view()), ours());
    ASSERT_TRUE(layout) << layout.error().toString();
    const std::string svg = graphPicture(pictured.view(), *layout);

    EXPECT_THAT(svg, HasSubstr("a &amp; b: 6 of 6 nodes. Colours: operators"));
    EXPECT_THAT(svg, HasSubstr("block.1"));
    EXPECT_THAT(svg, HasSubstr("&lt;relu&gt;"));
    EXPECT_THAT(svg, HasSubstr("class=\"box found\""));
    EXPECT_THAT(svg, HasSubstr("input x"));
    EXPECT_THAT(svg, HasSubstr("float32 [4]"));
    EXPECT_THAT(svg, testing::Not(HasSubstr("<relu>")));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

TEST(GraphPicture, AGraphOfFiveThousandNodesOpensFolded) {
    ModelGraph graph = moduleGraph(250, 20);
    inspector::foldLongRuns(graph, 100);
    const Pictured pictured(std::move(graph));
    EXPECT_LE(pictured.diagram.boxes.size(), 162U);
    const auto layout = layOut(layoutRequest(pictured.view()), ours());
    ASSERT_TRUE(layout) << layout.error().toString();
    EXPECT_THAT(graphPicture(pictured.view(), *layout), HasSubstr("5000 of 5000 nodes"));
}

TEST(GraphDot, EscapesWhatItQuotes) {
    ModelGraph graph = moduleGraph(1, 2);
    graph.name = "say \"x\"\\";
    const Pictured pictured(std::move(graph));
    const std::string dot = graphDot(pictured.view());
    EXPECT_THAT(dot, HasSubstr(R"(digraph "say \"x\"\\" {)"));
    EXPECT_THAT(dot, HasSubstr("subgraph cluster_0 { label=\"block.0\";"));
    EXPECT_THAT(dot, HasSubstr("n0 -> n1"));
}

}  // namespace
}  // namespace et::test
