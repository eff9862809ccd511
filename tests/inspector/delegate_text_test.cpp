// Tests of delegate descriptions, and of the debug handle map from its sources.
#include "inspector/delegates/delegate_text.h"

#include "inspector/delegates/handle_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace et::test {
namespace {

using core::DebugHandle;
using inspector::DelegateCallSite;
using inspector::DelegateReport;
using inspector::HandleMap;
using inspector::MapSource;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

core::Bytes bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST(DelegateText, SpecsAreTextWhereTheyCanBeRead) {
    const auto text = inspector::specText("DemoBackend", {.key = "fp16", .value = bytesOf("true")});
    EXPECT_TRUE(text.readable);
    EXPECT_EQ(text.text, "true");
    const auto raw =
        inspector::specText("DemoBackend", {.key = "n", .value = bytesOf(std::string_view("\1\0", 2))});
    EXPECT_FALSE(raw.readable);
    EXPECT_EQ(raw.text, "0100");
}

TEST(DelegateText, NeighboursAreARange) {
    EXPECT_EQ(inspector::rangesText(std::array<std::int64_t, 6>{1, 2, 3, 5, 7, 8}), "1-3, 5, 7-8");
    EXPECT_EQ(inspector::rangesText({}), "none");
}

TEST(DelegateText, HexDumpsHaveSixteenBytesALine) {
    EXPECT_EQ(inspector::hexDump(bytesOf("MP00\n"), 100),
              "00000000  4d 50 30 30 0a                                    MP00.\n");
    const std::string text = inspector::hexDump(bytesOf(std::string(40, 'x')), 32);
    EXPECT_THAT(text, HasSubstr("00000010  78"));
    EXPECT_THAT(text, EndsWith("xxxxxxxxxxxxxxxx\nand 8 more bytes\n"));
    EXPECT_EQ(inspector::hexDump({}, 16), "");
}

class HandleMapTest : public testing::Test {
  protected:
    HandleMapTest() {
        report.delegate = &delegate;
        call.handles = {DebugHandle(1), DebugHandle(2)};
    }
    [[nodiscard]] HandleMap map() const { return handleMap("forward", report, call, nullptr); }

    program::Delegate delegate{.backend = "DemoBackend", .payload = {}, .segment = {}, .compileSpecs = {}};
    DelegateReport report;
    DelegateCallSite call;
};

TEST_F(HandleMapTest, WithoutAnythingElseTheInstructionStandsForAll) {
    const HandleMap found = map();
    EXPECT_EQ(found.source, MapSource::Instruction);
    ASSERT_EQ(found.entries.size(), 1U);
    EXPECT_EQ(found.entries[0].id, "DemoBackend");
    EXPECT_THAT(found.entries[0].handles, ElementsAre(DebugHandle(1), DebugHandle(2)));
    call.handles.clear();
    EXPECT_TRUE(map().entries.empty());
}

TEST_F(HandleMapTest, PrefersNodesOfThePayload) {
    auto graph = std::make_shared<core::ModelGraph>();
    graph->addNode({.name = "0", .kind = "Conv2d", .debugHandles = {DebugHandle(1)}});
    graph->addNode({.name = "", .kind = "Clamp", .debugHandles = {}});
    report.graph = graph;
    const HandleMap found = map();
    EXPECT_EQ(found.source, MapSource::Payload);
    ASSERT_EQ(found.entries.size(), 2U);
    EXPECT_EQ(found.entries[0].id, "0 Conv2d");
    EXPECT_EQ(found.entries[1].id, "Clamp");
    EXPECT_EQ(found.entries[1].payloadNode, 1U);
}

TEST_F(HandleMapTest, PrefersTracedHandles) {
    etrecord::Node one;
    one.name = "one";
    call.nodes = {&one};
    call.operators.push_back(
        {.name = "Convolution #1", .time = 2.5, .handles = {DebugHandle(1)}, .nodes = {&one}});
    call.operators.push_back({.name = "Clamp #1", .time = 1, .handles = {DebugHandle(1)}, .nodes = {&one}});
    const HandleMap found = map();
    EXPECT_EQ(found.source, MapSource::Trace);
    ASSERT_EQ(found.entries.size(), 2U);
    EXPECT_EQ(found.entries[0].time, 2.5);
    const auto back = nodesToEntries(found, call);
    ASSERT_EQ(back.size(), 1U);
    EXPECT_EQ(back[0].node, &one);
    EXPECT_THAT(back[0].entries, ElementsAre(0U, 1U));
}

}  // namespace
}  // namespace et::test
