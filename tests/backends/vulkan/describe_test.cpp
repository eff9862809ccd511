#include "backends/vulkan/describe.h"

#include "tests/backends/open_payload_checks.h"
#include "tests/backends/real_open_payloads.h"
#include "tests/support/open_payloads.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

namespace et::backends::vulkan {
namespace {

using core::ErrorCode;
using core::GraphValue;
using Role = GraphValue::Role;
using test::attribute;
using test::namesOf;
using test::VulkanChanges;
using testing::ElementsAre;
using testing::HasSubstr;

const test::NamedBytes noData;

core::ModelGraph described(const test::PayloadBytes& payload,
                           const executor::NamedDataSource& data = noData) {
    auto graph = describe(payload, data);
    EXPECT_TRUE(graph) << graph.error().toString();
    return graph ? std::move(*graph) : core::ModelGraph();
}

core::Error refused(const VulkanChanges& changes) {
    const auto graph = describe(test::vulkanPayload(changes), noData);
    EXPECT_FALSE(graph);
    return graph ? core::Error() : graph.error();
}

TEST(VulkanDescribeTest, CallsHaveTheirValues) {
    const auto payload = test::vulkanPayload();
    const core::ModelGraph graph = described(payload);
    ASSERT_EQ(graph.nodes().size(), 3U);
    EXPECT_EQ(graph.nodes()[0].kind, "quantized_decomposed.quantize_per_tensor.default");
    EXPECT_THAT(namesOf(graph, graph.nodes()[0].inputs), ElementsAre("v0"));
    EXPECT_THAT(namesOf(graph, graph.nodes()[0].outputs), ElementsAre("v1"));
    EXPECT_THAT(namesOf(graph, graph.nodes()[1].inputs), ElementsAre("v1", "v2", "v3"));
    EXPECT_THAT(namesOf(graph, graph.nodes()[2].outputs), ElementsAre("v7", "v8")) << "a list of results";
    EXPECT_TRUE(graph.nodes()[0].debugHandles.empty()) << "a call's id is no handle";
}

TEST(VulkanDescribeTest, NonTensorValuesAreAttributes) {
    const auto payload = test::vulkanPayload();
    const core::ModelGraph graph = described(payload);
    EXPECT_EQ(attribute(graph.nodes()[0].attributes, "scale"), "0.5");
    EXPECT_EQ(attribute(graph.nodes()[0].attributes, "zero point"), "3");
    EXPECT_EQ(attribute(graph.nodes()[2].attributes, "argument 1"), "[2, 2]");
}

TEST(VulkanDescribeTest, ValuesHaveTypesPlacesAndRoles) {
    const auto payload = test::vulkanPayload();
    const core::ModelGraph graph = described(payload);
    const GraphValue& input = graph.values()[0];
    EXPECT_EQ(input.type, "float32 [1, 3, 4, 4]");
    EXPECT_EQ(input.bytes, 192U);
    EXPECT_EQ(input.role, Role::Input);
    EXPECT_EQ(attribute(input.attributes, "storage"), "3D texture") << "that of the graph, as it has none";
    EXPECT_EQ(attribute(input.attributes, "layout"), "channels packed");
    EXPECT_EQ(attribute(input.attributes, "argument"), "0");
    const auto symbolic = std::ranges::find(graph.values(), "v10", &GraphValue::name);
    ASSERT_NE(symbolic, graph.values().end());
    EXPECT_EQ(symbolic->type, "symbolic int");
    EXPECT_EQ(attribute(symbolic->attributes, "argument"), "1");
}

TEST(VulkanDescribeTest, ConstantsAreInsideOrByName) {
    test::NamedBytes data;
    data.blobs["bias"].resize(12);
    const test::PayloadBytes payload = test::vulkanPayload();
    const core::ModelGraph graph = described(payload, data);
    EXPECT_EQ(graph.values()[2].role, Role::Constant);
    EXPECT_EQ(graph.values()[2].data.size(), 12U);
    EXPECT_EQ(attribute(graph.values()[3].attributes, "data name"), "bias");
    EXPECT_EQ(graph.values()[3].data.data(), data.blobs["bias"].data());
    const core::ModelGraph alone = described(payload);
    EXPECT_EQ(alone.values()[3].bytes, 12U);
    EXPECT_THAT(attribute(alone.values()[3].attributes, "data"), HasSubstr("missing"));
}

TEST(VulkanDescribeTest, RewrittenValuesAreNewValues) {
    const auto payload = test::vulkanPayload();
    const core::ModelGraph graph = described(payload);
    const auto first = graph.nodes()[0].outputs.front();
    const auto second = graph.nodes()[1].outputs.front();
    EXPECT_NE(first, second);
    EXPECT_EQ(graph.value(second).name, "v1");
    EXPECT_EQ(graph.nodes()[2].inputs.front(), second);
    EXPECT_EQ(graph.value(second).role, Role::Output);
    EXPECT_EQ(graph.value(first).role, Role::Intermediate);
    EXPECT_TRUE(test::runsInOrder(graph));
}

TEST(VulkanDescribeTest, DamageIsNamed) {
    EXPECT_THAT(refused({.lastArgument = 99}).toString(), HasSubstr("expected one of the 11 values, got 99"));
    EXPECT_THAT(refused({.lastArgument = -1}).toString(), HasSubstr("got -1"));
    EXPECT_THAT(refused({.constant = 2}).toString(), HasSubstr("expected one of the 2 constants, got 2"));
    EXPECT_THAT(refused({.constantOffset = 1}).toString(),
                HasSubstr("12 bytes of constants, got 12 bytes at 1"));
    EXPECT_THAT(refused({.constantOffset = UINT64_MAX}).toString(), HasSubstr("values[2].constant"));
    EXPECT_THAT(refused({.operatorName = ""}).toString(), HasSubstr("name"));
    EXPECT_THAT(refused({.listed = 12}).toString(), HasSubstr("got 12"));
}

TEST(VulkanDescribeTest, LimitsExpansionOfSmallPayloads) {
    EXPECT_EQ(refused({.operatorName = std::string(1000, 'a')}).code, ErrorCode::Limit);
    EXPECT_EQ(refused({.listLength = 10'000, .poolings = 100}).code, ErrorCode::Limit)
        << "a list that many calls share";
}

TEST(VulkanDescribeTest, OtherBytesAreRefused) {
    for (const std::size_t size : {0U, 7U, 8U, 29U, 30U, 40U}) {
        const auto payload = test::vulkanPayload();
        EXPECT_FALSE(describe(core::Bytes(payload).first(size), noData)) << size;
    }
    EXPECT_FALSE(describe(test::mpsPayload(), noData));
}

/// Compares the operators, in order, with those found by ExecuTorch's own reader.
TEST(VulkanDescribeTest, RealDelegatesHaveKnownOperators) {
    ET_NEEDS_SHARED_DATA();
    const std::size_t count = test::forEachRealDelegate(
        "VulkanBackend", [](const auto& path, const core::ModelGraph& graph, const auto& operators) {
            SCOPED_TRACE(path);
            std::vector<std::string> kinds;
            for (const core::GraphNode& node : graph.nodes()) {
                kinds.push_back(node.kind);
                EXPECT_FALSE(node.outputs.empty()) << node.kind;
            }
            EXPECT_EQ(kinds, operators);
            EXPECT_TRUE(test::runsInOrder(graph));
            EXPECT_EQ(std::ranges::count(graph.values(), Role::Intermediate, &GraphValue::role) > 0 ||
                          graph.nodes().size() == 1,
                      true);
            for (const GraphValue& value : graph.values()) {
                EXPECT_FALSE(value.role == Role::Constant && value.bytes == 0) << value.name;
                EXPECT_EQ(value.type.find("datatype"), std::string::npos) << value.type;
            }
        });
    EXPECT_GT(count, 20U);
}

}  // namespace
}  // namespace et::backends::vulkan
