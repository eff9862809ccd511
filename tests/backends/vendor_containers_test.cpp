// Tests the descriptions of payloads whose content is compiled code of a vendor.
#include "backends/aoti/describe.h"
#include "backends/builtin.h"
#include "backends/neuropilot/describe.h"
#include "backends/neutron/describe.h"
#include "backends/payload_contents.h"
#include "backends/qnn/describe.h"
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
    EXPECT_EQ(attribute(output.attributes, "argument"), "1");
    const ListedContents contents = listedQnn(payload);
    EXPECT_EQ(contents.bytes.opaque, 80U) << "the code, with the zeros before it";
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
