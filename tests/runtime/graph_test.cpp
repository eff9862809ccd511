#include "runtime/core/graph.h"

#include <gmock/gmock.h>

namespace et::core {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct Sample {
    Sample() {
        const auto outer = graph.addGroup("block");
        const auto inner = graph.addGroup("block.conv", outer);
        x = graph.addValue({.name = "x", .type = "float32 [2]", .role = GraphValue::Role::Input});
        y = graph.addValue({.name = "y", .type = "float32 [2]"});
        conv = graph.addNode({.name = "conv",
                              .kind = "convolution",
                              .inputs = {x},
                              .outputs = {y},
                              .debugHandles = {DebugHandle(7), DebugHandle(8)},
                              .group = inner});
        add = graph.addNode({.name = "add",
                             .kind = "add",
                             .inputs = {y, y, x},
                             .outputs = {},
                             .debugHandles = {DebugHandle(8)}});
    }

    ModelGraph graph;
    GraphValueId x, y;
    GraphNodeId conv, add;
};

TEST(ModelGraphTest, LinksNodesThroughTheirValues) {
    const Sample sample;
    EXPECT_EQ(sample.graph.value(sample.x).producer, std::nullopt);
    EXPECT_EQ(sample.graph.value(sample.y).producer, sample.conv);
    EXPECT_THAT(sample.graph.value(sample.x).consumers, ElementsAre(sample.conv, sample.add));
    EXPECT_THAT(sample.graph.value(sample.y).consumers, ElementsAre(sample.add, sample.add));
}

TEST(ModelGraphTest, FindsNodesByKindAndHandle) {
    const Sample sample;
    EXPECT_THAT(sample.graph.kinds(), ElementsAre(Pair("add", 1), Pair("convolution", 1)));
    EXPECT_THAT(sample.graph.nodesOf(DebugHandle(7)), ElementsAre(sample.conv));
    EXPECT_THAT(sample.graph.nodesOf(DebugHandle(8)), ElementsAre(sample.conv, sample.add));
    EXPECT_THAT(sample.graph.nodesOf(DebugHandle(9)), ElementsAre());
}

TEST(ModelGraphTest, GroupsNest) {
    const Sample sample;
    const auto inner = sample.graph.node(sample.conv).group.value();
    EXPECT_EQ(sample.graph.group(inner).name, "block.conv");
    EXPECT_EQ(sample.graph.group(sample.graph.group(inner).parent.value()).name, "block");
    EXPECT_EQ(sample.graph.node(sample.add).group, std::nullopt);
}

}  // namespace
}  // namespace et::core
