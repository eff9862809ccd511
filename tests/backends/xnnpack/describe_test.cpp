#include "backends/xnnpack/delegate/describe.h"

#include "backends/builtin.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/executor/module_data.h"
#include "tests/backends/xnnpack/real_payloads.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::GraphNode;
using core::GraphValue;
using Role = core::GraphValue::Role;
using testing::Contains;
using testing::ElementsAre;

/// Data by name.
class NamedBytes final : public executor::NamedDataSource {
  public:
    std::map<std::string, std::vector<std::byte>, std::less<>> blobs;

    [[nodiscard]] std::optional<core::Bytes> find(std::string_view name) const override {
        const auto found = blobs.find(name);
        return found == blobs.end() ? std::nullopt : std::optional<core::Bytes>(found->second);
    }
};

std::string attribute(const std::vector<core::GraphAttribute>& attributes, std::string_view name) {
    const auto found = std::ranges::find(attributes, name, &core::GraphAttribute::name);
    return found == attributes.end() ? "" : found->text;
}

PayloadValue valueOf(std::uint32_t id, Datatype datatype, std::vector<std::uint32_t> sizes) {
    PayloadValue value;
    value.id = id;
    value.datatype = datatype;
    value.sizes = std::move(sizes);
    return value;
}

PerChannelQuantization scales(std::vector<float> numbers) {
    PerChannelQuantization quantization;
    quantization.scaleCount = static_cast<std::uint32_t>(numbers.size());
    quantization.scales = std::move(numbers);
    return quantization;
}

/// input -> convolution -> output, with inline weights and a bias by name.
Payload convolution() {
    static const std::vector<std::byte> weights(216);
    Payload payload;
    payload.constants = {{}, {.data = weights, .name = {}}, {.data = {}, .name = "conv.bias"}};
    payload.values = {valueOf(7, Datatype::QInt8, {1, 8, 8, 3}), valueOf(8, Datatype::QCInt8, {8, 3, 3, 3}),
                      valueOf(9, Datatype::QCInt32, {8}), valueOf(10, Datatype::QInt8, {1, 4, 4, 8})};
    payload.values[0].quantization = PerTensorQuantization{.scale = 0.5F, .zeroPoint = -3};
    payload.values[0].externalId = 0;
    payload.values[0].isInput = true;
    payload.values[1].quantization = scales({0.25F, 2.0F});
    payload.values[1].constant = 1;
    payload.values[2].constant = 2;
    payload.values[3].externalId = 1;
    payload.values[3].isOutput = true;
    ConvolutionFields fields;
    fields.kernel = {.height = 3, .width = 3};
    fields.stride = {.height = 2, .width = 1};
    fields.groups = 1;
    payload.nodes = {{.traits = nodeKind(static_cast<std::uint8_t>(NodeKind::Convolution)),
                      .debugHandle = 42,
                      .range = OutputRange{.min = 0, .max = 6},
                      .inputs = {0, 1, 2},
                      .outputs = {3},
                      .fields = fields}};
    payload.externals = {0, 3};
    return payload;
}

TEST(XnnpackDescribeTest, NodeHasFieldsActivationAndHandle) {
    const core::ModelGraph graph = describe(convolution(), NamedBytes());
    ASSERT_EQ(graph.nodes().size(), 1U);
    const GraphNode& node = graph.nodes()[0];
    EXPECT_EQ(node.kind, "XNNConv2d");
    EXPECT_THAT(node.debugHandles, ElementsAre(core::DebugHandle(42)));
    EXPECT_EQ(attribute(node.attributes, "kernel"), "[3, 3]");
    EXPECT_EQ(attribute(node.attributes, "stride"), "[2, 1]");
    EXPECT_EQ(attribute(node.attributes, "range"), "[0, 6]");
    EXPECT_EQ(node.inputs.size(), 3U);
    EXPECT_THAT(node.outputs, ElementsAre(core::GraphValueId(3)));
    EXPECT_EQ(graph.values()[3].producer, core::GraphNodeId(0));
}

TEST(XnnpackDescribeTest, AValueHasItsShapeRoleAndQuantization) {
    const core::ModelGraph graph = describe(convolution(), NamedBytes());
    const GraphValue& input = graph.values()[0];
    EXPECT_EQ(input.type, "qint8 [1, 8, 8, 3]");
    EXPECT_EQ(input.role, Role::Input);
    EXPECT_EQ(input.bytes, 192U);
    EXPECT_EQ(attribute(input.attributes, "scale"), "0.5");
    EXPECT_EQ(attribute(input.attributes, "zero point"), "-3");
    EXPECT_EQ(attribute(input.attributes, "argument"), "0");
    const GraphValue& weights = graph.values()[1];
    EXPECT_EQ(weights.role, Role::Constant);
    EXPECT_EQ(weights.bytes, 216U);
    EXPECT_EQ(attribute(weights.attributes, "scales"), "2 from 0.25 to 2");
    EXPECT_EQ(graph.values()[3].role, Role::Output);
}

TEST(XnnpackDescribeTest, ConstantsByNameAreLookedUp) {
    NamedBytes data;
    const core::ModelGraph missing = describe(convolution(), data);
    EXPECT_EQ(attribute(missing.values()[2].attributes, "data name"), "conv.bias");
    EXPECT_THAT(attribute(missing.values()[2].attributes, "data"), testing::StartsWith("missing"));
    EXPECT_EQ(missing.values()[2].bytes, 32U) << "what its shape takes";
    data.blobs["conv.bias"] = std::vector<std::byte>(48);
    const core::ModelGraph found = describe(convolution(), data);
    EXPECT_EQ(attribute(found.values()[2].attributes, "data"), "");
    EXPECT_EQ(found.values()[2].bytes, 48U);
}

TEST(XnnpackDescribeTest, ReportsOmittedContent) {
    Payload payload = convolution();
    payload.nodes[0].inputs[2] = noValue;
    payload.nodes[0].debugHandle = noDebugHandle;
    payload.values[1].sizes = {4'000'000'000, 4'000'000'000, 4'000'000'000};
    payload.constants[1].data = {};
    const core::ModelGraph graph = describe(payload, NamedBytes());
    EXPECT_EQ(graph.nodes()[0].inputs.size(), 2U);
    EXPECT_EQ(attribute(graph.nodes()[0].attributes, "bias"), "none");
    EXPECT_TRUE(graph.nodes()[0].debugHandles.empty());
    EXPECT_EQ(graph.values()[1].bytes, 0U);
}

TEST(XnnpackDescribeTest, FlagsDependOnTheNodeKind) {
    Payload payload = convolution();
    PayloadNode& node = payload.nodes[0];
    node.fields = {};
    node.flags = 1;
    node.traits = nodeKind(static_cast<std::uint8_t>(NodeKind::FullyConnected));
    EXPECT_EQ(attribute(describe(payload, NamedBytes()).nodes()[0].attributes, "flags"),
              "transposed weights");
    node.traits = nodeKind(static_cast<std::uint8_t>(NodeKind::DepthwiseConvolution));
    EXPECT_EQ(attribute(describe(payload, NamedBytes()).nodes()[0].attributes, "flags"), "depthwise");
}

TEST(XnnpackDescribeTest, DamagedBytesAreAnError) {
    const std::vector<std::byte> bytes(40, std::byte{1});
    EXPECT_FALSE(describe(core::Bytes(bytes), NamedBytes()));
}

/// Checks that every node is linked to its inputs and outputs, and that every argument of the delegate is
/// present.
void expectWhole(const core::ModelGraph& graph, const Payload& payload) {
    ASSERT_EQ(graph.nodes().size(), payload.nodes.size());
    ASSERT_EQ(graph.values().size(), payload.values.size());
    for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
        EXPECT_EQ(graph.nodes()[i].kind, payload.nodes[i].traits->name);
        for (const core::GraphValueId output : graph.nodes()[i].outputs) {
            EXPECT_EQ(graph.value(output).producer, core::GraphNodeId(static_cast<std::uint32_t>(i)));
        }
    }
    std::size_t externals = 0;
    for (const GraphValue& value : graph.values()) {
        externals += value.role == Role::Input || value.role == Role::Output ? 1 : 0;
        EXPECT_TRUE(value.role != Role::Constant || value.bytes > 0) << value.name;
        EXPECT_TRUE(value.role != Role::Intermediate || value.producer.has_value()) << value.name;
    }
    EXPECT_EQ(externals, payload.externals.size());
}

TEST(XnnpackDescribeTest, EveryRealPayloadIsDescribed) {
    ET_NEEDS_SHARED_DATA();
    const auto backends = builtin();
    const auto backend = std::ranges::find(backends, "XnnpackBackend", &executor::Backend::name);
    ASSERT_NE(backend, backends.end());
    std::size_t described = 0;
    std::size_t refused = 0;
    for (const char* folder : {"ops/xnnpack", "programs"}) {
        test::forEachXnnpackPayload(folder, [&](const auto& path, const program::Program& program,
                                                const program::Delegate& delegate) {
            SCOPED_TRACE(path);
            const executor::ModuleData data(program, {});
            const auto graph = (*backend)->describe(delegate, data);
            const auto payload = readPayload(delegate.payload);
            ASSERT_EQ(graph.has_value(), payload.has_value());
            if (!payload) {
                ++refused;  // damaged by its compiler: the reference also fails on it
                return;
            }
            expectWhole(*graph, *payload);
            ++described;
        });
    }
    EXPECT_GT(described, 700U);
    EXPECT_LT(refused, described / 50);
}

TEST(XnnpackDescribeTest, TheConvolutionsOfMobileNetAreAllThere) {
    ET_NEEDS_SHARED_DATA();
    std::set<std::string> ranges;
    std::map<std::string, std::size_t> kinds;
    test::forEachXnnpackPayload(
        "programs/mobilenet_v2_small",
        [&](const auto& path, const program::Program& program, const program::Delegate& delegate) {
            if (path.filename() != "xnnpack.bpte") {
                return;
            }
            const executor::ModuleData data(program, {});
            const auto graph = describe(delegate.payload, data);
            ASSERT_TRUE(graph) << graph.error().toString();
            for (const GraphNode& node : graph->nodes()) {
                ++kinds[node.kind];
                ranges.insert(attribute(node.attributes, "range"));
            }
        });
    EXPECT_EQ(kinds["XNNConv2d"] + kinds["XNNDepthwiseConv2d"], 52U);
    EXPECT_EQ(kinds["XNNFullyConnected"], 1U);
    EXPECT_EQ(kinds["XNNAdd"], 10U);
    EXPECT_THAT(ranges, Contains("[0, 6]"));
}

}  // namespace
}  // namespace et::backends::xnnpack
