// Tests of graph queries: locations, dependencies, and connected parts.
#include "inspector/graph/box_info.h"
#include "inspector/graph/graph_numbers.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_regions.h"
#include "inspector/graph/graph_search.h"
#include "inspector/graph/graph_walks.h"
#include "inspector/graph/layered_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace et::test {
namespace {

using core::DebugHandle;
using core::GraphGroupId;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using inspector::Diagram;
using inspector::GraphLayout;
using inspector::LayoutBox;
using inspector::LayoutRequest;
using inspector::WalkTo;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

/// A graph built node by node; each node has one output.
class Chain {
  public:
    GraphValueId input(const std::string& name) {
        return graph.addValue({.name = name, .type = "float32 [4]", .role = GraphValue::Role::Input});
    }
    GraphValueId constant(const std::string& name, std::uint64_t bytes) {
        return graph.addValue(
            {.name = name, .type = "float32 [4]", .role = GraphValue::Role::Constant, .bytes = bytes});
    }
    GraphValueId node(const std::string& kind, std::vector<GraphValueId> inputs, int handle = 0) {
        const auto out = graph.addValue({.name = kind + "_out", .type = "float32 [4]"});
        core::GraphNode made{.name = "n" + std::to_string(graph.nodes().size()),
                             .kind = kind,
                             .inputs = std::move(inputs),
                             .outputs = {out}};
        if (handle > 0) {
            made.debugHandles.emplace_back(handle);
        }
        graph.addNode(std::move(made));
        return out;
    }

    ModelGraph graph;
};

std::vector<std::size_t> members(const std::vector<bool>& set) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (set[i]) {
            found.push_back(i);
        }
    }
    return found;
}

bool inside(const LayoutBox& inner, const LayoutBox& outer) {
    return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
           inner.y + inner.height <= outer.y + outer.height;
}

bool overlap(const LayoutBox& a, const LayoutBox& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// Layers of `width` nodes; each node reads two nodes of the previous layer. Every second layer is a group,
/// and two groups are nested in one.
LayoutRequest layers(std::size_t count, std::size_t width) {
    LayoutRequest request;
    for (std::size_t layer = 0; layer < count; ++layer) {
        std::optional<std::size_t> group;
        if (layer % 4 == 0) {
            request.groups.push_back({.parent = {}, .titleWidth = 50, .titleHeight = 12});
        }
        if (layer % 2 == 0) {
            const std::size_t outer = request.groups.size() - (layer % 4 == 0 ? 1 : 2);
            request.groups.push_back({.parent = outer, .titleWidth = 500, .titleHeight = 12});
            group = request.groups.size() - 1;
        }
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t node = request.nodes.size();
            request.nodes.push_back({.width = 80, .height = 40, .group = group});
            if (layer > 0) {
                request.edges.push_back({node - width, node});
                request.edges.push_back({(layer - 1) * width + (i + 1) % width, node});
            }
        }
    }
    return request;
}

void expectSound(const LayoutRequest& request, const GraphLayout& layout) {
    const LayoutBox all{0, 0, layout.width, layout.height};
    for (std::size_t i = 0; i < request.nodes.size(); ++i) {
        ASSERT_TRUE(inside(layout.nodes[i], all)) << i;
        if (const auto group = request.nodes[i].group) {
            ASSERT_TRUE(inside(layout.nodes[i], layout.groups[*group])) << i;
        }
        for (std::size_t j = 0; j < i; ++j) {
            ASSERT_FALSE(overlap(layout.nodes[i], layout.nodes[j])) << i << " " << j;
        }
    }
    for (std::size_t i = 0; i < request.groups.size(); ++i) {
        EXPECT_GE(layout.groups[i].width, request.groups[i].titleWidth);
        if (const auto parent = request.groups[i].parent) {
            EXPECT_TRUE(inside(layout.groups[i], layout.groups[*parent])) << i;
        }
    }
    ASSERT_EQ(layout.edges.size(), request.edges.size());
    for (const auto& edge : layout.edges) {
        EXPECT_EQ(edge.size(), 4U);
    }
}

TEST(LayeredLayout, KeepsBoxesApartAndInTheirFrames) {
    LayoutRequest request = layers(9, 6);
    expectSound(request, inspector::layOutInRows(request));
    request.leftToRight = true;
    expectSound(request, inspector::layOutInRows(request));
}

TEST(LayeredLayout, PlacesBoxesAfterTheirInputs) {
    LayoutRequest request = layers(9, 6);
    for (LayoutRequest::Node& node : request.nodes) {
        node.group.reset();  // not true for a group that is left and entered again
    }
    const GraphLayout down = inspector::layOutInRows(request);
    request.leftToRight = true;
    const GraphLayout across = inspector::layOutInRows(request);
    for (const LayoutRequest::Edge& edge : request.edges) {
        EXPECT_LE(down.nodes[edge.from].y + 40, down.nodes[edge.to].y);
        EXPECT_LE(across.nodes[edge.from].x + 80, across.nodes[edge.to].x);
    }
}

TEST(LayeredLayout, HandlesBackEdgesAndWideRows) {
    LayoutRequest request;
    request.nodes.assign(3000, {.width = 50, .height = 20});
    request.edges = {{0, 1}, {1, 0}, {2, 2}};
    const GraphLayout layout = inspector::layOutInRows(request);
    expectSound(request, layout);
    EXPECT_LT(layout.width, 50 * 100) << "long rows are cut";
    EXPECT_EQ(inspector::layOutInRows({}).nodes.size(), 0U);
}

TEST(GraphSearch, SearchesAllOrSelectedFields) {
    Chain chain;
    const auto x = chain.input("x");
    chain.node("aten.conv2d.default", {x});
    const GraphGroupId group = chain.graph.addGroup("features.3");
    const auto out = chain.graph.addValue({.name = "y", .type = {}});
    chain.graph.addNode({.name = "conv_name",
                         .kind = "aten.relu.default",
                         .outputs = {out},
                         .group = group,
                         .attributes = {{"stride", "[2, 2]"}}});
    const auto found = [&](const char* text) {
        const auto search = inspector::GraphSearch::make(text);
        EXPECT_TRUE(search) << text;
        return members(search->matchesIn(chain.graph));
    };
    EXPECT_THAT(found("conv"), ElementsAre(0, 1));
    EXPECT_THAT(found("op:conv"), ElementsAre(0));
    EXPECT_THAT(found("name: conv"), ElementsAre(1));
    EXPECT_THAT(found("attribute:^stride=.2"), ElementsAre(1));
    EXPECT_THAT(found("group:features\\.\\d"), ElementsAre(1));
    EXPECT_THAT(found("op:features"), IsEmpty());
    EXPECT_FALSE(inspector::GraphSearch::make("op:(")) << "no expression";
}

/// x -> 0 -> 1 -> 3 -> 4; 0 -> 2 -> 3; 5 alone.
Chain diamond() {
    Chain chain;
    const auto zero = chain.node("a", {chain.input("x")}, 1);
    const auto one = chain.node("b", {zero}, 2);
    const auto two = chain.node("c", {zero}, 3);
    const auto three = chain.node("d", {one, two}, 3);
    chain.node("e", {three}, 4);
    chain.node("f", {chain.input("z")}, 5);
    return chain;
}

TEST(GraphWalks, FindReachableNodes) {
    const Chain chain = diamond();
    const std::array from{GraphNodeId(3)};
    EXPECT_THAT(members(reachable(chain.graph, from, WalkTo::Inputs)), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(members(reachable(chain.graph, from, WalkTo::Inputs, 1)), ElementsAre(1, 2, 3));
    EXPECT_THAT(members(reachable(chain.graph, from, WalkTo::Outputs)), ElementsAre(3, 4));
    EXPECT_THAT(members(reachable(chain.graph, from, WalkTo::Outputs, 0)), ElementsAre(3));
}

TEST(GraphWalks, FindEveryPathBetweenTwoNodes) {
    const Chain chain = diamond();
    const std::array start{GraphNodeId(0)};
    const std::array end{GraphNodeId(3)};
    const std::array alone{GraphNodeId(5)};
    EXPECT_THAT(members(inspector::between(chain.graph, start, end)), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(members(inspector::between(chain.graph, end, start)), ElementsAre(0, 1, 2, 3))
        << "either way round";
    EXPECT_THAT(members(inspector::between(chain.graph, start, alone)), IsEmpty());
}

TEST(GraphNumbers, TimesOfOperatorsAreWhereTheirHandlesAre) {
    const Chain chain = diamond();
    const std::vector<inspector::MeasuredPart> measured{
        {.amount = 1, .handles = {DebugHandle(1)}, .inside = true},
        {.amount = 2, .handles = {DebugHandle(3)}, .inside = true},
        {.amount = 7, .handles = {DebugHandle(99)}}};
    const auto numbers = placeTimes(chain.graph, measured, "ms");
    EXPECT_EQ(numbers.whole, 10) << "what the graph does not have counts, too";
    ASSERT_EQ(numbers.parts.size(), 2U);
    EXPECT_THAT(numbers.parts[1].nodes, ElementsAre(GraphNodeId(2), GraphNodeId(3)));

    const Diagram diagram = Diagram::of(chain.graph, {});
    const auto colours = coloursOf(chain.graph, diagram, inspector::Overlay::Time, numbers);
    EXPECT_EQ(colours.notes[0], "1 ms, 10.0 %");
    EXPECT_EQ(colours.notes[1], "");
    EXPECT_EQ(colours.notes[2], "part of 2 ms, 20.0 %");
    EXPECT_EQ(colours.fills[2], colours.fills[3]);
    EXPECT_EQ(colours.fills[1], "");
}

TEST(GraphNumbers, ErrorsAreTheWorstAndSpreadOverPowersOfTen) {
    Chain chain = diamond();
    inspector::GapReport gap;
    const auto addRow = [&](int handle, double mse) {
        inspector::GapReportRow row;
        row.runtimeHandles = {DebugHandle(handle)};
        row.referenceHandles = row.runtimeHandles;
        row.outputs.emplace_back();
        row.outputs[0].numbers[inspector::GapMetric::Mse] = mse;
        gap.rows.push_back(std::move(row));
    };
    addRow(1, 1e-12);
    addRow(2, 1e-7);
    addRow(4, 1e-2);
    const auto numbers = placeGap(chain.graph, gap, inspector::GapMetric::Mse);
    ASSERT_EQ(numbers.parts.size(), 3U);
    const GraphGroupId group = chain.graph.addGroup("both");
    chain.graph.setGroup(GraphNodeId(0), group);
    chain.graph.setGroup(GraphNodeId(1), group);
    const Diagram folded = Diagram::of(chain.graph, {.budget = 0});
    const auto colours = coloursOf(chain.graph, folded, inspector::Overlay::Error, numbers);
    EXPECT_EQ(colours.notes[0], "1e-07") << "the larger one";
    const Diagram diagram = Diagram::of(chain.graph, {});
    const auto each = coloursOf(chain.graph, diagram, inspector::Overlay::Error, numbers);
    EXPECT_NE(each.fills[0], each.fills[1]);
    EXPECT_NE(each.fills[1], each.fills[4]);
}

TEST(GraphRegions, ClustersLieBetweenDequantizingAndQuantizing) {
    Chain chain;
    const auto x = chain.input("x");
    const auto q0 = chain.node("quantized_decomposed.quantize_per_tensor.default", {x});
    const auto d1 = chain.node("quantized_decomposed.dequantize_per_tensor.default", {q0});
    const auto conv = chain.node("aten.conv2d.default", {d1});
    const auto relu = chain.node("aten.relu.default", {conv});
    const auto q1 = chain.node("quantized_decomposed.quantize_per_tensor.default", {relu});
    const auto d2 = chain.node("quantized_decomposed.dequantize_per_tensor.default", {q1});
    const auto add = chain.node("aten.add.Tensor", {d2, d2});
    const auto q2 = chain.node("quantized_decomposed.quantize_per_tensor.default", {add});
    const auto d3 = chain.node("quantized_decomposed.dequantize_per_tensor.default", {q2});
    chain.node("aten.softmax.int", {d3});
    const auto clusters = inspector::quantizedClusters(chain.graph);
    const auto of = [&](std::size_t node) { return clusters.of[node]; };
    EXPECT_EQ(clusters.count, 2U);
    EXPECT_FALSE(of(0)) << "it only quantizes the input";
    EXPECT_TRUE(of(1) && of(1) == of(2) && of(2) == of(3) && of(3) == of(4)) << "dq, conv, relu, q";
    EXPECT_TRUE(of(5) && of(5) == of(6) && of(6) == of(7));
    EXPECT_NE(of(4), of(5));
    EXPECT_FALSE(of(9)) << "nothing quantizes its result";
}

TEST(GraphRegions, PartitionsAreDelegates) {
    ModelGraph graph;
    const GraphGroupId delegate = graph.addGroup({.name = "Backend 0", .kind = "delegate"});
    const GraphGroupId within = graph.addGroup("module", delegate);
    graph.addNode({.name = "a", .kind = "x", .group = within, .instruction = core::InstructionId(0)});
    graph.addNode({.name = "b", .kind = "x", .instruction = core::InstructionId(1)});
    graph.addNode({.name = "c", .kind = "x", .attributes = {{"runs in", "Other, instruction 3"}}});
    graph.addNode({.name = "d", .kind = "x", .attributes = {{"runs in", "instruction 3"}}});
    graph.addNode({.name = "e", .kind = "x"});
    std::vector<std::string> where;
    for (const core::GraphNode& node : graph.nodes()) {
        where.push_back(inspector::partitionOf(graph, node));
    }
    EXPECT_THAT(where,
                ElementsAre("Backend 0", "not delegated", "Other, instruction 3", "not delegated", ""));
}

TEST(BoxInfo, SeparatesQuantizationConstantsAndHandles) {
    Chain chain;
    const auto x = chain.input("x");
    const auto weight = chain.constant("w", 2048);
    const auto out = chain.graph.addValue(
        {.name = "y", .type = "int8 [4]", .attributes = {{"scale", "0.5"}, {"memory", "arena 1 at 64"}}});
    chain.graph.addNode({.name = "n",
                         .kind = "Conv",
                         .inputs = {x, weight},
                         .outputs = {out},
                         .debugHandles = {DebugHandle(7)},
                         .attributes = {{"stride", "[1, 1]"}}});
    const Diagram diagram = Diagram::of(chain.graph, {});
    const auto box =
        std::ranges::find(diagram.boxes, inspector::DiagramBox::Kind::Node, &inspector::DiagramBox::kind);
    std::vector<std::string> rows;
    for (const inspector::DetailSection& section : infoOf(chain.graph, *box).sections) {
        for (const auto& [name, text] : section.rows) {
            rows.push_back(section.title + ": " + name + ": " + text);
        }
    }
    EXPECT_THAT(rows, IsSupersetOf({"Attributes: stride: [1, 1]", "Inputs: x: float32 [4]",
                                    "Outputs: y: int8 [4], memory arena 1 at 64",
                                    "Quantization: y: scale 0.5", "Constants: w: float32 [4], 2.00 KiB"}));
    EXPECT_THAT(rows, Contains(HasSubstr("debug handles: 7")));
}

// Simulation of vision without one type of cone: the matrices of Machado, Oliveira and Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), at full strength.
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr std::array<Matrix, 4> eyes{
    Matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    Matrix{
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    Matrix{
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    Matrix{
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

/// CIE L*a*b* of an sRGB colour, seen through a matrix.
std::array<double, 3> labOf(std::string_view colour, const Matrix& eye) {
    std::array<double, 3> linear{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
        linear[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    std::array<double, 3> seen{};
    for (std::size_t i = 0; i < 3; ++i) {
        seen[i] = eye[i][0] * linear[0] + eye[i][1] * linear[1] + eye[i][2] * linear[2];
    }
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f(std::max(0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2], 0.0) / 0.9505);
    const double y = f(std::max(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2], 0.0));
    const double z = f(std::max(0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2], 0.0) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(GraphOverlay, ColoursAreApartForEveryEye) {
    const auto colours = inspector::wordColours();
    for (const Matrix& eye : eyes) {
        for (std::size_t i = 0; i < colours.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const auto a = labOf(colours[i], eye);
                const auto b = labOf(colours[j], eye);
                const double apart = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                EXPECT_GT(apart, 9) << colours[i] << " " << colours[j];
            }
        }
    }
}

}  // namespace
}  // namespace et::test
