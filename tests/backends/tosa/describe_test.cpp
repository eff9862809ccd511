#include "backends/tosa/describe.h"

#include "backends/tosa/read_payload.h"
#include "bundled_program/bundle.h"
#include "runtime/program/program.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/backends/real_open_payloads.h"
#include "tests/support/shared_data.h"
#include "tests/support/tosa_payload.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace et::backends::tosa {
namespace {

using core::ErrorCode;
using core::GraphValue;
using Role = GraphValue::Role;
using test::attribute;
using test::namesOf;
using test::TosaChanges;
using testing::ElementsAre;
using testing::HasSubstr;

const test::NamedBytes noData;

core::ModelGraph described(core::Bytes payload) {
    auto graph = describe(payload, noData);
    EXPECT_TRUE(graph) << graph.error().toString();
    return graph ? std::move(*graph) : core::ModelGraph();
}

core::Error refused(const TosaChanges& changes) {
    const auto graph = describe(test::tosaPayload(changes), noData);
    EXPECT_FALSE(graph);
    return graph ? core::Error() : graph.error();
}

const GraphValue& valueNamed(const core::ModelGraph& graph, std::string_view name) {
    const auto found = std::ranges::find(graph.values(), name, &GraphValue::name);
    EXPECT_NE(found, graph.values().end()) << name;
    return *found;
}

TEST(TosaDescribeTest, OperatorsHaveTheirFields) {
    const auto payload = test::tosaPayload();
    const core::ModelGraph graph = described(payload);
    ASSERT_EQ(graph.nodes().size(), 4U) << "constants are no nodes";
    const core::GraphNode& convolution = graph.nodes()[0];
    EXPECT_EQ(convolution.kind, "CONV2D");
    EXPECT_EQ(convolution.inputNames, "input weight bias input_zp weight_zp");
    EXPECT_THAT(namesOf(graph, convolution.inputs), ElementsAre("x", "w", "b", "zx", "zw"));
    EXPECT_THAT(namesOf(graph, convolution.outputs), ElementsAre("y"));
    EXPECT_EQ(attribute(convolution.attributes, "padding"), "[0, 0, 0, 0]");
    EXPECT_EQ(attribute(convolution.attributes, "stride"), "[1, 1]");
    EXPECT_EQ(attribute(convolution.attributes, "local bound"), "false") << "omitted fields are 0";
    EXPECT_EQ(attribute(convolution.attributes, "accumulator"), "float32");
    const core::GraphNode& clamp = graph.nodes()[1];
    EXPECT_EQ(attribute(clamp.attributes, "minimum"), "0");
    EXPECT_EQ(attribute(clamp.attributes, "maximum"), "6");
    EXPECT_EQ(attribute(clamp.attributes, "NaN mode"), "propagate");
    EXPECT_TRUE(test::runsInOrder(graph));
}

TEST(TosaDescribeTest, ValuesHaveTypesAndRoles) {
    const auto payload = test::tosaPayload();
    const core::ModelGraph graph = described(payload);
    EXPECT_EQ(valueNamed(graph, "x").type, "float32 [1, 4, 4, 2]");
    EXPECT_EQ(valueNamed(graph, "x").bytes, 128U);
    EXPECT_EQ(valueNamed(graph, "x").role, Role::Input);
    EXPECT_EQ(attribute(valueNamed(graph, "p").attributes, "argument"), "1");
    EXPECT_EQ(attribute(valueNamed(graph, "out").attributes, "argument"), "2");
    EXPECT_EQ(valueNamed(graph, "out").role, Role::Output);
    EXPECT_EQ(valueNamed(graph, "w").role, Role::Constant);
    EXPECT_EQ(valueNamed(graph, "w").data.size(), 8U);
    EXPECT_EQ(attribute(valueNamed(graph, "w").attributes, "elements"), "[0.5, -2]");
    EXPECT_EQ(valueNamed(graph, "shape").type, "shape [4]");
    EXPECT_EQ(attribute(valueNamed(graph, "shape").attributes, "elements"), "[1, 2, -1, 3]");
}

TEST(TosaDescribeTest, BodiesOfControlFlowAreGroups) {
    const auto payload = test::tosaPayload();
    const core::ModelGraph graph = described(payload);
    EXPECT_EQ(attribute(graph.nodes()[2].attributes, "then"), "then");
    ASSERT_EQ(graph.groups().size(), 1U);
    EXPECT_EQ(graph.groups()[0].name, "then");
    EXPECT_EQ(graph.groups()[0].kind, "branch");
    EXPECT_EQ(attribute(graph.groups()[0].attributes, "inputs"), "then_in");
    EXPECT_EQ(graph.nodes()[3].kind, "NEGATE");
    EXPECT_EQ(graph.nodes()[3].group, core::GraphGroupId(0));
}

TEST(TosaDescribeTest, LocationsNameTheOrigin) {
    const auto payload = test::tosaPayload(
        {.location =
             R"({"event_id": 1, "torch_info": {"stack_trace": ["File \"m.py\", line 3, in forward", " x",
             "  File \"/x/torch/nn/a.py\", line 9, in forward"],
             "node_trace": [{"name": "new", "target": "a"}, {"name": "relu_1", "target": "aten.relu.default"}],
             "nn_module_stack": {"L": ["", "M"], "Lc": ["c", "nn.ReLU"]}}})"});
    const core::ModelGraph graph = described(payload);
    const auto& attributes = graph.nodes()[1].attributes;
    EXPECT_EQ(attribute(attributes, "exported node"), "relu_1");
    EXPECT_EQ(attribute(attributes, "exported operator"), "aten.relu.default");
    EXPECT_EQ(attribute(attributes, "module"), "c (nn.ReLU)");
    EXPECT_EQ(attribute(attributes, "source"), "File \"m.py\", line 3, in forward");
    const auto other = test::tosaPayload({.location = "{somewhere"});
    EXPECT_EQ(attribute(described(other).nodes()[1].attributes, "source"), "");
}

TEST(TosaDescribeTest, UnknownOperatorsAreNumbered) {
    const auto payload = test::tosaPayload({.kind = 200});
    const core::ModelGraph graph = described(payload);
    EXPECT_EQ(graph.nodes()[0].kind, "operator 200");
    EXPECT_THAT(namesOf(graph, graph.nodes()[0].outputs), ElementsAre("y"));
}

TEST(TosaDescribeTest, EveryKindIsRead) {
    const auto payload = test::tosaPayloadOfAllKinds();
    const core::ModelGraph graph = described(payload);
    std::size_t count = 0;
    for (std::uint32_t kind = 1; const OperatorInfo* info = operatorInfo(kind); ++kind) {
        if (info->name.starts_with("CONST")) {
            continue;
        }
        const core::GraphNode& node = graph.nodes().at(count++);
        EXPECT_EQ(node.kind, info->name);
        EXPECT_EQ(node.attributes.size(), info->fields.size()) << info->name;
    }
    EXPECT_EQ(count, graph.nodes().size());
    EXPECT_EQ(count, 94U);
}

TEST(TosaDescribeTest, DamageIsReported) {
    EXPECT_EQ(refused({.major = 0}).code, ErrorCode::Unsupported);
    EXPECT_THAT(refused({.major = 0}).message, HasSubstr("expected TOSA 1.0 or later, got 0.0"));
    EXPECT_THAT(refused({.input = "nothing"}).message, HasSubstr("got \"nothing\""));
    EXPECT_EQ(refused({.input = "nothing"}).where.field, "regions[0].blocks[0].operators[5].inputs[0]");
    EXPECT_THAT(refused({.fieldsKind = 4}).message,
                HasSubstr("expected the fields of CONV2D (kind 3), got kind 4"));
    EXPECT_THAT(refused({.duplicate = "then_out"}).message, HasSubstr("two tensors are named \"then_out\""));
    EXPECT_THAT(refused({.dataOffset = 1U << 20U, .dataSize = 4}).message,
                HasSubstr("got 4 bytes at 1048576"));
}

TEST(TosaDescribeTest, DataMayFollowTheFlatbuffer) {
    auto payload = test::tosaPayload({.dataOffset = 16, .dataSize = 4});
    EXPECT_EQ(valueNamed(described(payload), "b").data.data(), payload.data() + 16);
}

TEST(TosaDescribeTest, EveryByteIsDescribed) {
    for (const auto& payload : {test::tosaPayload(), test::tosaPayloadOfAllKinds()}) {
        ByteCoverage coverage(payload);
        ASSERT_TRUE(readPayload(payload, &coverage));
        const PayloadBytes count = coverage.count();
        EXPECT_EQ(count.opaque, 0U);
        EXPECT_LT(count.padding, payload.size() / 8);
        EXPECT_EQ(count.known + count.padding, payload.size());
    }
}

TEST(TosaDescribeTest, RealPayloadsHaveTheirOperators) {
    ET_NEEDS_SHARED_DATA();
    const std::size_t count = test::forEachRealDelegate(
        "TOSABackend",
        [](const auto& path, const core::ModelGraph& graph, std::vector<std::string> operators) {
            std::erase_if(operators, [](const std::string& each) { return each.starts_with("CONST"); });
            std::vector<std::string> kinds;
            for (const core::GraphNode& node : graph.nodes()) {
                kinds.push_back(node.kind);
            }
            EXPECT_EQ(kinds, operators) << path;
            EXPECT_TRUE(test::runsInOrder(graph)) << path;
            for (const core::GraphNode& node : graph.nodes()) {
                const bool hasOrigin = attribute(node.attributes, "source").contains("bk.py");
                EXPECT_EQ(hasOrigin, path.string().contains("debugloc")) << path << node.name;
            }
        });
    EXPECT_GE(count, 7U);
}

TEST(TosaDescribeTest, EveryByteOfRealPayloadsIsDescribed) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& entry :
         std::filesystem::directory_iterator(test::sharedData() / "programs" / "backends" / "arm_tosa")) {
        const auto bundle = bundled_program::Bundle::open(entry.path());
        if (!bundle) {
            continue;
        }
        const auto program = program::Program::parse((*bundle)->file, (*bundle)->program).value();
        for (const program::Delegate& delegate : program->methods.front().delegates) {
            ByteCoverage coverage(delegate.payload);
            ASSERT_TRUE(readPayload(delegate.payload, &coverage)) << entry.path();
            EXPECT_EQ(coverage.count().opaque, 0U) << entry.path();
        }
    }
}

}  // namespace
}  // namespace et::backends::tosa
