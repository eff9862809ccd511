// Tests of graph scenes: the plane, positions and open groups.
#include "visualizers/graph/graph_scene.h"

#include "visualizers/graph/graph_style.h"
#include "visualizers/graph/open_groups.h"
#include "visualizers/graph/plane_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

using core::GraphGroupId;
using core::GraphNodeId;
using core::GraphValueId;
using core::ModelGraph;
using testing::ElementsAre;

TEST(PlaneView, ZoomKeepsThePointUnderTheCursor) {
    PlaneView view;
    view.setSize({400, 300});
    view.setContent({0, 0, 4000, 9000});
    const QPointF pixel(100, 200);
    const QPointF point = view.toPlane(pixel);
    view.zoom(3, pixel);
    EXPECT_NEAR(view.toPlane(pixel).x(), point.x(), 1e-9);
    EXPECT_NEAR(view.toPlane(pixel).y(), point.y(), 1e-9);
    EXPECT_EQ(view.toScreen(view.toPlane(pixel)), pixel);
}

TEST(PlaneView, FitsContentAndKeepsItVisible) {
    PlaneView view;
    view.setSize({400, 300});
    view.setContent({0, 0, 4000, 900});
    EXPECT_TRUE(view.visible().contains(view.content()));
    view.pan({1e7, -1e7});
    EXPECT_TRUE(view.visible().intersects(view.content()));
    for (int i = 0; i < 50; ++i) {
        view.zoom(2, {10, 10});
    }
    EXPECT_EQ(view.scale(), PlaneView::maxScale);
    for (int i = 0; i < 50; ++i) {
        view.zoom(0.5, {10, 10});
    }
    EXPECT_GT(view.scale(), 0.01);
    view.setContent({});
    EXPECT_GT(view.scale(), 0) << "nothing to see is no division by nothing";
}

TEST(PlaneView, RevealsWithMinimalScrolling) {
    PlaneView view;
    view.setSize({400, 300});
    view.setContent({0, 0, 4000, 4000});
    view.show({1000, 1000, 100, 100}, 1);
    EXPECT_EQ(view.scale(), 1);
    const QRectF seen = view.visible();
    view.reveal({1010, 1010, 10, 10});
    EXPECT_EQ(view.visible(), seen) << "it is in sight";
    view.reveal({2000, 1010, 50, 50});
    EXPECT_TRUE(view.visible().contains(QRectF(2000, 1010, 50, 50)));
    EXPECT_EQ(view.visible().top(), seen.top());
}

/// 0 -> 1, 0 -> 2; 1 and 2 in an open group, 3 in a folded group within it.
std::shared_ptr<const ModelGraph> smallGraph() {
    auto graph = std::make_shared<ModelGraph>();
    const GraphGroupId outer = graph->addGroup("outer");
    const GraphGroupId inner = graph->addGroup("inner", outer);
    const auto value = [&](const char* name) { return graph->addValue({.name = name, .type = {}}); };
    const GraphValueId a = value("a");
    const GraphValueId b = value("b");
    const GraphValueId c = value("c");
    graph->addNode({.name = "0", .kind = "x", .outputs = {a}});
    graph->addNode({.name = "1", .kind = "x", .inputs = {a}, .outputs = {b}, .group = outer});
    graph->addNode({.name = "2", .kind = "x", .inputs = {a}, .outputs = {c}, .group = outer});
    graph->addNode({.name = "3", .kind = "x", .inputs = {b}, .group = inner});
    graph->addNode({.name = "4", .kind = "x", .inputs = {b}, .group = inner});
    return graph;
}

GraphScene smallScene() {
    auto graph = smallGraph();
    auto diagram = inspector::Diagram::of(*graph, {.budget = 0, .expand = {GraphGroupId(0)}});
    auto labels = inspector::labelsOf(*graph, diagram);
    inspector::GraphLayout layout;
    layout.width = 400;
    layout.height = 300;
    layout.nodes = {{100, 0, 50, 20}, {50, 100, 50, 20}, {150, 100, 50, 20}, {50, 200, 50, 20}};
    layout.groups = {{40, 80, 200, 160}};
    for (const inspector::DiagramEdge& edge : diagram.edges) {
        const auto& from = layout.nodes[edge.from];
        const auto& to = layout.nodes[edge.to];
        layout.edges.push_back(
            {{from.x, from.y + 20}, {from.x, from.y + 40}, {to.x, to.y - 20}, {to.x, to.y}});
    }
    return GraphScene({.graph = std::move(graph),
                       .diagram = std::move(diagram),
                       .labels = std::move(labels),
                       .layout = std::move(layout)});
}

TEST(GraphScene, HitTestsPoints) {
    const GraphScene scene = smallScene();
    EXPECT_EQ(scene.boxAt({60, 105}), 1U);
    EXPECT_FALSE(scene.boxAt({110, 105}));
    EXPECT_EQ(scene.frameAt({110, 105}), 0U);
    EXPECT_FALSE(scene.frameAt({10, 10}));
    ASSERT_TRUE(scene.edgeAt({100, 25}, 5));
    EXPECT_FALSE(scene.edgeAt({300, 25}, 5));
}

TEST(GraphScene, FindsTheVisibleBoxOfANode) {
    const GraphScene scene = smallScene();
    EXPECT_EQ(scene.boxOf(GraphNodeId(3)), scene.boxOf(GraphNodeId(4))) << "folded together";
    EXPECT_EQ(scene.boxOf(GraphNodeId(3)), scene.findFoldedBox(GraphGroupId(1)));
    EXPECT_FALSE(scene.frameOf(GraphGroupId(1)));
    EXPECT_EQ(scene.frameOf(GraphGroupId(0)), 0U);
    EXPECT_THAT(scene.boxesOf({false, false, false, false, true}), ElementsAre(false, false, false, true));
}

TEST(GraphScene, NavigatesAlongEdgesAndBetweenSiblings) {
    const GraphScene scene = smallScene();
    EXPECT_EQ(scene.walk(1, GraphScene::Step::ToInput), 0U);
    EXPECT_EQ(scene.walk(1, GraphScene::Step::ToOutput), 3U);
    EXPECT_EQ(scene.walk(1, GraphScene::Step::Next), 2U);
    EXPECT_EQ(scene.walk(2, GraphScene::Step::Previous), 1U);
    EXPECT_FALSE(scene.walk(0, GraphScene::Step::ToInput));
    EXPECT_FALSE(scene.walk(2, GraphScene::Step::Next));
}

TEST(OpenGroups, ExpandAndFold) {
    const auto graph = smallGraph();
    OpenGroups groups(graph, inspector::Diagram::of(*graph, {.budget = 0}));
    EXPECT_FALSE(groups.isOpen(GraphGroupId(0)));
    EXPECT_TRUE(groups.openTo(GraphNodeId(3)));
    EXPECT_TRUE(groups.isOpen(GraphGroupId(0)) && groups.isOpen(GraphGroupId(1)));
    EXPECT_FALSE(groups.openTo(GraphNodeId(3))) << "it is on screen";
    groups.fold(GraphGroupId(0));
    EXPECT_FALSE(groups.isOpen(GraphGroupId(1))) << "with all inside";
    groups.openGroup(GraphGroupId(0));
    EXPECT_FALSE(groups.isOpen(GraphGroupId(1))) << "there is more beside it";
    EXPECT_EQ(groups.options().expand.size(), 1U);
    groups.openAll();
    EXPECT_EQ(inspector::Diagram::of(*graph, groups.options()).boxes.size(), 5U);
}

TEST(OpenGroups, OpenThroughGroupsThatHoldOneGroup) {
    auto graph = std::make_shared<ModelGraph>();
    const GraphGroupId a = graph->addGroup("a");
    const GraphGroupId b = graph->addGroup("b", a);
    graph->addNode({.name = "0", .kind = "x", .group = b});
    OpenGroups groups(graph, inspector::Diagram::of(*graph, {.budget = 0}));
    groups.openGroup(a);
    EXPECT_TRUE(groups.isOpen(b));
}

TEST(GraphStyle, KeepsWordsLegibleOnEveryColour) {
    QPalette night{QColor(0x2a2c30)};
    night.setColor(QPalette::Base, QColor(0x1e2023));
    night.setColor(QPalette::Text, Qt::white);
    const GraphStyle dark = GraphStyle::of(night, {});
    const GraphStyle light = GraphStyle::of(QPalette(QColor(0xefefef)), {});
    EXPECT_TRUE(dark.dark);
    for (const char* colour : {"#8ec1e6", "#f9f2a2", "#fff7ec", "#ef6548", "#d9d9d9", ""}) {
        EXPECT_LT(dark.fill(colour).lightnessF(), 0.55F) << colour;
        EXPECT_GT(light.fill(colour).lightnessF(), 0.55F) << colour;
    }
    EXPECT_LT(dark.fill("#fff7ec").lightnessF(), dark.fill("#ef6548").lightnessF()) << "more stands out more";
}

}  // namespace

}  // namespace et::visualizers
