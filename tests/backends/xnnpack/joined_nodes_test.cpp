// Tests that the nodes between a dequantization and a quantization are joined to one custom node that is
// bit-exact with XNNPACK.

#include "backends/xnnpack/custom_kernels/joined_nodes.h"

#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"
#include "tests/backends/xnnpack/byte_graph.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using test::ByteGraph;
using test::Bytes;
using test::randomBytes;

constexpr std::uint32_t many = 100'003;

/// Builds a dequantization, fp32 functions, and a quantization.
ByteGraph betweenQuantizers(Datatype type, std::uint32_t size, const std::vector<NodeKind>& kinds) {
    ByteGraph graph;
    ValueIndex last = graph.addInput(type, {size}, {.scale = 0.05F, .zeroPoint = 3});
    const auto then = [&](NodeKind kind, ValueIndex to) {
        graph.addNode(kind, {last}, to);
        last = to;
    };
    then(NodeKind::Convert, graph.addFloats({size}));
    for (const NodeKind kind : kinds) {
        then(kind, graph.addFloats({size}));
        if (kind == NodeKind::Clamp) {
            graph.payload.nodes.back().range = OutputRange{.min = -1, .max = 0.75F};
        }
    }
    then(NodeKind::Convert, graph.add(type, {size}, {.scale = 0.03F, .zeroPoint = 2}));
    graph.end(last);
    return graph;
}

class JoinedNodesTest : public testing::TestWithParam<Datatype> {
  protected:
    void SetUp() override {
        if (!kernels::quantized::hasFastByteTable()) {
            GTEST_SKIP() << "the library is as fast on this processor";
        }
    }
    static bool isJoined(const ByteGraph& graph) {
        std::vector<NodePath> paths(graph.payload.nodes.size(), NodePath::Library);
        const JoinedNodes joined = JoinedNodes::find(graph.payload, graph.shapes, paths);
        EXPECT_EQ(paths[0] == NodePath::CustomFaster, !joined.of(0).empty());
        EXPECT_EQ(joined.isJoined(1), !joined.of(0).empty());
        return !joined.of(0).empty();
    }
};

/// PyTorch's quantizer keeps hard swish in fp32.
TEST_P(JoinedNodesTest, NodesBetweenQuantizersBecomeOneTable) {
    const std::vector<Bytes> inputs{randomBytes(many, 9)};
    for (const std::vector<NodeKind>& kinds :
         {std::vector{NodeKind::HardSwish}, std::vector{NodeKind::Sigmoid}, std::vector<NodeKind>(),
          std::vector{NodeKind::Clamp}, std::vector{NodeKind::Clamp, NodeKind::Abs, NodeKind::Sigmoid}}) {
        ByteGraph graph = betweenQuantizers(GetParam(), many, kinds);
        const Bytes theirs = graph.runLibrary(inputs);
        for (const std::size_t threads : {1, 2}) {
            const auto [ours, names] = graph.runGraph(inputs, threads);
            EXPECT_EQ(ours, theirs);
            EXPECT_THAT(names,
                        testing::ElementsAre(kinds.empty() ? "Convert (NC)" : "Unary Elementwise (NC)"));
        }
    }
}

TEST_P(JoinedNodesTest, DoesNotJoinNodesWithOtherReaders) {
    ByteGraph graph = betweenQuantizers(GetParam(), many, {NodeKind::HardSwish});
    EXPECT_TRUE(isJoined(graph));
    graph.payload.values[1].isOutput = true;
    EXPECT_FALSE(isJoined(graph)) << "the caller reads it";
    graph.payload.values[1].isOutput = false;
    graph.addNode(NodeKind::Abs, {2}, graph.addFloats({many}));
    EXPECT_FALSE(isJoined(graph)) << "another node reads it";
}

TEST_P(JoinedNodesTest, JoinsOnlyElementwiseNodes) {
    EXPECT_FALSE(isJoined(betweenQuantizers(GetParam(), 500, {NodeKind::HardSwish}))) << "few";
    ByteGraph graph = betweenQuantizers(GetParam(), many, {NodeKind::HardSwish});
    graph.payload.nodes[1].traits = nodeKind(static_cast<std::uint8_t>(NodeKind::Softmax));
    EXPECT_FALSE(isJoined(graph)) << "numbers depend on others";
    ByteGraph other = betweenQuantizers(GetParam(), many, {NodeKind::HardSwish});
    other.payload.values.back().datatype = GetParam() == Datatype::QInt8 ? Datatype::QUInt8 : Datatype::QInt8;
    EXPECT_FALSE(isJoined(other)) << "another datatype";
    ByteGraph open = betweenQuantizers(GetParam(), many, {NodeKind::HardSwish});
    open.payload.nodes.pop_back();
    EXPECT_FALSE(isJoined(open)) << "nothing quantizes it";
}

INSTANTIATE_TEST_SUITE_P(Types, JoinedNodesTest, testing::Values(Datatype::QInt8, Datatype::QUInt8),
                         [](const auto& type) {
                             return type.param == Datatype::QInt8 ? "Signed" : "Unsigned";
                         });

}  // namespace
}  // namespace et::backends::xnnpack
