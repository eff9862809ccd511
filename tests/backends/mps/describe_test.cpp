#include "backends/mps/describe.h"

#include "backends/mps/node_kinds.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/backends/real_open_payloads.h"
#include "tests/support/open_payloads.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

namespace et::backends::mps {
namespace {

using core::ErrorCode;
using core::GraphValue;
using Role = GraphValue::Role;
using test::attribute;
using test::MpsChanges;
using test::namesOf;
using testing::ElementsAre;
using testing::HasSubstr;

const test::NamedBytes noData;

core::ModelGraph described(const test::PayloadBytes& payload) {
    auto graph = describe(payload, noData);
    EXPECT_TRUE(graph) << graph.error().toString();
    return graph ? std::move(*graph) : core::ModelGraph();
}

core::Error refused(const MpsChanges& changes) {
    const auto graph = describe(test::mpsPayload(changes), noData);
    EXPECT_FALSE(graph);
    return graph ? core::Error() : graph.error();
}

TEST(MpsDescribeTest, NodesHaveTheirFields) {
    const auto payload = test::mpsPayload();
    const core::ModelGraph graph = described(payload);
    ASSERT_EQ(graph.nodes().size(), 3U);
    const core::GraphNode& convolution = graph.nodes()[0];
    EXPECT_EQ(convolution.kind, "MPSConv2D");
    EXPECT_THAT(namesOf(graph, convolution.inputs), ElementsAre("v0", "v1", "v2"));
    EXPECT_THAT(namesOf(graph, convolution.outputs), ElementsAre("v3"));
    EXPECT_EQ(attribute(convolution.attributes, "padding top"), "1");
    EXPECT_EQ(attribute(convolution.attributes, "padding left"), "0") << "fields left out are 0";
    EXPECT_EQ(attribute(convolution.attributes, "range"), "[0, 6]");
    EXPECT_THAT(namesOf(graph, graph.nodes()[1].outputs), ElementsAre("v4", "v5"));
    EXPECT_EQ(attribute(graph.nodes()[1].attributes, "sizes"), "[2, 2]");
    EXPECT_THAT(namesOf(graph, graph.nodes()[2].inputs), ElementsAre("v4", "v5"));
}

TEST(MpsDescribeTest, ValuesHaveTypesAndRoles) {
    const auto payload = test::mpsPayload();
    const core::ModelGraph graph = described(payload);
    ASSERT_EQ(graph.values().size(), 7U);
    EXPECT_EQ(graph.values()[0].type, "float16 [1, 3, 4, 4]");
    EXPECT_EQ(graph.values()[0].role, Role::Input);
    EXPECT_EQ(attribute(graph.values()[0].attributes, "argument"), "0");
    EXPECT_EQ(graph.values()[1].role, Role::Constant);
    EXPECT_EQ(graph.values()[1].data.size(), 24U);
    EXPECT_EQ(graph.values()[2].data.data(), graph.values()[1].data.data() + 16);
    EXPECT_EQ(graph.values()[6].role, Role::Output);
    EXPECT_EQ(attribute(graph.values()[6].attributes, "argument"), "1");
}

TEST(MpsDescribeTest, TheOldestHaveConstantsInside) {
    const auto payload = test::mpsPayload({.header = false});  // the graph borrows its constants
    const core::ModelGraph graph = described(payload);
    EXPECT_EQ(graph.values()[1].data.size(), 24U);
    EXPECT_EQ(graph.values()[1].data[0], std::byte{7});
    EXPECT_EQ(graph.values()[2].data.size(), 8U);
}

TEST(MpsDescribeTest, EveryKindIsRead) {
    const auto payload = test::mpsPayloadOfAllKinds();
    const core::ModelGraph graph = described(payload);
    ASSERT_EQ(graph.nodes().size(), 90U);
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        const core::GraphNode& node = graph.nodes()[i];
        const NodeKindInfo& info = *nodeKind(static_cast<std::uint8_t>(i + 1));
        EXPECT_EQ(node.kind, info.name);
        const std::size_t range = (i + 1) % 2 == 0 ? 1 : 0;
        EXPECT_EQ(node.inputs.size() + node.outputs.size() + node.attributes.size() - range,
                  info.fields.size())
            << node.kind;
    }
    EXPECT_EQ(attribute(graph.nodes()[2].attributes, "approximation"), "tanh");
    EXPECT_TRUE(test::runsInOrder(graph));
}

/// Checks the format's own names and numbers: a wrong line in the table would shift all following ones.
TEST(MpsDescribeTest, KindsHaveTheNumbersOfTheFormat) {
    const auto name = [](std::uint8_t number) { return nodeKind(number)->name; };
    EXPECT_EQ(name(1), "MPSHardTanh");
    EXPECT_EQ(name(21), "MPSExp");
    EXPECT_EQ(name(54), "MPSAddmm");
    EXPECT_EQ(name(76), "MPSConv2D");
    EXPECT_EQ(name(84), "MPSBatchNorm");
    EXPECT_EQ(nodeKind(0), nullptr);
    EXPECT_EQ(nodeKind(91), nullptr);
}

/// MPSIndexSelect's output precedes its index, and here they are the same value; found by fuzzing.
TEST(MpsDescribeTest, NodesReadOnlyEarlierValues) {
    constexpr std::uint8_t indexSelect = 59;
    ASSERT_EQ(nodeKind(indexSelect)->name, "MPSIndexSelect");
    const auto payload = test::mpsPayload({.kind = indexSelect, .output = 1});
    const core::ModelGraph graph = described(payload);
    EXPECT_EQ(graph.nodes()[0].inputs.size(), 2U);
    EXPECT_TRUE(test::runsInOrder(graph));
}

TEST(MpsDescribeTest, DamageIsNamed) {
    EXPECT_THAT(refused({.output = 7}).toString(), HasSubstr("expected one of the 7 values, got 7"));
    EXPECT_THAT(refused({.output = 7}).toString(), HasSubstr("nodes[0].output"));
    EXPECT_THAT(refused({.constantSize = 25}).toString(),
                HasSubstr("expected at most the 24 bytes of constants, got 25 bytes at 0"));
    EXPECT_EQ(refused({.kind = 91}).code, ErrorCode::Unsupported);
    EXPECT_EQ(refused({.kind = 0}).code, ErrorCode::Unsupported);
}

TEST(MpsDescribeTest, OtherBytesAreRefused) {
    for (const std::size_t size : {0U, 7U, 8U, 23U, 24U, 40U}) {
        const auto payload = test::mpsPayload();
        EXPECT_FALSE(describe(core::Bytes(payload).first(size), noData)) << size;
    }
    EXPECT_FALSE(describe(test::vulkanPayload(), noData));
}

/// Compares the nodes, in order, with those found by ExecuTorch's own reader.
TEST(MpsDescribeTest, RealDelegatesHaveKnownNodes) {
    ET_NEEDS_SHARED_DATA();
    const std::size_t count = test::forEachRealDelegate(
        "MPSBackend", [](const auto& path, const core::ModelGraph& graph, const auto& operators) {
            SCOPED_TRACE(path);
            std::vector<std::string> kinds;
            for (const core::GraphNode& node : graph.nodes()) {
                kinds.push_back(node.kind);
                EXPECT_FALSE(node.outputs.empty()) << node.kind;
            }
            EXPECT_EQ(kinds, operators);
            EXPECT_TRUE(test::runsInOrder(graph));
            for (const GraphValue& value : graph.values()) {
                EXPECT_FALSE(value.role == Role::Constant && value.data.empty()) << value.name;
                EXPECT_EQ(value.type.find("datatype"), std::string::npos) << value.type;
            }
        });
    EXPECT_GE(count, 5U);
}

}  // namespace
}  // namespace et::backends::mps
