#include "tests/inspector/report_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace et::inspector::format {
namespace {

using simdjson::dom::element;
using test::parsed;
using test::rendered;
using test::sampleModel;

std::vector<std::byte> bytesOf(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// A float32 tensor at an offset of the debug buffer.
etdump::DebugValue tensor(std::vector<std::int64_t> sizes, std::int64_t offset, bool output = false) {
    etdump::DebugTensor value;
    value.scalarType = 6;
    value.sizes = std::move(sizes);
    value.offset = offset;
    return {.value = value, .programOutput = output};
}

TEST(EventsJson, HoldsEveryEventByBlock) {
    simdjson::dom::parser parser;
    const element document = parsed(parser, rendered(sampleModel(), {}, Format::Json));
    EXPECT_EQ(std::int64_t(document["schema"]), 1);
    EXPECT_EQ(std::string_view(document["source_time_scale"]), "ns");
    EXPECT_EQ(std::string_view(document["target_time_scale"]), "ms");
    const element execute = document["blocks"].at(1);
    EXPECT_EQ(std::string_view(execute["name"]), "Execute");
    EXPECT_EQ(std::string_view(execute["method"]), "forward");
    EXPECT_EQ(execute["runs"].get_array().size(), 2U);
    EXPECT_EQ(execute["events"].get_array().size(), 8U);  // OPERATOR_CALL too
    const element conv = execute["events"].at(0);
    EXPECT_EQ(std::string_view(conv["name"]), "native_call_convolution.out");
    EXPECT_DOUBLE_EQ(double(conv["avg"]), 0.0004);
    EXPECT_EQ(std::string_view(conv["op_types"].at(0)), "aten.convolution.default");
    EXPECT_EQ(std::int64_t(conv["debug_handles"]), 1);
    EXPECT_EQ(std::string_view(conv["handle_source"]), "instruction");
    EXPECT_EQ(std::string_view(conv["module_hierarchy"]["node_1"]["L__self__conv"].at(0)), "conv");
    EXPECT_TRUE(conv["delegate_debug_identifier"].is_null());
    EXPECT_EQ(std::uint64_t(conv["start_time"].at(1)), 20'015U);
    const element gemm = execute["events"].at(4);
    EXPECT_TRUE(bool(gemm["is_delegated_op"]));
    EXPECT_EQ(std::string_view(gemm["delegate_backend_name"]), "XnnpackBackend");
    EXPECT_EQ(std::string_view(gemm["handle_source"]), "unmapped_delegate");
}

TEST(EventsJson, SummarizesLoggedValues) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.debug("op", test::at(0), tensor({2, 2}, 0));
    writer.debug("op", test::at(0), {.value = std::int64_t{7}});
    writer.debug("op", test::at(0), tensor({100}, 0));
    writer.debug("op", test::at(0), tensor({-1}, 0));
    writer.debug("out", {.instruction = -1, .chain = -1}, tensor({1}, 16, true));
    const auto buffer =
        core::MappedFile::fromMemory(bytesOf({1, 2, -3, std::numeric_limits<float>::infinity(), 5}));
    simdjson::dom::parser parser;
    const auto blocks = test::join(test::traceOf(writer), nullptr, {}, buffer);
    const element block = parsed(parser, rendered(blocks, {}, Format::Json))["blocks"].at(0);
    const element data = block["events"].at(0)["debug_data"];
    EXPECT_EQ(std::string_view(data.at(0)["dtype"]), "float32");
    EXPECT_EQ(std::int64_t(data.at(0)["nonfinite"]), 1);
    EXPECT_EQ(double(data.at(0)["min"]), -3);
    EXPECT_EQ(double(data.at(0)["max"]), 2);
    EXPECT_EQ(double(data.at(0)["mean"]), 0);
    EXPECT_TRUE(data.at(0)["first"].at(3).is_null());
    EXPECT_EQ(std::int64_t(data.at(1)), 7);
    EXPECT_EQ(std::string_view(data.at(2)["error"]),
              "bytes 0 to 400 are outside the debug buffer of 20 bytes");
    EXPECT_EQ(std::string_view(data.at(3)["error"]), "its size in bytes is unknown");
    EXPECT_EQ(double(block["run_output"].at(0)["max"]), 5);
}

TEST(EventsJson, ListsDifferingValuesOfEveryRun) {
    etdump::TraceWriter writer;
    for (const std::int64_t value : {1, 2}) {
        writer.beginRun("Execute");
        writer.debug("op", test::at(0), {.value = value});
    }
    simdjson::dom::parser parser;
    const element event =
        parsed(parser, rendered(test::join(test::traceOf(writer)), {}, Format::Json))["blocks"]
            .at(0)["events"]
            .at(0);
    EXPECT_EQ(std::int64_t(event["debug_data"].at(0)), 1);
    EXPECT_EQ(std::int64_t(event["debug_data_by_run"].at(1).at(0)), 2);
}

TEST(EventsJson, NamesAllocators) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    const std::uint32_t planned = writer.addAllocator("planned");
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, 0, 10);
    writer.allocation(planned, 1024);
    writer.allocation(9, 1);
    simdjson::dom::parser parser;
    const auto blocks = test::join(test::traceOf(writer));
    const element list = parsed(parser, rendered(blocks, {}, Format::Json))["blocks"].at(0)["allocations"];
    EXPECT_EQ(std::string_view(list.at(0)["allocator"]), "planned");
    EXPECT_EQ(std::uint64_t(list.at(0)["bytes"]), 1024U);
    EXPECT_EQ(std::uint64_t(list.at(1)["allocator"]), 9U);
}

TEST(RowsJson, HoldsTheRowsThatWereAskedForByColumn) {
    simdjson::dom::parser parser;
    events::EventTableOptions options;
    options.sort = "avg";
    options.top = 1;
    options.columns = {"event_name", "p50"};
    const element document = parsed(parser, rendered(sampleModel(), options, Format::Json));
    EXPECT_EQ(std::int64_t(document["schema"]), 1);
    EXPECT_EQ(document["rows"].get_array().size(), 1U);
    EXPECT_EQ(std::string_view(document["rows"].at(0)["event_name"]), "Method::execute");
    EXPECT_DOUBLE_EQ(double(document["rows"].at(0)["p50"]), 0.0015);
    EXPECT_TRUE(document["module"].error() == simdjson::NO_SUCH_FIELD);
}

TEST(RowsJson, KeepsAModulesTotalApart) {
    simdjson::dom::parser parser;
    events::EventTableOptions options;
    options.module = "conv";
    const element document = parsed(parser, rendered(sampleModel(), options, Format::Json));
    EXPECT_EQ(document["rows"].get_array().size(), 1U);
    EXPECT_EQ(std::string_view(document["module"]["name"]), "conv");
    EXPECT_DOUBLE_EQ(double(document["module"]["avg"]), 0.0004);
    EXPECT_EQ(std::uint64_t(document["module"]["events"]), 1U);
}

}  // namespace
}  // namespace et::inspector::format
