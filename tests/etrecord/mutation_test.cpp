// Tests that every truncation and every flipped byte of an ETRecord yields a record or a one-line error.
#include "etrecord/record.h"
#include "etrecord/writer.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <span>
#include <utility>

namespace et::etrecord {
namespace {

/// Reads everything that an ETRecord offers.
void touch(const Record& record) {
    for (const std::string& method : record.methods()) {
        for (const Node& node : record.edgeGraph(method)->nodes) {
            std::ignore = node.history();
        }
        std::ignore = record.maps(method);
    }
    std::ignore = record.exportedProgram();
    for (const std::string& name : record.extraGraphNames()) {
        std::ignore = record.extraGraph(name);
    }
    for (const std::string& archive : record.archiveNames()) {
        std::ignore = record.listTensors(archive);
    }
}

/// True if the bytes were read; an error must be one line that names the file.
bool survives(std::span<const std::byte> bytes) {
    const auto record = Record::parse(core::MappedFile::fromMemory({bytes.begin(), bytes.end()}, "mutant"));
    if (record) {
        touch(**record);
        return true;
    }
    const std::string line = record.error().toString();
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_EQ(line.rfind("mutant: ", 0), 0U) << line;
    return false;
}

/// Distance in bytes between mutations of a real ETRecord. Sanitizers are ten times slower, so they run a
/// quarter of them (fuzzing covers the rest).
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t everyByte = 4;
#else
constexpr std::size_t everyByte = 1;
#endif

/// Truncates at, and flips, every `step`-th byte.
void mutate(std::vector<std::byte> bytes, std::size_t step) {
    ASSERT_TRUE(survives(bytes));
    std::size_t read = 0;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        EXPECT_FALSE(survives(std::span(bytes).first(at))) << "cut at " << at;
        const std::byte original = std::exchange(bytes[at], bytes[at] ^ std::byte{0xFF});
        read += survives(bytes) ? 1 : 0;
        bytes[at] = original;
    }
    EXPECT_GT(read, 0U) << "a checksum does not cover every byte of a zip";
}

TEST(RecordMutation, EveryByteOfASmallRecord) {
    ExportedGraph graph;
    Node node;
    node.name = "n";
    node.target = "executorch.exir.dialects.edge.ops.aten.mm.default";
    node.inputs = {{.name = "self", .kind = "as_tensor", .value = ValueRef{"x"}}};
    node.debugHandles = {core::DebugHandle(1)};
    node.metadata = {
        {"from_node", serializeHistory(std::vector<NodeSource>{
                          {.name = "m", .target = "t", .pass = "p", .action = "create", .graphId = 1}})}};
    graph.nodes = {node};
    RecordWriter writer;
    writer.addEdgeGraph("forward", graph);
    writer.setMaps("forward", {});
    const auto bytes = writer.finish();
    ASSERT_TRUE(bytes);
    mutate(*bytes, 1);
}

TEST(RecordMutation, EveryByteOfTheRecordOf2023) {
    ET_NEEDS_SHARED_DATA();
    mutate(test::readBytes(test::sharedData() / "legacy/etrecord_2023.bin"), everyByte);
}

TEST(RecordMutation, EveryByteOfARealRecord) {
    ET_NEEDS_SHARED_DATA();
    mutate(test::readBytes(test::sharedData() / "programs/list_io/identity.etrecord"), everyByte);
}

TEST(RecordMutation, SomeBytesOfALargerRealRecord) {
    ET_NEEDS_SHARED_DATA();
    mutate(test::readBytes(test::sharedData() / "programs/delegate_map/two_backends.etrecord"), 61);
}

}  // namespace
}  // namespace et::etrecord
