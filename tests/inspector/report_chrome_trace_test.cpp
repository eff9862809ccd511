#include "inspector/events/chrome_trace.h"
#include "tests/inspector/trace_export_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace et::inspector::events {
namespace {

using simdjson::dom::element;
using test::exported;
using test::findSlice;
using test::parsed;

TEST(ChromeTrace, ShowsEveryEventOnceAndNested) {
    test::checkExport(*test::sampleModel());
    test::checkExport(*test::sampleTrace());
}

TEST(ChromeTrace, PutsOperatorsOfDelegatesOnATrackOfTheirOwn) {
    simdjson::dom::parser parser;
    const element document = parsed(parser, exported(*test::sampleModel()));
    const element run = findSlice(document, "Execute (run 1)");
    const element call = findSlice(document, "DELEGATE_CALL");
    const element gemm = findSlice(document, "Fully Connected (NC, F32) GEMM #2");
    EXPECT_EQ(std::int64_t(run["tid"]), std::int64_t(call["tid"]));
    EXPECT_NE(std::int64_t(gemm["tid"]), std::int64_t(call["tid"]));
    EXPECT_DOUBLE_EQ(double(run["ts"]), 9.0);  // 10,000 ns minus the 1,000 at which the trace begins
    EXPECT_DOUBLE_EQ(double(run["dur"]), 1.0);
    EXPECT_TRUE(bool(gemm["args"]["synthetic_start"]));
    EXPECT_EQ(std::string_view(gemm["args"]["backend"]), "XnnpackBackend");
    const element conv = findSlice(document, "native_call_convolution.out");
    EXPECT_EQ(std::string_view(conv["args"]["op_types"].at(0)), "aten.convolution.default");
    EXPECT_EQ(std::string_view(conv["args"]["source"].at(0)), "/src/model.py:7");
    EXPECT_EQ(std::int64_t(conv["args"]["debug_handles"].at(0)), 1);
}

TEST(ChromeTrace, PutsOperatorsOnAnotherClockInsideTheirDelegateCall) {
    constexpr std::uint64_t host = 358395625;
    constexpr std::uint64_t gpu = 2081488974948084;
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("", test::delegated(0, "conv"), gpu, gpu + 30);
    writer.profile("", test::delegated(0, "relu"), gpu + 40, gpu + 90);
    writer.profile("DELEGATE_CALL", test::at(0), host + 10, host + 110);
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, host, host + 120);
    const auto blocks = test::join(test::traceOf(writer));
    test::checkExport(*blocks);
    simdjson::dom::parser parser;
    const element document = parsed(parser, exported(*blocks));
    const auto startOf = [&](const char* name) { return double(findSlice(document, name)["ts"]); };
    const auto endOf = [&](const char* name) {
        return startOf(name) + double(findSlice(document, name)["dur"]);
    };
    for (const char* const name : {"conv", "relu"}) {
        EXPECT_GE(startOf(name), startOf("DELEGATE_CALL")) << name;
        EXPECT_LE(endOf(name), endOf("DELEGATE_CALL") + 1e-6) << name;
    }
    EXPECT_LT(endOf("Method::execute"), 1) << "µs, not the distance between the clocks";
}

TEST(ChromeTrace, DrawsSlicesThatCrossAsynchronously) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("a", test::at(0), 0, 100);
    writer.profile("b", test::at(1), 50, 150);
    writer.profile("c", test::at(2), 60, 70);
    const auto blocks = test::join(test::traceOf(writer));
    test::checkExport(*blocks);
    simdjson::dom::parser parser;
    EXPECT_EQ(std::string_view(findSlice(parsed(parser, exported(*blocks)), "b")["ph"]), "b");
}

TEST(ChromeTrace, GivesRunsThatOverlapTracksOfTheirOwn) {
    etdump::TraceWriter writer;
    for (int run = 0; run < 200; ++run) {
        writer.beginRun("Execute");
        writer.profile("Method::execute", {.instruction = 0, .chain = -1}, 100, 200);
    }
    test::checkExport(*test::join(test::traceOf(writer)));
}

TEST(ChromeTrace, UndoesTheWrapOfAShortClock) {
    constexpr std::uint64_t wrap = std::uint64_t{1} << 32U;
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("before", test::at(0), wrap - 900, wrap - 800);
    writer.profile("across", test::at(1), wrap - 500, 500);
    writer.profile("after", test::at(2), 600, 700);
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, wrap - 1000, 1000);
    const auto blocks = test::join(test::traceOf(writer));
    test::checkExport(*blocks);
    simdjson::dom::parser parser;
    const element document = parsed(parser, exported(*blocks));
    const double start = double(findSlice(document, "Method::execute")["ts"]);
    EXPECT_DOUBLE_EQ(double(findSlice(document, "Method::execute")["dur"]), 2.0);
    EXPECT_NEAR(double(findSlice(document, "across")["ts"]) - start, 0.5, 1e-6);
    EXPECT_NEAR(double(findSlice(document, "across")["dur"]), 1.0, 1e-6);
    EXPECT_NEAR(double(findSlice(document, "after")["ts"]) - start, 1.6, 1e-6);
}

TEST(ChromeTrace, WritesCyclesAsMicrosecondsWithANote) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, 1000, 1250);
    JoinOptions cycles;
    cycles.clock.unit = cycles.target = TimeScale::Cycles;
    simdjson::dom::parser parser;
    const element document = parsed(parser, exported(*test::join(test::traceOf(writer), nullptr, cycles)));
    EXPECT_DOUBLE_EQ(double(findSlice(document, "Method::execute")["dur"]), 250);
    EXPECT_THAT(test::textOf(document["otherData"]["unit"]), testing::HasSubstr("cycle"));
}

TEST(ChromeTrace, CountsAllocations) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    const std::uint32_t planned = writer.addAllocator("planned");
    writer.allocation(planned, 100);
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, 1000, 2000);
    writer.allocation(planned, 28);
    const auto blocks = test::join(test::traceOf(writer));
    test::checkExport(*blocks);
    const std::string text = exported(*blocks);
    EXPECT_THAT(text,
                testing::HasSubstr("\"allocated by planned\", \"ts\": 1.0, \"args\": {\"bytes\": 128.0}"));
}

TEST(ChromeTrace, ReportsAStreamThatFails) {
    std::ostringstream stream;
    stream.setstate(std::ios::badbit);
    const auto written = writeChromeTrace(*test::sampleTrace(), stream);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, core::ErrorCode::Io);
}

}  // namespace
}  // namespace et::inspector::events
