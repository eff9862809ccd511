#include "backends/nested/describe.h"

#include "backends/nested/nested_program.h"
#include "backends/nested/nested_tracer.h"
#include "runtime/builder/program_builder.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/backends/real_open_payloads.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::backends::nested {
namespace {

using test::attribute;
using testing::ElementsAre;

const test::NamedBytes nothing;

/// y = relu(x + constant), then `inside` as a delegate from y to the output if it is not empty.
std::vector<std::byte> program(std::span<const std::byte> inside = {}) {
    builder::ProgramBuilder file;
    builder::MethodBuilder& method = file.method("forward");
    const builder::TensorSpec spec{.sizes = {2, 3}};
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    const auto x = method.input(spec);
    const auto weight = method.constant(spec, std::span(numbers));
    const auto sum = method.intermediate(spec);
    const auto y = method.intermediate(spec);
    method.call("aten::add.out", {x, weight, 2}, {sum});
    method.call("aten::relu.out", {sum}, {y});
    auto out = y;
    if (!inside.empty()) {
        out = method.intermediate(spec);
        method.callDelegate(method.delegate("ExecutorBackend", inside), {y, out});
    }
    method.output(out);
    return file.finish().value();
}

TEST(NestedDescribeTest, InstructionsBecomeNodes) {
    const auto payload = program();
    const auto graph = describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 2U);
    const core::GraphNode& add = graph->nodes()[0];
    EXPECT_EQ(add.name, "0");
    EXPECT_EQ(add.kind, "aten::add.out");
    EXPECT_EQ(attribute(add.attributes, "alpha"), "2");
    const core::GraphValue& weight = graph->value(add.inputs.at(1));
    EXPECT_EQ(weight.role, core::GraphValue::Role::Constant);
    EXPECT_EQ(weight.type, "float32 [2, 3]");
    ASSERT_EQ(weight.data.size(), 24U);
    EXPECT_GE(weight.data.data(), payload.data());
    EXPECT_LE(weight.data.data() + weight.data.size(), payload.data() + payload.size());
    EXPECT_EQ(attribute(graph->value(add.inputs[0]).attributes, "argument"), "0");
    const core::GraphValue& output = graph->value(graph->nodes()[1].outputs.at(0));
    EXPECT_EQ(output.role, core::GraphValue::Role::Output);
    EXPECT_EQ(attribute(output.attributes, "argument"), "1");
    EXPECT_EQ(graph->groups().front().name, "forward");
}

TEST(NestedDescribeTest, ProgramsInProgramsAreInlinedUpToALimit) {
    auto payload = program();
    payload = program(payload);
    const auto graph = describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 4U);
    EXPECT_EQ(graph->nodes()[2].name, "2.0");
    EXPECT_EQ(graph->nodes()[2].kind, "aten::add.out");
    EXPECT_TRUE(test::runsInOrder(*graph));
    for (std::size_t depth = 2; depth < 20; ++depth) {
        payload = program(payload);
    }
    const auto deep = describe(payload, nothing);
    ASSERT_TRUE(deep) << deep.error().toString();
    const core::GraphNode& last = deep->nodes().back();
    EXPECT_EQ(last.kind, "ExecutorBackend");
    EXPECT_EQ(attribute(last.attributes, "inside"),
              "unknown: expected programs nested at most 8 deep, got more");
}

TEST(NestedDescribeTest, EventsNameTheirNode) {
    EXPECT_EQ(nodeOfEvent("aten::add.out #1.3"), "1.3");
    EXPECT_EQ(nodeOfEvent("Fully Connected (NC, F32) GEMM"), "");
    const NestedProgramBackend backend({});
    const auto payload = program();
    const program::Delegate delegate{
        .backend = "ExecutorBackend", .payload = payload, .segment = std::nullopt, .compileSpecs = {}};
    const std::vector<std::string_view> names{"aten::relu.out #1", "aten::add.out #0", "other"};
    EXPECT_THAT(backend.nodesOf(delegate, names),
                ElementsAre(std::vector<std::size_t>{1}, std::vector<std::size_t>{0}, std::nullopt));
}

TEST(NestedDescribeTest, RealProgramsAreDescribed) {
    ET_NEEDS_SHARED_DATA();
    const std::size_t count = test::forEachRealDelegate(
        "ExecutorBackend", [](const std::filesystem::path& path, const core::ModelGraph& graph, const auto&) {
            EXPECT_FALSE(graph.nodes().empty()) << path;
            EXPECT_TRUE(test::runsInOrder(graph)) << path;
        });
    EXPECT_EQ(count, 3U);
}

}  // namespace
}  // namespace et::backends::nested
