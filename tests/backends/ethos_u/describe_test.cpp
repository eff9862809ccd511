#include "backends/ethos_u/describe.h"

#include "backends/known_backends.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/support/open_payloads.h"

#include <gmock/gmock.h>

namespace et::backends::ethos_u {
namespace {

using test::attribute;
using testing::HasSubstr;
using Role = core::GraphValue::Role;

const test::NamedBytes noData;

TEST(EthosUDescribeTest, CommandStreamIsOneNodeWithItsProperties) {
    const test::PayloadBytes payload = test::ethosUPayload();
    const auto graph = describe(payload, noData);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 1U);
    const core::GraphNode& node = graph->nodes()[0];
    EXPECT_EQ(node.kind, "Ethos-U command stream");
    EXPECT_EQ(attribute(node.attributes, "command bytes"), "20");
    EXPECT_EQ(attribute(node.attributes, "working memory bytes"), "4096");
    EXPECT_THAT(test::namesOf(*graph, node.inputs), testing::ElementsAre("input 0", "weights"));
    EXPECT_THAT(test::namesOf(*graph, node.outputs), testing::ElementsAre("output 0"));
    const core::GraphValue& input = graph->value(node.inputs[0]);
    EXPECT_EQ(input.type, "8 bit [1, 1, 1, 2, 3, 4]");
    EXPECT_EQ(input.bytes, 24U);
    EXPECT_EQ(attribute(input.attributes, "region"), "1");
    EXPECT_EQ(attribute(input.attributes, "offset"), "64");
    const core::GraphValue& weights = graph->value(node.inputs[1]);
    EXPECT_EQ(weights.role, Role::Constant);
    EXPECT_EQ(weights.data.size(), 40U);
    EXPECT_EQ(attribute(graph->value(node.outputs[0]).attributes, "argument"), "1");
}

TEST(EthosUDescribeTest, ScratchIsTheTemporaryMemoryOfACall) {
    EXPECT_EQ(scratchBytes(test::ethosUPayload()), 4096U);
    EXPECT_FALSE(scratchBytes(test::vulkanPayload()));
    EXPECT_EQ(temporaryBytes("EthosUBackend", test::ethosUPayload()), 4096U);
    EXPECT_EQ(temporaryBytes("EthosUBackend", test::vulkanPayload()), 0U);
    EXPECT_EQ(temporaryBytes("XnnpackBackend", test::ethosUPayload()), 0U);
}

TEST(EthosUDescribeTest, DamageIsNamed) {
    const auto counted = describe(test::ethosUPayload({.inputs = 2}), noData);
    ASSERT_FALSE(counted);
    EXPECT_THAT(counted.error().toString(), HasSubstr("inputs")) << "it has but one";
    EXPECT_FALSE(describe(test::ethosUPayload({.inputs = UINT32_MAX}), noData));
    const test::PayloadBytes payload = test::ethosUPayload();
    for (std::size_t size = 0; size < payload.size(); ++size) {
        EXPECT_FALSE(describe(core::Bytes(payload).first(size), noData)) << size;
    }
    EXPECT_FALSE(describe(test::vulkanPayload(), noData));
}

}  // namespace
}  // namespace et::backends::ethos_u
