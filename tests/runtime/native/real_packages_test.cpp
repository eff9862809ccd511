// Real packages (.ptn), compared with what the reference's own readers report.
#include "runtime/archive/zip.h"
#include "runtime/native/package.h"
#include "runtime/native/quantized.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::native {
namespace {

using simdjson::dom::element;
using testing::HasSubstr;

class RealPackages : public testing::Test {
  protected:
    static std::filesystem::path folder(std::string_view name) { return test::sharedData() / name; }

    element load(const std::filesystem::path& path) { return parser.load(path.string()).value(); }

    simdjson::dom::parser parser;
};

std::string text(element json) {
    return std::string(std::string_view(json));
}

std::vector<std::string> texts(element json) {
    std::vector<std::string> all;
    for (const element each : json.get_array()) {
        all.push_back(text(each));
    }
    return all;
}

void expectSizes(const TensorMeta& meta, element json) {
    ASSERT_EQ(meta.sizes.size(), json.get_array().size());
    std::size_t i = 0;
    for (const element range : json.get_array()) {
        EXPECT_EQ(meta.sizes[i].minimum, std::int64_t(range.at(0)));
        EXPECT_EQ(meta.sizes[i].maximum, std::int64_t(range.at(1)));
        ++i;
    }
}

void expectGraph(const Graph& graph, element json);

void expectSubgraphs(const Graph& graph, element json) {
    std::map<std::string, const Graph*> found;
    for (const Node& node : graph.nodes) {
        for (const Argument& argument : node.inputs) {
            if (const auto* subgraph = std::get_if<Subgraph>(&argument.value)) {
                found.emplace(subgraph->name, subgraph->graph.get());
            }
        }
    }
    for (const auto& [name, expected] : json.get_object()) {
        ASSERT_TRUE(found.contains(std::string(name))) << name;
        expectGraph(*found.at(std::string(name)), expected);
    }
}

void expectGraph(const Graph& graph, element json) {
    std::vector<std::string> order;
    std::map<std::string, std::int64_t> targets;
    for (const Node& node : graph.nodes) {
        order.push_back(node.name);
        if (node.kind == Node::Kind::Call) {
            ++targets[node.target];
        }
    }
    EXPECT_EQ(order, texts(json["order"]));
    for (const auto& [target, count] : json["targets"].get_object()) {
        EXPECT_EQ(targets[std::string(target)], std::int64_t(count)) << target;
    }
    EXPECT_EQ(graph.inputs, texts(json["inputs"]));
    EXPECT_EQ(graph.outputs, texts(json["outputs"]));
    EXPECT_EQ(graph.tensors.size(), std::uint64_t(json["tensor_values"]));
    for (const auto& [name, meta] : json["input_meta"].get_object()) {
        expectSizes(graph.tensors.at(std::string(name)), meta["sizes"]);
    }
    if (element subgraphs; json["subgraphs"].get(subgraphs) == simdjson::SUCCESS) {
        expectSubgraphs(graph, subgraphs);
    }
}

void expectMethod(const Method& method, element json) {
    EXPECT_EQ(method.name, text(json["name"]));
    expectGraph(method.graph, json["graph"]);
    std::size_t i = 0;
    for (const element expected : json["constants"].get_array()) {
        const Constant& constant = method.constants.at(i++);
        EXPECT_EQ(constant.name, text(expected["name"]));
        EXPECT_EQ(constant.key, text(expected["data_key"]));
        EXPECT_EQ(constant.isMutable, bool(expected["mutated"]));
        expectSizes(constant.meta, expected["sizes"]);
        EXPECT_EQ(constant.meta.isQuantized(), expected["quant"].error() == simdjson::SUCCESS);
    }
    EXPECT_EQ(method.constants.size(), i);
    i = 0;
    for (const element expected : json["mutable_buffers"].get_array()) {
        EXPECT_EQ(method.mutableBuffers.at(i).name, text(expected["name"]));
        EXPECT_EQ(method.mutableBuffers.at(i++).key, text(expected["fqn"]));
    }
    EXPECT_EQ(method.mutableBuffers.size(), i);
    EXPECT_EQ(method.outputSpecs.size(), json["output_specs"].get_array().size());
}

TEST_F(RealPackages, AreAsTheirExporterReports) {
    ET_NEEDS_SHARED_DATA();
    std::size_t count = 0;
    for (const auto& [name, facts] : load(folder("ptn") / "facts.json").get_object()) {
        SCOPED_TRACE(name);
        const auto opened = Package::open(folder("ptn") / name);
        ASSERT_TRUE(opened) << opened.error().toString();
        const Package& package = **opened;
        ++count;
        std::size_t i = 0;
        for (const element member : facts["members"].get_array()) {
            EXPECT_EQ(package.members.at(i).name, text(member["name"]));
            EXPECT_EQ(package.members.at(i).bytes, std::uint64_t(member["bytes"]));
            EXPECT_EQ(package.members.at(i++).offset, std::uint64_t(member["data_offset"]));
        }
        i = 0;
        for (const element method : facts["methods"].get_array()) {
            expectMethod(package.program.methods.at(i++), method);
        }
        EXPECT_EQ(package.program.methods.size(), i);
        if (element aliases; facts["aliases"].get(aliases) == simdjson::SUCCESS && aliases.is_object()) {
            EXPECT_EQ(package.aliases.size(), aliases.get_object().size());
        }
    }
    EXPECT_GT(count, 20U);
}

/// The data of an array in a .npz, after its header.
std::vector<std::byte> arrayData(const archive::ZipArchive& npz, const std::string& name) {
    const auto* const entry = npz.find(name + ".npy");
    if (entry == nullptr) {
        return {};
    }
    constexpr std::size_t lengthAt = 8;
    const archive::ZipContent content = npz.read(*entry).value();
    std::uint16_t header = 0;
    std::memcpy(&header, content.bytes().data() + lengthAt, sizeof header);
    const core::Bytes data = content.bytes().subspan(lengthAt + sizeof header + header);
    return {data.begin(), data.end()};
}

TEST_F(RealPackages, QuantizedWeightsAreEqualToTheBit) {
    ET_NEEDS_SHARED_DATA();
    std::size_t count = 0;
    for (const auto& path : test::sharedFiles("ptn", ".ptn")) {
        std::filesystem::path weights = path;
        weights.replace_extension(".weights.npz");
        if (!std::filesystem::exists(weights)) {
            continue;
        }
        const auto npz = archive::ZipArchive::open(core::MappedFile::open(weights).value()).value();
        const auto package = Package::open(path).value();
        for (const Constant& constant : package->program.methods.front().constants) {
            if (!constant.meta.isQuantized()) {
                continue;
            }
            SCOPED_TRACE(fmt::format("{}: {}", path.string(), constant.key));
            const auto values =
                dequantize(constant.meta, package->find(constant.key)->data, package->finder());
            ASSERT_TRUE(values) << values.error().toString();
            EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(*values)), arrayData(npz, constant.key)));
            ++count;
        }
    }
    EXPECT_GE(count, 5U);
}

TEST_F(RealPackages, CodecsWithoutLayoutAreNamed) {
    ET_NEEDS_SHARED_DATA();
    const auto package = Package::open(folder("ptn") / "quant_mxfp4_opaque.ptn").value();
    const Constant& constant = package->program.methods.front().constants.front();
    const auto stored = package->find(constant.key);
    EXPECT_EQ(stored->data.size(), 8704U);
    const auto values = dequantize(constant.meta, stored->data, package->finder());
    ASSERT_FALSE(values);
    EXPECT_THAT(values.error().message, HasSubstr("codec \"mxfp4\" has no public layout"));
    EXPECT_FALSE(canDequantize(constant.meta.quantization));
}

TEST_F(RealPackages, LostConstantsAreFound) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& path : test::sharedFiles("ptn", ".ptn")) {
        const auto package = Package::open(path).value();
        const auto lost = lostConstants(package->program);
        EXPECT_EQ(lost.size(), path.filename() == "lost_constant.ptn" ? 1U : 0U) << path;
    }
}

TEST_F(RealPackages, DamagedOnesAreRefusedByName) {
    ET_NEEDS_SHARED_DATA();
    std::size_t count = 0;
    for (const element entry : load(folder("broken_new") / "manifest.json").get_array()) {
        const std::string name = text(entry["file"]);
        const std::string verdict = text(entry["verdict"]);
        if (!name.ends_with(".ptn") || name == "unknown_operator.ptn") {
            continue;  // an operator that nobody knows can be described
        }
        SCOPED_TRACE(name);
        const auto package = Package::open(folder("broken_new") / name);
        ++count;
        if (verdict == "any") {
            continue;
        }
        ASSERT_FALSE(package);
        const std::string line = package.error().toString();
        EXPECT_THAT(line, HasSubstr(name));
        EXPECT_EQ(line.find('\n'), std::string::npos);
        if (element expected; entry["message_names"].get(expected) == simdjson::SUCCESS) {
            EXPECT_THAT(line, HasSubstr(text(expected)));
        }
    }
    EXPECT_GE(count, 15U);
    EXPECT_TRUE(Package::open(folder("broken_new") / "deflated.ptn"));
    EXPECT_TRUE(Package::open(folder("broken_new") / "unknown_operator.ptn"));
}

}  // namespace
}  // namespace et::native
