// Packages written by our own code.
#include "runtime/native/package.h"

#include "app/samples/native_package.h"
#include "runtime/archive/zip_writer.h"
#include "runtime/core/scalar_type.h"
#include "runtime/native/model_graph.h"
#include "runtime/native/quantized.h"
#include "tests/support/damage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::native {
namespace {

using samples::PackageContent;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

core::Result<std::shared_ptr<const Package>> parse(std::vector<std::byte> bytes) {
    return Package::parse(core::MappedFile::fromMemory(std::move(bytes), "test"));
}

core::Result<std::shared_ptr<const Package>> parse(const PackageContent& content) {
    return parse(writePackage(content.program, content.tensors).value().joined());
}

/// The error of a package with one change.
std::string errorAfter(const std::function<void(PackageContent&)>& change) {
    PackageContent content = samples::nativeContent();
    change(content);
    const auto package = parse(content);
    return package ? std::string() : package.error().toString();
}

Node& nodeOf(PackageContent& content, std::string_view name) {
    return *std::ranges::find(content.program.methods.front().graph.nodes, name, &Node::name);
}

TEST(NativePackage, ReadsWhatItWrote) {
    const PackageContent content = samples::nativeContent();
    const auto package = parse(content);
    ASSERT_TRUE(package) << package.error().toString();
    const Method& method = (*package)->program.methods.front();
    const Method& written = content.program.methods.front();
    EXPECT_EQ((*package)->program.version, "1");
    EXPECT_EQ(method.name, "forward");
    EXPECT_EQ(method.graph.inputs, written.graph.inputs);
    EXPECT_EQ(method.graph.outputs, written.graph.outputs);
    EXPECT_EQ(method.graph.tensors, written.graph.tensors);
    ASSERT_EQ(method.graph.nodes.size(), written.graph.nodes.size());
    for (std::size_t i = 0; i < written.graph.nodes.size(); ++i) {
        EXPECT_EQ(method.graph.nodes[i].name, written.graph.nodes[i].name);
        EXPECT_EQ(method.graph.nodes[i].target, written.graph.nodes[i].target);
        EXPECT_EQ(method.graph.nodes[i].outputs, written.graph.nodes[i].outputs);
        EXPECT_EQ(method.graph.nodes[i].inputs.size(), written.graph.nodes[i].inputs.size());
    }
    EXPECT_TRUE(method.constants.back().isMutable);
    EXPECT_THAT(lostConstants((*package)->program), IsEmpty());
    const auto stored = (*package)->find("head.bias");
    ASSERT_TRUE(stored);
    EXPECT_TRUE(std::ranges::equal(stored->data, content.tensors.at("head.bias").data));
}

TEST(NativePackage, DequantizesGroups) {
    const PackageContent content = samples::nativeContent();
    const auto package = parse(content).value();
    const Constant& constant = package->program.methods.front().constants.front();
    const auto values = dequantize(constant.meta, package->find(constant.key)->data, package->finder());
    ASSERT_TRUE(values) << values.error().toString();
    ASSERT_EQ(values->size(), 16U * 32U);
    float scale = 0;
    const auto& scales = content.tensors.at("hidden.weight.scale").data;
    std::memcpy(&scale, scales.data() + sizeof scale, sizeof scale);  // of columns 16 to 31
    const auto pair = std::to_integer<int>(content.tensors.at("hidden.weight").data[8]);
    EXPECT_EQ((*values)[16], scale * static_cast<float>((pair & 15) - 8));
    EXPECT_EQ((*values)[17], scale * static_cast<float>((pair >> 4) - 8));
    EXPECT_EQ(quantizationText(constant.meta.quantization), "4-bit in groups of 16");
}

TEST(NativePackage, StoresEqualTensorsOnce) {
    PackageContent content = samples::nativeContent();
    content.tensors.emplace("tied", content.tensors.at("head.weight"));
    content.tensors.emplace("other_calls", content.tensors.at("calls"));
    const auto package = parse(content);
    ASSERT_TRUE(package) << package.error().toString();
    EXPECT_EQ((*package)->aliases.at("tied"), "head.weight");
    EXPECT_FALSE((*package)->aliases.contains("other_calls")) << "mutable state has its own bytes";
    EXPECT_TRUE(std::ranges::equal((*package)->find("tied")->data, (*package)->find("head.weight")->data));
}

TEST(NativePackage, FaultsAreNamed) {
    EXPECT_THAT(errorAfter([](auto& content) { content.tensors.erase("head.bias"); }),
                AllOf(HasSubstr("test: "), HasSubstr("\"head.bias\", which is not stored")));
    EXPECT_THAT(errorAfter([](auto& content) { content.tensors.erase("hidden.weight.scale"); }),
                HasSubstr("\"hidden.weight.scale\", which is not stored"));
    EXPECT_THAT(
        errorAfter([](auto& content) { content.tensors.at("head.weight").sizes = {16, 8}; }),
        HasSubstr("\"head.weight\" is stored as float32 [16, 8], but the graph expects float32 [8, 16]"));
    EXPECT_THAT(errorAfter([](auto& content) { content.tensors.at("head.bias").scalarType = 3; }),
                HasSubstr("stored as int32 [8], but the graph expects float32 [8]"));
    EXPECT_THAT(errorAfter([](auto& content) { content.program.version = "2"; }),
                HasSubstr("expected version 1, got \"2\""));
    EXPECT_THAT(
        errorAfter([](auto& content) { content.program.methods.push_back(content.program.methods.front()); }),
        HasSubstr("expected one method \"forward\", got a second"));
    EXPECT_THAT(
        errorAfter([](auto& content) { content.program.methods.front().outputSpecs.front().target = "no"; }),
        HasSubstr("expected a buffer of the method as target, got \"no\""));
    EXPECT_THAT(errorAfter([](auto& content) {
                    nodeOf(content, "aten_relu_default").inputs.front().value = TensorName{"nobody"};
                }),
                HasSubstr("expected a value that is defined before its use, got \"nobody\""));
    EXPECT_THAT(errorAfter([](auto& content) {
                    std::swap(nodeOf(content, "aten_linear_default"), nodeOf(content, "aten_relu_default"));
                }),
                HasSubstr("defined before its use, got \"aten_linear_default\""));
    EXPECT_THAT(errorAfter([](auto& content) {
                    content.program.methods.front().graph.tensors.at("x").sizes.front() = {.minimum = -5,
                                                                                           .maximum = -5};
                }),
                HasSubstr("expected a range of sizes from 0, got -5 to -5"));
    EXPECT_THAT(errorAfter([](auto& content) { content.program.methods.front().graph.tensors.erase("x"); }),
                HasSubstr("expected metadata of input \"x\", got none"));
}

TEST(NativePackage, FaultsOfMembersAreNamed) {
    const PackageContent content = samples::nativeContent();
    const auto graph = core::FileContent(writeGraph(content.program).value());
    const auto tensors = core::FileContent(writeSafetensors(content.tensors).value());
    const auto errorOf = [](const archive::Entries& entries) {
        const auto package = parse(archive::storeEntries(entries).value().joined());
        return package ? std::string() : package.error().toString();
    };
    EXPECT_EQ(errorOf({{"program.ptg", graph}, {"program.safetensors", tensors}}), "");
    EXPECT_THAT(errorOf({{"program.safetensors", tensors}}), HasSubstr("program.ptg: expected this member"));
    const auto withAliases = [&](std::string_view json) {
        return errorOf({{"program.ptg", graph},
                        {"program.safetensors", tensors},
                        {"aliases.json", archive::textContent(json)}});
    };
    EXPECT_THAT(withAliases("[]"), HasSubstr("aliases.json: expected an object, got a list"));
    EXPECT_THAT(withAliases(R"({"a": "nothing"})"), HasSubstr("expected a stored tensor, got \"nothing\""));
    EXPECT_THAT(withAliases(R"({"calls": "head.bias"})"), HasSubstr("\"calls\", got both"));
    const auto withTensors = [&](std::string_view header) {
        std::string text(8, '\0');
        text[0] = static_cast<char>(header.size());
        return errorOf({{"program.ptg", graph},
                        {"program.safetensors", archive::textContent(text + std::string(header))}});
    };
    EXPECT_THAT(withTensors(R"({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})"),
                HasSubstr("w.data_offsets: expected a range inside the 0 bytes of data, got [0,8]"));
    EXPECT_THAT(withTensors(R"({"w": {"dtype": "F4", "shape": [2], "data_offsets": [0, 8]}})"),
                HasSubstr("unknown dtype \"F4\""));
    EXPECT_THAT(withTensors("{}    {}"), HasSubstr("program.safetensors"));
}

TEST(NativePackage, NamesConstantsWithoutValues) {
    PackageContent content = samples::nativeContent();
    Method& method = content.program.methods.front();
    method.mutableBuffers.push_back({.name = "b_freq", .key = "freq"});
    method.graph.tensors.emplace("b_freq", TensorMeta{.scalarType = 6, .sizes = {{1, 1}}});
    nodeOf(content, "aten_add_scalar").inputs.push_back({.name = "alpha", .value = TensorName{"b_freq"}});
    const auto package = parse(content);
    ASSERT_TRUE(package) << package.error().toString();
    const auto lost = lostConstants((*package)->program);
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost.front().buffer->key, "freq");
}

TEST(NativePackage, GraphHasCallsConstantsAndState) {
    const auto package = parse(samples::nativeContent()).value();
    const core::ModelGraph graph = modelGraph(package->program.methods.front(), package->finder());
    std::vector<std::string> kinds;
    std::ranges::transform(graph.nodes(), std::back_inserter(kinds), &core::GraphNode::kind);
    EXPECT_THAT(kinds, ElementsAre("aten.linear.default", "aten.relu.default", "aten.linear.default",
                                   "aten.add.Scalar"));
    const auto weight = std::ranges::find(graph.values(), "p_hidden_weight", &core::GraphValue::name);
    EXPECT_EQ(weight->role, core::GraphValue::Role::Constant);
    EXPECT_EQ(weight->data.size(), 256U);
    EXPECT_THAT(weight->attributes,
                testing::Contains(core::GraphAttribute{"quantization", "4-bit in groups of 16"}));
    const auto input = std::ranges::find(graph.values(), "x", &core::GraphValue::name);
    EXPECT_EQ(input->type, "float32 [1..4, 32]");
    const auto counter = std::ranges::find(graph.values(), "aten_add_scalar", &core::GraphValue::name);
    EXPECT_THAT(counter->attributes, testing::Contains(core::GraphAttribute{"writes", "calls"}));
}

TEST(NativePackage, DamagedBytesAreOneLine) {
    const PackageContent content = samples::nativeContent();
    const auto bytes = writePackage(content.program, content.tensors).value().joined();
    test::damageEveryByte(bytes, [](const std::vector<std::byte>& damaged) -> std::optional<core::Error> {
        auto package = parse(damaged);
        return package ? std::nullopt : std::optional(std::move(package).error());
    });
}

TEST(NativeGraph, DamagedBytesAreRefusedOrRead) {
    const auto bytes = writeGraph(samples::nativeContent().program).value();
    test::damageEveryByte(bytes, [](const std::vector<std::byte>& damaged) -> std::optional<core::Error> {
        auto program = parseProgram(damaged);
        return program ? std::nullopt : std::optional(std::move(program).error().in("test"));
    });
}

}  // namespace
}  // namespace et::native
