// Tests of delegate metadata of events: as text, as hexadecimal bytes, and with a plugin's decoder.

#include "etdump/writer.h"
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include <array>
#include <fstream>
#include <string>

namespace et::test {
namespace {

namespace dom = simdjson::dom;
using testing::HasSubstr;

/// Builds a trace of a delegate with two events: one with the counter 258 as metadata, one with a text.
std::vector<std::byte> traceWithMetadata() {
    constexpr std::array counter{std::byte{2}, std::byte{1}, std::byte{0}, std::byte{0}};
    constexpr std::string_view text = "tile 3\n";
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("", {.instruction = 0, .chain = 0, .delegateString = "conv"}, 10, 20, counter);
    writer.profile("", {.instruction = 0, .chain = 0, .delegateString = "pool"}, 20, 30,
                   std::as_bytes(std::span(text)));
    writer.profile("DELEGATE_CALL", {.instruction = 0, .chain = 0}, 10, 30);
    return writer.finish().value();
}

class MetadataProcessTest : public testing::Test {
  protected:
    MetadataProcessTest() {
        const std::vector<std::byte> trace = traceWithMetadata();
        std::ofstream(scratch.path() / "npu.etdp", std::ios::binary)
            .write(reinterpret_cast<const char*>(trace.data()), static_cast<std::streamsize>(trace.size()));
    }
    Outcome run(const std::string& command) const {
        return runShell(command, {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }

    ScratchFolder scratch;
};

TEST_F(MetadataProcessTest, AreTextAndHexadecimalNumbers) {
    const Outcome table =
        run("et-inspect npu.etdp --tsv --columns event_name,delegate_metadata,delegate_metadata_hex,"
            "delegate_metadata_decoded");
    ASSERT_EQ(table.code, 0) << table.err;
    EXPECT_THAT(table.out, HasSubstr(R"(\\x02\\x01\\x00\\x00)"));
    EXPECT_THAT(table.out, HasSubstr("['02 01 00 00']"));
    EXPECT_THAT(table.out, HasSubstr("74 69 6c 65 20 33 0a"));
    EXPECT_THAT(table.out, testing::Not(HasSubstr("cycles")));
}

TEST_F(MetadataProcessTest, ADecoderOfAPluginReadsThem) {
    const Outcome json = run("et-inspect npu.etdp --format json --plugin " ET_DECODER_PLUGIN);
    ASSERT_EQ(json.code, 0) << json.err;
    dom::parser parser;
    const simdjson::padded_string text(json.out);
    const dom::element events = parser.parse(text)["blocks"].at(0)["events"];
    std::string decoded;
    std::size_t unread = 0;
    for (const dom::element event : events) {
        const dom::element field = event["delegate_metadata_decoded"];
        if (field.is_null()) {
            ++unread;
        } else {
            decoded += field.at(0).get_string().value();
        }
    }
    EXPECT_EQ(decoded, "conv: 258 cycles");
    EXPECT_EQ(unread, 2U) << "the text, and the call itself";
}

TEST_F(MetadataProcessTest, ReportsInvalidPlugin) {
    const Outcome table = run("et-inspect npu.etdp --plugin npu.etdp");
    EXPECT_EQ(table.code, 3);
    EXPECT_THAT(table.err, HasSubstr("npu.etdp"));
}

}  // namespace
}  // namespace et::test
