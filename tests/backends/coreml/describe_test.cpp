#include "backends/coreml/describe.h"

#include "backends/compile_specs.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/support/coreml_payload.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::coreml {
namespace {

using test::attribute;
using testing::ElementsAre;

const test::NamedBytes nothing;

program::Delegate delegateOf(core::Bytes payload) {
    return {.backend = "CoreMLBackend", .payload = payload, .segment = std::nullopt, .compileSpecs = {}};
}

TEST(CoremlDescribeTest, OperationsBecomeNodes) {
    const test::PayloadBytes payload = test::coremlPayload();
    const auto graph = describe(payload, nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 2U);
    const core::GraphNode& conv = graph->nodes()[0];
    EXPECT_EQ(conv.kind, "conv");
    EXPECT_THAT(test::namesOf(*graph, conv.inputs), ElementsAre("x", "w"));
    EXPECT_THAT(test::namesOf(*graph, conv.outputs), ElementsAre("y"));
    EXPECT_EQ(attribute(conv.attributes, "strides"), "[1, 1]");
    EXPECT_EQ(attribute(conv.attributes, "inputs"), "x, weight");
    EXPECT_THAT(conv.debugHandles, ElementsAre(core::DebugHandle(7), core::DebugHandle(9)));
    EXPECT_EQ(graph->nodes()[1].kind, "relu");
    EXPECT_THAT(graph->nodes()[1].debugHandles, ElementsAre(core::DebugHandle(11)));
    const core::GraphValue& weight = graph->value(conv.inputs[1]);
    EXPECT_EQ(weight.role, core::GraphValue::Role::Constant);
    EXPECT_EQ(weight.type, "float16 [2, 3]");
    EXPECT_EQ(core::textOf(weight.data), "abcdefghijkl");
    const core::GraphValue& input = graph->value(conv.inputs[0]);
    EXPECT_EQ(input.type, "float16 [1, 3, 4, 4]");
    EXPECT_EQ(input.bytes, 96U);
    EXPECT_EQ(attribute(input.attributes, "argument"), "0");
    const core::GraphValue& output = graph->value(graph->nodes()[1].outputs[0]);
    EXPECT_EQ(output.role, core::GraphValue::Role::Output);
    EXPECT_EQ(attribute(output.attributes, "argument"), "1");
    ASSERT_FALSE(graph->groups().empty());
    const auto& facts = graph->groups().front().attributes;
    EXPECT_EQ(attribute(facts, "specification version"), "8 (iOS 17, macOS 14)");
    EXPECT_EQ(attribute(facts, "model type"), "ML Program");
    EXPECT_EQ(attribute(facts, "identifier"), "model {1}");
    EXPECT_EQ(attribute(facts, "opset"), "CoreML7");
    EXPECT_EQ(attribute(facts, "file model.mlpackage/Data/com.apple.CoreML/weights/weight.bin"), "140 bytes");
}

TEST(CoremlDescribeTest, EveryByteOfAPackageIsCounted) {
    const test::PayloadBytes payload = test::coremlPayload();
    const ListedContents contents = listedContents(delegateOf(payload), nothing);
    EXPECT_EQ(contents.bytes.total(), payload.size());
    EXPECT_EQ(contents.bytes.opaque, 0U);
    std::vector<std::string> names;
    for (const ListedPart& each : contents.parts) {
        names.push_back(each.part.name);
    }
    EXPECT_THAT(names, ElementsAre("debug_info.json", "metadata.json",
                                   "model.mlpackage/Data/com.apple.CoreML/model.mlmodel",
                                   "model.mlpackage/Data/com.apple.CoreML/weights/weight.bin",
                                   "model.mlpackage/Manifest.json"));
    EXPECT_EQ(contents.parts[3].part.data.size(), 140U);
}

TEST(CoremlDescribeTest, PackageMayBeInNamedData) {
    const std::string reference = R"(CMJR{"key": "coreml_partition_0", "functionName": "main"})";
    const core::Bytes payload = std::as_bytes(std::span(reference));
    const auto missing = describe(payload, nothing);
    ASSERT_TRUE(missing) << missing.error().toString();
    EXPECT_EQ(missing->nodes().front().kind, "Core ML package");
    test::NamedBytes data;
    data.blobs["coreml_partition_0"] = test::coremlPayload();
    const auto graph = describe(payload, data);
    ASSERT_TRUE(graph) << graph.error().toString();
    EXPECT_EQ(graph->nodes().size(), 2U);
    const ListedContents contents = listedContents(delegateOf(payload), data);
    EXPECT_EQ(contents.bytes, (PayloadBytes{.known = payload.size()}));
    EXPECT_EQ(contents.parts.size(), 5U);
    const std::string other = R"(CMJR{"key": "coreml_partition_0", "functionName": "prefill"})";
    const auto unknown = describe(std::as_bytes(std::span(other)), data);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "the ML Program has no function \"prefill\"");
}

TEST(CoremlDescribeTest, OtherModelsListTheirFiles) {
    const auto compiled = describe(test::coremlPayload({.isCompiled = true}), nothing);
    ASSERT_TRUE(compiled) << compiled.error().toString();
    EXPECT_EQ(compiled->nodes().front().kind, "compiled Core ML model");
    const auto network = describe(test::coremlPayload({.modelType = 500}), nothing);
    ASSERT_TRUE(network) << network.error().toString();
    EXPECT_EQ(network->nodes().front().kind, "Core ML neural network");
}

TEST(CoremlDescribeTest, BlocksAreGroups) {
    const auto graph = describe(test::coremlPayload({.blockDepth = 2}), nothing);
    ASSERT_TRUE(graph) << graph.error().toString();
    ASSERT_EQ(graph->nodes().size(), 4U);
    EXPECT_TRUE(test::runsInOrder(*graph));
    EXPECT_EQ(graph->nodes()[1].kind, "relu");
    EXPECT_EQ(graph->group(*graph->nodes()[1].group).name, "cond 0");
    EXPECT_EQ(graph->nodes()[3].kind, "cond");
    EXPECT_EQ(graph->group(*graph->nodes()[3].group).name, "main");
    EXPECT_FALSE(describe(test::coremlPayload({.blockDepth = 40}), nothing)) << "too deep";
}

TEST(CoremlDescribeTest, DamageIsReported) {
    const auto outside = describe(test::coremlPayload({.weightOffset = 4000}), nothing);
    ASSERT_FALSE(outside);
    EXPECT_EQ(outside.error().code, core::ErrorCode::Format);
    const auto metadata = describe(test::coremlPayload({.weightOffset = 0}), nothing);
    ASSERT_FALSE(metadata);
    EXPECT_EQ(metadata.error().message, "expected the metadata of a weight (0xdeadbeef), got 0x1");
    EXPECT_FALSE(describe({}, nothing));
    const test::PayloadBytes payload = test::coremlPayload();
    for (std::size_t size = 0; size < payload.size(); size += 7) {
        static_cast<void>(describe(core::Bytes(payload).first(size), nothing));
    }
}

TEST(CoremlDescribeTest, MutantsAreDescribedOrRejected) {
    constexpr std::size_t mutants = 10'000;
    const test::PayloadBytes payload = test::coremlPayload({.blockDepth = 1});
    std::mt19937_64 random(1);
    std::size_t described = 0;
    for (std::size_t i = 0; i < mutants; ++i) {
        test::PayloadBytes mutant = payload;
        for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
            mutant[random() % mutant.size()] = static_cast<std::byte>(random());
        }
        const auto graph = describe(mutant, nothing);
        described += graph ? 1U : 0U;
        EXPECT_TRUE(!graph || test::runsInOrder(*graph));
        EXPECT_EQ(listedContents(delegateOf(mutant), nothing).bytes.total(), mutant.size());
    }
    EXPECT_GT(described, mutants / 20);
}

TEST(CoremlDescribeTest, CompileSpecsAreNamed) {
    const auto line = [](std::string_view key, std::string_view value) {
        return specLine("CoreMLBackend", {.key = key, .value = std::as_bytes(std::span(value))});
    };
    EXPECT_EQ(line("compute_units", "cpu_and_ne"), "cpu_and_ne (CPU and Neural Engine)");
    EXPECT_EQ(line("min_deployment_target", "9"), "9 (iOS 18, macOS 15)");
    EXPECT_EQ(line("model_compute_precision", "float16"), "float16");
    EXPECT_EQ(line("op_linear_quantizer_config", R"({"mode": "linear_symmetric"})"), "mode=linear_symmetric");
}

}  // namespace
}  // namespace et::backends::coreml
