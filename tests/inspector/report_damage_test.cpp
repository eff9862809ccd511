// Tests that every output of a damaged trace that could be read and joined is complete.
#include "inspector/events/chrome_trace.h"
#include "tests/inspector/report_support.h"
#include "tests/support/damage.h"

#include <gtest/gtest.h>

#include <optional>
#include <sstream>

namespace et::inspector::events {
namespace {

/// A small trace with every kind of event.
std::vector<std::byte> smallTrace() {
    etdump::DebugTensor tensor;
    tensor.scalarType = 6;
    tensor.sizes = {2, 2};
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    const std::uint32_t planned = writer.addAllocator("planned");
    test::writeKernel(writer, 0, "native_call_add.out");
    writer.profile("", test::delegated(1, "Add #1"), 10, 20);
    writer.debug("add", test::at(0), {.value = tensor});
    writer.allocation(planned, 64);
    test::writeExecute(writer);
    return writer.finish().value();
}

void printEverything(const EventBlocks& blocks) {
    for (const format::Format format : {format::Format::Table, format::Format::Tsv, format::Format::Csv,
                                        format::Format::Json, format::Format::Markdown}) {
        EventTableOptions options;
        EXPECT_TRUE(simdjson::validate_utf8(renderEvents(blocks, options, format).value()));
        options.columns = {"all"};
        options.filter = "add";
        EXPECT_TRUE(simdjson::validate_utf8(renderEvents(blocks, options, format, {.width = 50}).value()));
    }
    simdjson::dom::parser parser;
    EXPECT_EQ(parser.parse(renderEvents(blocks, {}, format::Format::Json).value()).error(),
              simdjson::SUCCESS);
    for (const GroupBy by : {GroupBy::Op, GroupBy::Module, GroupBy::Delegate, GroupBy::Block}) {
        EventTableOptions options;
        options.groupBy = by;
        EXPECT_TRUE(renderEvents(blocks, options, format::Format::Json));
    }
    std::ostringstream stream;
    EXPECT_TRUE(writeChromeTrace(blocks, stream));
    EXPECT_EQ(parser.parse(stream.str()).error(), simdjson::SUCCESS);
}

TEST(ReportOfDamagedTraces, IsComplete) {
    const auto buffer = core::MappedFile::fromMemory(std::vector<std::byte>(16));
    std::size_t printed = 0;
    const auto read = [&](const std::vector<std::byte>& bytes) -> std::optional<core::Error> {
        const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(bytes, "test"));
        if (!trace) {
            return trace.error();
        }
        if (const auto blocks = EventBlocks::build(*trace, nullptr, buffer)) {
            printEverything(**blocks);
            ++printed;
        }
        return std::nullopt;
    };
    test::damageEveryByte(smallTrace(), read);
    EXPECT_GT(printed, 100U);
}

}  // namespace
}  // namespace et::inspector::events
