#include "backends/mlx/describe.h"

#include "backends/mlx/read_payload.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/support/mlx_payload.h"

#include <gmock/gmock.h>

namespace et::backends::mlx {
namespace {

using Role = core::GraphValue::Role;
using test::attribute;
using test::MlxChanges;
using test::namesOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

core::ModelGraph described(const std::vector<std::byte>& payload, const test::NamedBytes& data = {}) {
    auto graph = describe(payload, data);
    EXPECT_TRUE(graph) << graph.error().toString();
    return graph ? std::move(*graph) : core::ModelGraph();
}

std::string refused(const MlxChanges& changes) {
    const auto graph = describe(test::mlxPayload(changes), test::NamedBytes());
    EXPECT_FALSE(graph);
    return graph ? "" : graph.error().toString();
}

const core::GraphNode& nodeOf(const core::ModelGraph& graph, std::string_view kind) {
    const auto found = std::ranges::find(graph.nodes(), kind, &core::GraphNode::kind);
    EXPECT_NE(found, graph.nodes().end()) << kind;
    return found == graph.nodes().end() ? graph.nodes().front() : *found;
}

TEST(MlxDescribeTest, NodesHaveTheirFields) {
    const core::ModelGraph graph = described(test::mlxPayload());
    EXPECT_THAT(graph.nodes(), SizeIs(6));
    const core::GraphNode& product = nodeOf(graph, "AddmmNode");
    EXPECT_THAT(namesOf(graph, product.inputs), ElementsAre("t1", "t0", "t1"));
    EXPECT_THAT(namesOf(graph, product.outputs), ElementsAre("t4"));
    EXPECT_EQ(attribute(product.attributes, "alpha"), "0.5");
    EXPECT_EQ(product.inputNames, "mat1 mat2 bias");
    EXPECT_EQ(graph.value(product.outputs[0]).type, "float32 [2, 2]") << "derived";
    EXPECT_TRUE(test::runsInOrder(graph));
}

TEST(MlxDescribeTest, ABranchSelectsTheResultOfItsChains) {
    const core::ModelGraph graph = described(test::mlxPayload());
    const core::GraphNode& branch = nodeOf(graph, "IfNode");
    EXPECT_THAT(namesOf(graph, branch.inputs), ElementsAre("t2", "t2", "v0"));
    ASSERT_THAT(branch.outputs, SizeIs(1));
    EXPECT_EQ(graph.value(branch.outputs[0]).role, Role::Output);
    ASSERT_TRUE(nodeOf(graph, "AddNode").group);
    EXPECT_EQ(graph.group(*nodeOf(graph, "AddNode").group).name, "chain 1: when v0");
    EXPECT_EQ(graph.group(*nodeOf(graph, "AddNode").group).kind, "branch");
}

TEST(MlxDescribeTest, ConstantsAreNamedData) {
    test::NamedBytes data;
    data.blobs["w"].resize(16);
    const core::ModelGraph graph = described(test::mlxPayload(), data);
    EXPECT_EQ(graph.values()[0].role, Role::Constant);
    EXPECT_EQ(graph.values()[0].data.size(), 16U);
    EXPECT_EQ(attribute(graph.values()[0].attributes, "data name"), "w");
    EXPECT_EQ(attribute(graph.values()[3].attributes, "mutable buffer"), "zeros at first");
}

TEST(MlxDescribeTest, EveryKindIsRead) {
    const auto payload = test::mlxPayloadOfAllKinds();
    const auto read = readPayload(payload);
    ASSERT_TRUE(read) << read.error().toString();
    ASSERT_THAT(read->chains[0], SizeIs(nodeKindCount()));
    for (std::size_t i = 0; i < nodeKindCount(); ++i) {
        const Node& node = read->chains[0][i];
        EXPECT_EQ(node.number, i + 1);
        for (const Field& field : node.fields) {
            EXPECT_FALSE(std::holds_alternative<std::monostate>(field)) << node.kind->name;
        }
    }
    EXPECT_TRUE(test::runsInOrder(described(payload)));
    EXPECT_EQ(nodeKind(0), nullptr);
    EXPECT_EQ(nodeKind(static_cast<std::uint8_t>(nodeKindCount() + 1)), nullptr);
}

TEST(MlxDescribeTest, AllBytesAreKnown) {
    for (const auto& payload : {test::mlxPayload(), test::mlxPayloadOfAllKinds()}) {
        ByteCoverage coverage(payload);
        ASSERT_TRUE(readPayload(payload, &coverage));
        EXPECT_EQ(coverage.count().opaque, 0U);
        EXPECT_EQ(coverage.count().known + coverage.count().padding, payload.size());
    }
}

TEST(MlxDescribeTest, BytesBehindTheGraphAreOpaque) {
    auto payload = test::mlxPayload();
    payload.insert(payload.end(), 7, std::byte{1});
    ByteCoverage coverage(payload);
    ASSERT_TRUE(readPayload(payload, &coverage));
    EXPECT_GE(coverage.count().opaque, 7U) << "with the padding before them";
}

TEST(MlxDescribeTest, DamageIsNamed) {
    EXPECT_THAT(refused({.magic = "MLX1"}),
                HasSubstr("expected a payload of the MLX compiler (\"MLX0\"), got \"MLX1\""));
    EXPECT_THAT(refused({.dataOffset = std::uint64_t{1} << 40U}), HasSubstr("header.data_offset"));
    EXPECT_THAT(refused({.result = 99999}), HasSubstr("expected one of the 5 tensors, got 99999"));
    EXPECT_THAT(refused({.result = 99999}), HasSubstr("instruction_chains[0][0].out"));
    EXPECT_THAT(refused({.thenChain = 0}), HasSubstr("chain 0 runs itself by a node IfNode"));
    EXPECT_THAT(refused({.thenChain = 3}), HasSubstr("expected one of the 3 chains, got 3"));
    EXPECT_THAT(refused({.temporaries = 4'000'000'000}), HasSubstr("expected at most 1000000 tensors"));
    EXPECT_THAT(refused({.dtype = 99}), HasSubstr("expected a scalar type, got 99"));
}

TEST(MlxDescribeTest, ChainsThatRunOthersRepeatedlyAreLimited) {
    EXPECT_TRUE(readPayload(test::mlxPayloadOfBranches(10)));
    const auto read = readPayload(test::mlxPayloadOfBranches(23));
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("expected at most 1000000 nodes"));
}

}  // namespace
}  // namespace et::backends::mlx
