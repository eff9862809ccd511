// Tests that our ETRecords have exactly the members of real ones: ExecuTorch builds its dataclasses from them
// and rejects any other.
#include "app/samples/net_record.h"
#include "app/samples/nets/nets.h"
#include "runtime/archive/zip.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace et::samples {
namespace {

using Json = simdjson::dom::element;
using Keys = std::set<std::string, std::less<>>;

/// Members of each object by its path; list items are "[]", map values "*".
using KeysByPath = std::map<std::string, Keys, std::less<>>;

/// Objects whose members are named by the model, not by the format.
const Keys mapMembers{"tensor_values",     "sym_int_values", "sym_bool_values",  "sym_float_values",
                      "custom_obj_values", "opset_version",  "range_constraints"};

/// Members that a reader requires of an exported program, as ExecuTorch 1.5 writes it.
const KeysByPath expectedKeys{
    {"", {"graph_module", "opset_version", "range_constraints", "schema_version", "dialect", "verifiers"}},
    {".schema_version", {"major", "minor"}},
    {".graph_module", {"graph", "signature", "module_call_graph"}},
    {".graph_module.graph",
     {"inputs", "outputs", "nodes", "tensor_values", "sym_int_values", "sym_bool_values",
      "is_single_tensor_return", "custom_obj_values"}},
    {".graph_module.graph.tensor_values.*",
     {"dtype", "sizes", "requires_grad", "device", "strides", "storage_offset", "layout"}},
    {".graph_module.graph.tensor_values.*.device", {"type"}},
    {".graph_module.graph.nodes[]", {"name", "target", "inputs", "outputs", "metadata"}},
    {".graph_module.graph.nodes[].inputs[]", {"name", "arg"}},
    {".graph_module.module_call_graph[].signature", {"inputs", "outputs", "in_spec", "out_spec"}},
    {".graph_module.signature", {"input_specs", "output_specs"}},
    {".graph_module.signature.input_specs[].parameter", {"arg", "parameter_name"}},
    {".graph_module.signature.input_specs[].buffer", {"arg", "buffer_name", "persistent"}},
    {".graph_module.signature.input_specs[].user_input", {"arg"}},
    {".graph_module.signature.output_specs[].user_output", {"arg"}},
};

/// Members of a record next to its archives; those of the exported program are optional.
const Keys requiredEntries{"ETRECORD_V0",
                           "edge_dialect_exported_program/forward",
                           "debug_handle_map",
                           "delegate_map",
                           "export_graph_id",
                           "edge_dialect_exported_program/forward_state_dict",
                           "instruction_id_to_num_outs_map"};

void collect(const Json& json, const std::string& path, KeysByPath& keys) {
    if (json.is_array()) {
        for (const Json& each : json.get_array()) {
            collect(each, path + "[]", keys);
        }
    } else if (json.is_object()) {
        const bool isMap = mapMembers.contains(std::string_view(path).substr(path.rfind('.') + 1));
        for (const auto& [key, value] : json.get_object()) {
            if (!isMap) {
                keys[path].emplace(key);
            }
            collect(value, path + (isMap ? ".*" : "." + std::string(key)), keys);
        }
    }
}

struct RecordKeys {
    Keys entries;
    KeysByPath edge;
};

RecordKeys keysOf(std::shared_ptr<const core::MappedFile> file) {
    const auto zip = archive::ZipArchive::open(std::move(file)).value();
    RecordKeys keys;
    for (const auto& entry : zip.entries()) {
        keys.entries.insert(entry.name);
    }
    const auto content = zip.read(*zip.find("edge_dialect_exported_program/forward")).value();
    const auto bytes = content.bytes();
    // Numbers that Python writes but JSON does not support.
    const simdjson::padded_string text(
        std::regex_replace(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                           std::regex("-?Infinity|NaN"), "0"));
    simdjson::dom::parser parser;
    collect(parser.parse(text).value(), "", keys.edge);
    return keys;
}

RecordKeys sampleKeys(const Net& net) {
    return keysOf(core::MappedFile::fromMemory(makeRecord(net).value(), "sample"));
}

void expectTheKeys(const RecordKeys& keys) {
    for (const auto& [path, names] : expectedKeys) {
        const auto found = keys.edge.find(path);
        if (found != keys.edge.end()) {
            EXPECT_EQ(found->second, names) << path;
        }
    }
    EXPECT_TRUE(std::ranges::includes(keys.entries, requiredEntries)) << testing::PrintToString(keys.entries);
}

TEST(RecordKeys, OfSamplesAreThoseOfTheFormat) {
    for (const Net& net : {addMulNet(), convNet(), mobileNetV2({.width = 0.35, .size = 96, .classes = 10})}) {
        const RecordKeys keys = sampleKeys(net);
        expectTheKeys(keys);
        EXPECT_THAT(keys.edge,
                    testing::Contains(testing::Key(".graph_module.module_call_graph[].signature")));
        EXPECT_THAT(keys.edge.at(".graph_module.graph.nodes[].metadata"),
                    testing::IsSupersetOf(
                        {"stack_trace", "nn_module_stack", "torch_fn", "debug_handle", "from_node"}));
    }
}

/// The list above matches real records, and samples have no other members.
TEST(RecordKeys, OfSamplesAreThoseOfRealRecords) {
    ET_NEEDS_SHARED_DATA();
    RecordKeys real;
    std::size_t records = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(test::sharedData() / "programs")) {
        const auto mapped = file.path().extension() == ".etrecord"
                                ? core::MappedFile::open(file.path()).value()
                                : std::shared_ptr<const core::MappedFile>();
        const auto zip =
            mapped == nullptr ? std::nullopt : std::optional(archive::ZipArchive::open(mapped).value());
        if (!zip || zip->find("edge_dialect_exported_program/forward") == nullptr) {
            continue;
        }
        ++records;
        RecordKeys keys = keysOf(mapped);
        expectTheKeys(keys);
        real.entries.merge(keys.entries);
        for (auto& [path, names] : keys.edge) {
            real.edge[path].merge(names);
        }
    }
    EXPECT_GT(records, 100U);
    const RecordKeys ours = sampleKeys(convNet());
    EXPECT_TRUE(std::ranges::includes(real.entries, ours.entries)) << testing::PrintToString(ours.entries);
    for (const auto& [path, names] : ours.edge) {
        ASSERT_TRUE(real.edge.contains(path)) << path;
        EXPECT_TRUE(std::ranges::includes(real.edge[path], names)) << path;
    }
}

}  // namespace
}  // namespace et::samples
