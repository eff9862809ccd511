#include "backends/vgf/describe.h"

#include "backends/payload_contents.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/support/vgf_payload.h"

#include <gmock/gmock.h>

#include <random>

namespace et::backends::vgf {
namespace {

using core::ErrorCode;
using Role = core::GraphValue::Role;
using test::attribute;
using test::namesOf;
using test::VgfChanges;
using testing::ElementsAre;
using testing::HasSubstr;

const test::NamedBytes noData;

core::Error refused(const VgfChanges& changes) {
    const auto graph = describe(test::vgfPayload(changes), noData);
    EXPECT_FALSE(graph);
    return graph ? core::Error() : graph.error();
}

void expectGraph(const core::ModelGraph& graph) {
    ASSERT_EQ(graph.nodes().size(), 3U);
    const core::GraphNode& add = graph.nodes()[0];
    EXPECT_EQ(add.kind, "ADD");
    EXPECT_THAT(namesOf(graph, add.inputs), ElementsAre("x", "r3"));
    EXPECT_THAT(namesOf(graph, add.outputs), ElementsAre("sum"));
    EXPECT_EQ(graph.value(add.outputs[0]).type, "float32 [1, 2]");
    EXPECT_EQ(graph.value(add.inputs[1]).role, Role::Constant);
    EXPECT_EQ(graph.value(add.inputs[1]).data.size(), 8U);
    const core::GraphNode& clamp = graph.nodes()[1];
    EXPECT_EQ(clamp.kind, "CLAMP");
    EXPECT_EQ(attribute(clamp.attributes, "minimum"), "0.5");
    EXPECT_EQ(attribute(clamp.attributes, "maximum"), "6");
    EXPECT_THAT(namesOf(graph, clamp.outputs), ElementsAre("r1"));
    const core::GraphNode& shader = graph.nodes()[2];
    EXPECT_EQ(shader.kind, "compute shader");
    EXPECT_EQ(attribute(shader.attributes, "language"), "GLSL");
    EXPECT_EQ(attribute(shader.attributes, "dispatch"), "[2, 1, 1]");
    EXPECT_THAT(namesOf(graph, shader.inputs), ElementsAre("r1"));
    EXPECT_THAT(namesOf(graph, shader.outputs), ElementsAre("y"));
    EXPECT_TRUE(test::runsInOrder(graph));
}

TEST(VgfDescribeTest, GraphsHaveTheirOperators) {
    for (const VgfChanges& changes : {VgfChanges(), VgfChanges{.isUnaligned = true},
                                      VgfChanges{.hasConstantTable = true}, VgfChanges{.minor = 3}}) {
        const auto payload = test::vgfPayload(changes);
        const auto graph = describe(payload, noData);
        ASSERT_TRUE(graph) << graph.error().toString();
        expectGraph(*graph);
    }
}

TEST(VgfDescribeTest, ResourcesAndSegmentsAreNamed) {
    const auto payload = test::vgfPayload();
    const auto graph = describe(payload, noData);
    ASSERT_TRUE(graph) << graph.error().toString();
    EXPECT_EQ(graph->values()[0].role, Role::Input);
    EXPECT_EQ(attribute(graph->values()[0].attributes, "argument"), "0");
    EXPECT_EQ(attribute(graph->values()[0].attributes, "descriptor"), "tensor");
    EXPECT_EQ(graph->values()[0].bytes, 8U);
    EXPECT_EQ(graph->values()[2].role, Role::Output);
    EXPECT_EQ(attribute(graph->values()[2].attributes, "argument"), "1");
    ASSERT_EQ(graph->groups().size(), 1U);
    EXPECT_EQ(graph->groups()[0].name, "first");
    EXPECT_EQ(attribute(graph->groups()[0].attributes, "module"), "net");
}

TEST(VgfDescribeTest, GraphsThatCannotBeReadAreOneNode) {
    const auto payload = test::vgfPayload({.instructionWords = 4096});
    const auto graph = describe(payload, noData);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 2U);
    EXPECT_EQ(graph->nodes()[0].kind, "graph");
    EXPECT_THAT(namesOf(*graph, graph->nodes()[0].inputs), ElementsAre("x", "r3"));
}

TEST(VgfDescribeTest, DamageIsReported) {
    EXPECT_EQ(refused({.minor = 5}).code, ErrorCode::Unsupported);
    EXPECT_THAT(refused({.minor = 5}).message, HasSubstr("expected at most version 0.4, got 0.5.3"));
    EXPECT_THAT(refused({.inputResource = 9}).message, HasSubstr("expected one of the 4 resources, got 9"));
    EXPECT_THAT(refused({.module = 7}).message, HasSubstr("expected one of the 2 modules, got 7"));
    EXPECT_THAT(refused({.constantSize = 9}).message, HasSubstr("got 9 bytes at 0"));
    EXPECT_FALSE(describe({}, noData));
}

TEST(VgfDescribeTest, ContentsAddUp) {
    const auto payload = test::vgfPayload();
    const program::Delegate delegate{
        .backend = "VgfBackend", .payload = payload, .segment = std::nullopt, .compileSpecs = {}};
    const ListedContents listed = listedContents(delegate, noData);
    EXPECT_EQ(listed.bytes.total(), payload.size());
    EXPECT_EQ(listed.bytes.opaque, std::string_view("void main() {}").size());
    ASSERT_EQ(listed.parts.size(), 6U);
    EXPECT_EQ(listed.parts[3].part.name, "constants.bin");
    EXPECT_EQ(listed.parts[4].part.name, "module_0.spv");
    EXPECT_EQ(core::textOf(listed.parts[5].part.data), "void main() {}");
}

TEST(VgfDescribeTest, MutantsAreHandled) {
    const auto payload = test::vgfPayload();
    std::mt19937 random(7);
    std::size_t described = 0;
    for (int round = 0; round < 10000; ++round) {
        auto mutant = payload;
        for (std::uint32_t i = 0; i <= random() % 3; ++i) {
            mutant[random() % mutant.size()] = static_cast<std::byte>(random());
        }
        const auto graph = describe(mutant, noData);
        described += graph ? 1 : 0;
        EXPECT_TRUE(!graph || test::runsInOrder(*graph)) << round;
    }
    EXPECT_GT(described, 100U);
}

}  // namespace
}  // namespace et::backends::vgf
