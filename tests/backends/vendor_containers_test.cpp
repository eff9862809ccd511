// Tests the descriptions of payloads whose content is compiled code of a vendor.
#include "backends/aoti/describe.h"
#include "backends/builtin.h"
#include "backends/enn/describe.h"
#include "backends/neuropilot/describe.h"
#include "backends/neutron/describe.h"
#include "backends/openvino/describe.h"
#include "backends/payload_contents.h"
#include "backends/qnn/describe.h"
#include "backends/tensorrt/describe.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/program.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/support/open_payloads.h"
#include "tests/support/qnn_payload.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace et::backends {
namespace {

using test::attribute;
using testing::ElementsAre;

const test::NamedBytes nothing;

core::Bytes bytesOfText(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// Sum of the byte counts of a described node.
std::size_t countedBytes(const core::ModelGraph& graph) {
    std::size_t sum = 0;
    for (const char* const kind : {"described bytes", "opaque bytes", "padding bytes"}) {
        sum += std::stoull(attribute(graph.nodes().front().attributes, kind));
    }
    return sum;
}

TEST(VendorContainersTest, NeutronHeaderHasFormatsAndPositions) {
    const test::PayloadBytes payload = test::neutronPayload();
    const auto graph = neutron::describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    const core::GraphNode& node = graph->nodes().front();
    EXPECT_EQ(attribute(node.attributes, "payload version"), "7");
    EXPECT_EQ(attribute(node.attributes, "arguments"), "3");
    EXPECT_THAT(test::namesOf(*graph, node.inputs),
                ElementsAre("input 0", "input 1", "microcode, weights and kernels"));
    EXPECT_EQ(graph->value(node.inputs[0]).type, "channels last");
    EXPECT_EQ(graph->value(node.inputs[1]).type, "any format");
    EXPECT_EQ(attribute(graph->value(node.inputs[0]).attributes, "argument"), "2");
    EXPECT_EQ(attribute(node.attributes, "opaque bytes"), "15") << "padding belongs to it";
    EXPECT_EQ(countedBytes(*graph), payload.size());
    for (std::size_t size = 0; size < 16; ++size) {
        EXPECT_FALSE(neutron::describe(core::Bytes(payload).first(size), nothing)) << size;
    }
    test::PayloadBytes damaged = payload;
    damaged[3] = std::byte{9};
    EXPECT_FALSE(neutron::describe(damaged, nothing)) << "a format";
}

TEST(VendorContainersTest, NeuroPilotHeaderHasCounts) {
    const test::PayloadBytes payload = test::neuropilotPayload();
    const auto graph = neuropilot::describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    const core::GraphNode& node = graph->nodes().front();
    EXPECT_THAT(test::namesOf(*graph, node.inputs), ElementsAre("input 0", "input 1", "compiled network"));
    EXPECT_EQ(attribute(graph->value(node.outputs[0]).attributes, "argument"), "2");
    EXPECT_EQ(countedBytes(*graph), payload.size());
    EXPECT_FALSE(neuropilot::describe(core::Bytes(payload).first(16), nothing)) << "the network is cut";
    const std::string many{"\1\xff\xff\xff\xff\1\0\0\0\0\0\0\0", 13};
    EXPECT_FALSE(neuropilot::describe(bytesOfText(many), nothing));
}

ListedContents listedOf(std::string_view backend, core::Bytes payload) {
    return listedContents({.backend = backend, .payload = payload, .segment = {}, .compileSpecs = {}},
                          nothing);
}

TEST(VendorContainersTest, TensorRtContainerHasBindings) {
    const test::PayloadBytes payload = test::tensorrtPayload();
    const auto graph = tensorrt::describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    const core::GraphNode& node = graph->nodes().front();
    EXPECT_THAT(test::namesOf(*graph, node.inputs), ElementsAre("a", "b", "engine"));
    EXPECT_THAT(test::namesOf(*graph, node.outputs), ElementsAre("y"));
    const core::GraphValue& b = graph->value(node.inputs[1]);
    EXPECT_EQ(b.type, "float32 [2, 3]");
    EXPECT_EQ(b.bytes, 24U);
    EXPECT_EQ(attribute(b.attributes, "argument"), "1") << "inputs come first";
    EXPECT_EQ(attribute(graph->value(node.outputs[0]).attributes, "argument"), "2");
    EXPECT_EQ(graph->value(node.inputs[2]).bytes, 6U);
    EXPECT_EQ(countedBytes(*graph), payload.size());
    const ListedContents listed = listedOf("TensorRTBackend", payload);
    EXPECT_EQ(listed.bytes.total(), payload.size());
    EXPECT_EQ(listed.bytes.opaque, 6U);
    ASSERT_EQ(listed.parts.size(), 2U);
    EXPECT_EQ(core::textOf(listed.parts[1].part.data), "engine");
    for (std::size_t size = 0; size < payload.size(); ++size) {
        EXPECT_FALSE(tensorrt::describe(core::Bytes(payload).first(size), nothing)) << size;
    }
}

TEST(VendorContainersTest, OpenVinoModelOfTheCpuHasLayers) {
    const test::PayloadBytes payload = test::openvinoPayload();
    const auto graph = openvino::describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 2U);
    const core::GraphNode& product = graph->nodes()[0];
    EXPECT_EQ(product.kind, "Multiply");
    EXPECT_THAT(test::namesOf(*graph, product.inputs), ElementsAre("x", "scale"));
    EXPECT_EQ(attribute(product.attributes, "auto_broadcast"), "numpy");
    const core::GraphValue& scale = graph->value(product.inputs[1]);
    EXPECT_EQ(scale.role, core::GraphValue::Role::Constant);
    EXPECT_EQ(scale.data.size(), 16U);
    EXPECT_EQ(scale.type, "float32 [1, 4]");
    const core::GraphValue& result = graph->value(graph->nodes()[1].outputs[0]);
    EXPECT_EQ(result.role, core::GraphValue::Role::Output);
    EXPECT_EQ(result.name, "y");
    EXPECT_EQ(result.type, "float32 [1, ?]");
    const ListedContents listed = listedOf("OpenvinoBackend", payload);
    EXPECT_EQ(listed.bytes.total(), payload.size());
    EXPECT_EQ(listed.bytes.opaque, 4U) << "data of the device";
    ASSERT_EQ(listed.parts.size(), 3U);
    EXPECT_EQ(listed.parts[0].part.name, "model.xml");
    EXPECT_EQ(listed.parts[1].part.data.size(), 16U);
}

TEST(VendorContainersTest, OpenVinoErrorsNameTheElement) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"<net></net>", "expected a model with layers"},
        {"<model/>", "expected <net>, got <model>"},
        {"<net><layers>", "expected </layers>, got the end"},
        {"<net><layers></net>", "expected </layers>"},
        {"<net><layers><layer id=x/></layers></net>", "expected a quote"},
        {"<net><layers><layer id=\"x\"/></layers></net>", "<layer>, id: expected a number, got \"x\""},
        {"<net><layers><layer id=\"0\"/><layer id=\"0\"/></layers></net>", "a second layer 0"},
        {"<net><layers><layer id=\"0\"/></layers><edges><edge from-layer=\"0\" from-port=\"0\" "
         "to-layer=\"0\" "
         "to-port=\"0\"/></edges></net>",
         "expected the output of an earlier layer"},
        {"<net><layers><layer id=\"0\" type=\"Const\"><data offset=\"8\" size=\"16\"/><output><port "
         "id=\"0\"/>"
         "</output></layer></layers></net>",
         "constant"},
    };
    for (const auto& [xml, message] : cases) {
        const test::PayloadBytes payload = test::openvinoPayload(xml);
        const auto graph = openvino::describe(payload, nothing);
        ASSERT_FALSE(graph) << xml;
        EXPECT_THAT(graph.error().toString(), testing::HasSubstr(message)) << xml;
        EXPECT_EQ(listedOf("OpenvinoBackend", payload).bytes.total(), payload.size());
    }
}

TEST(VendorContainersTest, ModelsOfUnknownFormatsAreOneOpaqueNode) {
    const core::Bytes payload = bytesOfText("compiled");
    for (const auto& describe : {openvino::describe, enn::describe}) {
        const auto graph = describe(payload, nothing);
        ASSERT_TRUE(graph) << graph.error().toString();
        EXPECT_EQ(attribute(graph->nodes().front().attributes, "opaque bytes"), "8");
        EXPECT_EQ(countedBytes(*graph), payload.size());
    }
    for (const std::string_view backend : {"OpenvinoBackend", "EnnBackend"}) {
        const ListedContents listed = listedOf(backend, payload);
        EXPECT_EQ(listed.bytes.opaque, 8U);
        ASSERT_EQ(listed.parts.size(), 1U);
        EXPECT_EQ(listed.parts[0].part.data.size(), 8U);
    }
}

ListedContents listedQnn(core::Bytes payload) {
    return listedContents({.backend = "QnnBackend", .payload = payload, .segment = {}, .compileSpecs = {}},
                          nothing);
}

TEST(VendorContainersTest, QnnMetadataHasGraphsAndTensors) {
    const test::PayloadBytes payload = test::qnnPayload();
    const auto graph = qnn::describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 1U);
    const core::GraphNode& node = graph->nodes().front();
    EXPECT_EQ(node.name, "forward");
    EXPECT_EQ(attribute(node.attributes, "chip"), "SM8650 (Snapdragon 8 Gen 3)");
    EXPECT_EQ(attribute(node.attributes, "backend"), "HTP");
    EXPECT_EQ(attribute(node.attributes, "core API"), "2.27.0");
    EXPECT_THAT(test::namesOf(*graph, node.inputs),
                ElementsAre("input_0_x@0", "code and weights of all graphs"));
    const core::GraphValue& input = graph->value(node.inputs[0]);
    EXPECT_EQ(input.type, "unsigned fixed-point 8 [1, 4]");
    EXPECT_EQ(input.bytes, 4U);
    EXPECT_EQ(attribute(input.attributes, "scale"), "0.5");
    EXPECT_EQ(attribute(input.attributes, "zero point"), "3");
    EXPECT_EQ(attribute(input.attributes, "argument"), "0");
    const core::GraphValue& output = graph->value(node.outputs[0]);
    EXPECT_EQ(output.type, "float16 [2]");
    EXPECT_EQ(attribute(output.attributes, "scale"), "") << "a scale of 0 means none";
    EXPECT_EQ(attribute(output.attributes, "argument"), "1");
    const ListedContents contents = listedQnn(payload);
    EXPECT_EQ(contents.bytes.opaque, 48U) << "the code, with the zeros before it";
    EXPECT_EQ(contents.bytes.known + contents.bytes.opaque + contents.bytes.padding, payload.size());
    ASSERT_EQ(contents.parts.size(), 3U);
    EXPECT_EQ(contents.parts.front().offset, 256U);
}

TEST(VendorContainersTest, QnnContextsOfOtherLayoutsAreOpaque) {
    for (const test::QnnChanges& changes :
         {test::QnnChanges{.graphs = 2}, test::QnnChanges{.codeSize = 33}}) {
        const test::PayloadBytes payload = test::qnnPayload(changes);
        const auto graph = qnn::describe(payload, nothing);
        ASSERT_TRUE(graph) << graph.error().toString();
        EXPECT_EQ(graph->nodes().front().kind, "QNN context");
        const ListedContents contents = listedQnn(payload);
        EXPECT_EQ(contents.bytes.known, 20U);
        EXPECT_EQ(contents.bytes.known + contents.bytes.opaque + contents.bytes.padding, payload.size());
    }
    const test::PayloadBytes payload = test::qnnPayload();
    EXPECT_FALSE(qnn::describe(core::Bytes(payload).first(payload.size() - 1), nothing)) << "cut";
    EXPECT_FALSE(qnn::describe(bytesOfText("no context binary"), nothing));
}

TEST(VendorContainersTest, RealQnnContextHasTwoGraphs) {
    ET_NEEDS_SHARED_DATA();
    const auto program =
        program::Program::open(test::sharedData() / "legacy/stories260k_hybrid_llama_qnn.pte").value();
    const core::Bytes payload = program->methods.front().delegates.front().payload;
    const auto graph = qnn::describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 2U);
    EXPECT_EQ(graph->nodes()[0].name, "kv_forward");
    EXPECT_EQ(graph->nodes()[1].name, "prefill_forward");
    EXPECT_EQ(attribute(graph->nodes()[0].attributes, "SDK"), "v2.37.0.250724175447_124859");
    EXPECT_EQ(graph->nodes()[0].inputs.size(), 14U) << "with the code";
    EXPECT_EQ(graph->nodes()[0].outputs.size(), 11U);
    EXPECT_EQ(graph->value(graph->nodes()[0].outputs[10]).type, "unsigned fixed-point 16 [1, 1, 512]");
    const ListedContents contents = listedQnn(payload);
    EXPECT_EQ(contents.bytes.known + contents.bytes.opaque + contents.bytes.padding, payload.size());
    EXPECT_GE(contents.bytes.known, 256U);
}

TEST(VendorContainersTest, AotInductorNamesItsDataAndKernels) {
    const std::string library(64, '1');
    const test::PayloadBytes payload = test::aotiPayload();
    const std::string code =
        "\x7f"
        "ELF.triton_poi_fused_add_0.my_triton_no.kernel void rms_norm(";
    test::NamedBytes data;
    data.blobs[library + "_so_blob"] = {bytesOfText(code).begin(), bytesOfText(code).end()};
    const auto graph = aoti::describe(payload, data);
    ASSERT_TRUE(graph) << graph.error().toString();
    const core::GraphNode& node = graph->nodes().front();
    EXPECT_EQ(attribute(node.attributes, "kernels"), "triton_poi_fused_add_0, rms_norm");
    EXPECT_THAT(test::namesOf(*graph, node.inputs), ElementsAre("library", "weights"));
    EXPECT_EQ(graph->value(node.inputs[0]).bytes, code.size());
    EXPECT_EQ(countedBytes(*graph), payload.size());
    EXPECT_TRUE(aoti::describe({}, nothing)) << "names by method";
    EXPECT_FALSE(aoti::describe(bytesOfText("one line"), nothing));
}

TEST(VendorContainersTest, EveryByteOfRealPayloadsIsCounted) {
    ET_NEEDS_SHARED_DATA();
    std::size_t count = 0;
    for (const auto* const name : {"ethosu_external.pte", "ethosu_inline.pte", "neutron.pte"}) {
        const auto program = program::Program::open(test::sharedData() / "backends_new" / name).value();
        const executor::ModuleData data(*program, {});
        for (const program::Delegate& delegate : program->methods.front().delegates) {
            const auto backend = std::ranges::find(describable(), delegate.backend, &executor::Backend::name);
            ASSERT_NE(backend, describable().end());
            const auto graph = (*backend)->describe(delegate, data);
            ASSERT_TRUE(graph) << graph.error().toString();
            EXPECT_EQ(countedBytes(*graph), delegate.payload.size()) << name;
            ++count;
        }
    }
    EXPECT_EQ(count, 3U);
}

}  // namespace
}  // namespace et::backends
