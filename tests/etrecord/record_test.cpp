#include "etrecord/record.h"

#include "etrecord/writer.h"
#include "tests/etrecord/pickle_builder.h"
#include "tests/etrecord/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::etrecord {
namespace {

using core::DebugHandle;
using core::ErrorCode;
using core::InstructionId;
using test::ZipEntry;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

ExportedGraph graphNamed(std::string node) {
    ExportedGraph graph;
    Node only;
    only.name = std::move(node);
    only.target = "executorch.exir.dialects.edge.ops.aten.mm.default";
    only.debugHandles = {DebugHandle(1)};
    graph.nodes = {only};
    graph.dialect = "EDGE";
    return graph;
}

std::string graphJson() {
    return serializeExportedGraph(graphNamed("n"));
}

core::Result<std::shared_ptr<const Record>> parse(std::vector<ZipEntry> entries) {
    entries.insert(entries.begin(), ZipEntry{.name = "ETRECORD_V0"});
    return Record::parse(test::inMemory(test::buildZip(entries), "r.etrecord"));
}

std::string errorOf(std::vector<ZipEntry> entries) {
    const auto record = parse(std::move(entries));
    return record ? "" : record.error().toString();
}

const ZipEntry edge{.name = "edge_dialect_exported_program/forward", .content = graphJson()};

MethodMaps someMaps() {
    MethodMaps maps;
    maps.debugHandles[InstructionId(0)] = {.handles = {DebugHandle(7)}, .list = false};
    maps.debugHandles[InstructionId(2)] = {.handles = {DebugHandle(1), DebugHandle(1), DebugHandle(3)},
                                           .list = true};
    maps.delegates[InstructionId(2)] = {
        .backend = "DemoBackend",
        .identifiers = {{"0", {DebugHandle(1)}}, {"conv_relu", {DebugHandle(1), DebugHandle(3)}}}};
    maps.outputCounts[InstructionId(0)] = 2;
    return maps;
}

std::vector<std::byte> entryOf(const ExportedGraph& graph) {
    const std::string json = serializeExportedGraph(graph);
    const auto bytes = std::as_bytes(std::span(json));
    return {bytes.begin(), bytes.end()};
}

TEST(Record, RoundTrips) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", graphNamed("a"));
    writer.addEdgeGraph("encode", graphNamed("b"));
    writer.addArchive("exported_program", entryOf(graphNamed("whole")));
    writer.addArchive("before_pass/forward", entryOf(graphNamed("extra")));
    writer.setMaps("forward", someMaps());
    writer.setMaps("encode", {});
    writer.setExportGraphId(140'313'668'505'104);
    const auto bytes = writer.finish();
    ASSERT_TRUE(bytes) << bytes.error().toString();
    EXPECT_EQ(*bytes, *writer.finish()) << "the same record gives the same bytes";

    const auto parsed = Record::parse(core::MappedFile::fromMemory(*bytes, "sample"));
    ASSERT_TRUE(parsed) << parsed.error().toString();
    const Record& record = **parsed;
    EXPECT_EQ(record.layout(), RecordLayout::Current);
    EXPECT_THAT(record.methods(), ElementsAre("forward", "encode"));
    EXPECT_EQ(record.edgeGraph("encode")->nodes[0].name, "b");
    EXPECT_EQ(record.edgeGraph("stranger"), nullptr);
    EXPECT_EQ((*record.exportedProgram())->nodes[0].name, "whole");
    EXPECT_THAT(record.extraGraphNames(), ElementsAre("before_pass/forward"));
    EXPECT_EQ((*record.extraGraph("before_pass/forward"))->nodes[0].name, "extra");
    EXPECT_EQ(record.extraGraph("stranger/forward").error().code, ErrorCode::NotFound);
    ASSERT_NE(record.maps("forward"), nullptr);
    EXPECT_EQ(*record.maps("forward"), someMaps());
    ASSERT_NE(record.maps("encode"), nullptr);
    EXPECT_EQ(*record.maps("encode"), MethodMaps{});
    EXPECT_EQ(record.maps("stranger"), nullptr);
    EXPECT_TRUE(record.hasDelegateMap());
    EXPECT_EQ(record.exportGraphId(), 140'313'668'505'104);
    EXPECT_EQ(record.entries().size(), 9U);
    EXPECT_THAT(*record.listTensors(), IsEmpty());
}

TEST(Record, WriterRejectsInvalidRecords) {
    RecordWriter writer;
    EXPECT_THAT(writer.finish().error().toString(), HasSubstr("a record needs an Edge graph"));
    writer.addEdgeGraph("a/b", {});
    EXPECT_THAT(writer.finish().error().toString(), HasSubstr("\"a/b\" is not a valid method name"));
    RecordWriter twice;
    twice.addEdgeGraph("forward", {});
    twice.addEdgeGraph("forward", {});
    EXPECT_THAT(twice.finish().error().toString(),
                HasSubstr("two entries have the name \"edge_dialect_exported_program/forward\""));
}

TEST(Record, ReadsTheLayoutOf2023) {
    const auto record =
        parse({{.name = "aten_dialect_output/forward", .content = graphJson()},
               {.name = "edge_dialect_exported_program", .content = graphJson()},
               {.name = "debug_handle_map", .content = R"({"0": 2, "1": [3, 4]})"},
               {.name = "delegate_map", .content = R"({"1": {"name": "B", "delegate_map": {"5": [3]}}})"}});
    ASSERT_TRUE(record) << record.error().toString();
    EXPECT_EQ((*record)->layout(), RecordLayout::Legacy2023);
    EXPECT_THAT((*record)->methods(), ElementsAre("forward"));
    EXPECT_THAT((*record)->extraGraphNames(), ElementsAre("aten_dialect_output/forward"));
    EXPECT_EQ(*(*record)->exportedProgram(), nullptr);
    const MethodMaps* maps = (*record)->maps("forward");
    ASSERT_NE(maps, nullptr);
    EXPECT_FALSE(maps->debugHandles.at(InstructionId(0)).list);
    EXPECT_THAT(maps->debugHandles.at(InstructionId(1)).handles, ElementsAre(DebugHandle(3), DebugHandle(4)));
    EXPECT_THAT(maps->delegates.at(InstructionId(1)).identifiers,
                ElementsAre(Pair("5", ElementsAre(DebugHandle(3)))));
    EXPECT_FALSE((*record)->exportGraphId());
}

TEST(Record, MapsMayBeMissingOrNull) {
    const auto none = parse({edge});
    ASSERT_TRUE(none) << none.error().toString();
    EXPECT_EQ((*none)->maps("forward"), nullptr);
    EXPECT_FALSE((*none)->hasDelegateMap());
    const auto nulls = parse({edge,
                              {.name = "delegate_map", .content = "null"},
                              {.name = "debug_handle_map", .content = R"({"forward": null})"},
                              {.name = "export_graph_id", .content = "null"}});
    ASSERT_TRUE(nulls) << nulls.error().toString();
    EXPECT_FALSE((*nulls)->hasDelegateMap());
    EXPECT_NE((*nulls)->maps("forward"), nullptr);
    const auto inner = parse(
        {edge,
         {.name = "delegate_map", .content = R"({"forward": {"3": {"name": null, "delegate_map": null}}})"}});
    ASSERT_TRUE(inner) << inner.error().toString();
    EXPECT_EQ((*inner)->maps("forward")->delegates.at(InstructionId(3)), DelegateEntry{});
}

TEST(Record, MethodsMayBeCalledAsArchivesAre) {
    const auto record =
        parse({{.name = "edge_dialect_exported_program/get_constants", .content = graphJson()},
               {.name = "edge_dialect_exported_program/get_constants_constants", .content = ""}});
    ASSERT_TRUE(record) << record.error().toString();
    EXPECT_THAT((*record)->methods(), ElementsAre("get_constants"));
    EXPECT_THAT((*record)->archiveNames(),
                ElementsAre("edge_dialect_exported_program/get_constants_constants"));
}

TEST(Record, ErrorsNameFileAndEntry) {
    EXPECT_EQ(Record::parse(test::inMemory(test::buildZip({edge}), "r.etrecord")).error().toString(),
              "r.etrecord: not an ETRecord: the zip has no entry \"ETRECORD_V0\"");
    EXPECT_THAT(errorOf({}), HasSubstr("r.etrecord: the record has no Edge graph"));
    EXPECT_EQ(errorOf({{.name = "edge_dialect_exported_program/f", .content = "{"}})
                  .find("r.etrecord: edge_dialect_exported_program/f: invalid JSON"),
              0U);
    const std::pair<ZipEntry, const char*> maps[] = {
        {{.name = "debug_handle_map", .content = "[1]"},
         "r.etrecord: debug_handle_map: expected an object, got a list"},
        {{.name = "debug_handle_map", .content = R"({"forward": {"0": "x"}})"},
         "r.etrecord: debug_handle_map: forward.0: expected a 64-bit integer"},
        {{.name = "debug_handle_map", .content = R"({"forward": {"99999999999": 1}})"},
         "forward.99999999999: expected a member named after an instruction index"},
        {{.name = "debug_handle_map", .content = R"({"forward": {"0": [1, 2.5]}})"},
         "debug_handle_map: forward.0[1]: expected a 64-bit integer"},
        {{.name = "delegate_map", .content = R"({"forward": {"0": 4}})"},
         "delegate_map: forward.0: expected an object, got 4"},
        {{.name = "instruction_id_to_num_outs_map", .content = R"({"forward": {"0": []}})"},
         "instruction_id_to_num_outs_map: forward.0: expected a 64-bit integer"},
        {{.name = "export_graph_id", .content = "\"x\""}, "export_graph_id: expected a 64-bit integer"},
    };
    for (const auto& [entry, expected] : maps) {
        EXPECT_THAT(errorOf({edge, entry}), HasSubstr(expected));
    }
}

TEST(Record, UnusedGraphsMayBeDamaged) {
    const auto record = parse(
        {edge, {.name = "exported_program", .content = "{"}, {.name = "other/forward", .content = "[]"}});
    ASSERT_TRUE(record) << record.error().toString();
    for (int attempt = 0; attempt < 2; ++attempt) {
        EXPECT_EQ((*record)->exportedProgram().error().toString(),
                  "r.etrecord: exported_program: invalid JSON: a missing or unexpected comma, bracket or "
                  "key");
        EXPECT_EQ((*record)->extraGraph("other/forward").error().toString(),
                  "r.etrecord: other/forward: expected an object, got a list");
    }
}

TEST(Record, ListsTensorsOfAllArchives) {
    const std::string good = test::torchArchive(
        test::PickleBuilder().raw("}").text("w").tensor("FloatStorage", {2, 2}).raw("s").stop());
    const std::string bad = test::torchArchive(test::PickleBuilder().global("os", "system").raw(")R").stop());
    const auto record = parse({edge,
                               {.name = edge.name + "_state_dict", .content = good},
                               {.name = "reference_outputs", .content = bad}});
    ASSERT_TRUE(record) << record.error().toString();
    EXPECT_THAT((*record)->archiveNames(), ElementsAre(edge.name + "_state_dict", "reference_outputs"));
    const auto weights = (*record)->listTensors(edge.name + "_state_dict");
    ASSERT_TRUE(weights) << weights.error().toString();
    ASSERT_EQ(weights->size(), 1U);
    EXPECT_EQ(weights->front().archive, edge.name + "_state_dict");
    EXPECT_EQ(weights->front().name, "w");
    EXPECT_THAT(weights->front().sizes, ElementsAre(2, 2));
    EXPECT_EQ(weights->front().bytes, 16);
    EXPECT_EQ(
        (*record)->listTensors("reference_outputs").error().toString(),
        "r.etrecord: reference_outputs/archive/data.pkl: pickle, byte 14: refused to call \"os.system\"");
    EXPECT_EQ((*record)->listTensors().error().code, ErrorCode::Unsupported);
    EXPECT_EQ((*record)->listTensors("stranger").error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace et::etrecord
