// Tests of reading traces: made-up files, field by field.
#include "etdump/trace.h"

#include "tests/etdump/example_traces.h"
#include "tests/support/generated_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace et::etdump {
namespace {

using core::ErrorCode;
using testing::ElementsAre;
using testing::HasSubstr;

core::Result<std::shared_ptr<const Trace>> parse(test::FileBytes bytes) {
    return Trace::parse(core::MappedFile::fromMemory(std::move(bytes), "x.etdp"));
}

/// Returns the events of a trace as text, one per row: kind name instruction/chain delegate start-end.
std::vector<std::string> describe(const Trace& trace) {
    static constexpr std::array kinds{"profile", "debug", "allocation"};
    const EventColumns& events = trace.events();
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        const auto text = [&](NameId id) {
            return id == noName ? "-" : "'" + std::string(trace.text(id)) + "'";
        };
        rows.push_back(std::string(kinds[static_cast<std::size_t>(events.kind[i])]) + " " +
                       text(events.name[i]) + " " + std::to_string(events.instruction[i]) + "/" +
                       std::to_string(events.chain[i]) + " " + std::to_string(events.delegateInt[i]) + " " +
                       text(events.delegateString[i]) + " " + std::to_string(events.start[i]) + "-" +
                       std::to_string(events.end[i]));
    }
    return rows;
}

TEST(Trace, KeepsEveryKindOfEvent) {
    const auto trace = parse(test::everyKindOfEvent());
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_THAT(
        describe(**trace),
        ElementsAre("allocation - -1/-1 -1 - 2-1099511627776", "allocation - -1/-1 -1 - 1-16",
                    "profile 'Method::init' 0/-1 -1 '' 10-20", "profile '' 2/0 -1 'conv #1' 5-6",
                    "profile '' 2/0 7 '' 6-18446744073709551615", "debug 'native_call_x.out' 4/0 -1 '' 0-0",
                    "debug 'native_call_x.out' 4/0 -1 '' 1-0", "debug 'native_call_x.out' 4/0 -1 '' 2-0",
                    "debug 'native_call_x.out' 4/0 -1 '' 3-0", "debug 'native_call_x.out' 4/0 -1 '' 4-0",
                    "debug 'native_call_x.out' 4/0 -1 '' 5-0", "debug 'native_call_x.out' 4/0 -1 '' 6-0",
                    "debug 'native_call_x.out' 4/0 -1 '' 7-0", "debug '' -1/-1 -1 'conv #1' 8-0"));
}

TEST(Trace, KeepsRunsAndAllocators) {
    const auto trace = parse(test::everyKindOfEvent()).value();
    ASSERT_EQ(trace->runs().size(), 2U);
    const auto& first = trace->runs()[0];
    EXPECT_EQ(trace->text(first.name), "Default");
    EXPECT_EQ(first.bundledInputIndex, -1);
    EXPECT_EQ(first.firstEvent, 0U);
    EXPECT_EQ(first.eventCount, 3U);
    EXPECT_EQ(trace->text(first.allocatorName(1)), "arena");
    EXPECT_EQ(trace->text(first.allocatorName(2)), "scratch");
    EXPECT_EQ(first.allocatorName(0), noName);
    EXPECT_EQ(first.allocatorName(3), noName);
    const auto& second = trace->runs()[1];
    EXPECT_EQ(second.bundledInputIndex, 3);
    EXPECT_EQ(second.firstEvent, 3U);
    EXPECT_EQ(second.eventCount, 11U);
    EXPECT_TRUE(second.hasEvents);
    EXPECT_TRUE(second.allocators.empty());
}

TEST(Trace, KeepsEveryKindOfDebugValue) {
    const auto trace = parse(test::everyKindOfEvent()).value();
    const auto value = [&](EventIndex index) -> const DebugValue& { return trace->debugValue(5 + index); };
    EXPECT_TRUE(std::holds_alternative<std::monostate>(value(0).value));
    EXPECT_EQ(std::get<std::int64_t>(value(1).value), -5);
    EXPECT_EQ(std::get<bool>(value(2).value), true);
    EXPECT_EQ(std::get<float>(value(3).value), 0.25F);
    EXPECT_EQ(std::get<double>(value(4).value), -1e300);
    EXPECT_EQ(std::get<std::string_view>(value(5).value), "text");
    const auto& tensor = std::get<DebugTensor>(value(6).value);
    EXPECT_EQ(tensor.scalarType, 6);
    EXPECT_THAT(tensor.sizes, ElementsAre(2, 3));
    EXPECT_THAT(tensor.strides, ElementsAre(3, 1));
    EXPECT_EQ(tensor.offset, 64);
    EXPECT_FALSE(value(6).programOutput);
    const auto& list = std::get<std::vector<DebugTensor>>(value(7).value);
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[1].offset, -1);
    EXPECT_TRUE(value(7).programOutput);
    EXPECT_TRUE(value(8).programOutput);
}

TEST(Trace, KeepsDelegateMetadata) {
    const auto trace = parse(test::everyKindOfEvent()).value();
    EXPECT_THAT(trace->metadata(3), ElementsAre(std::byte{1}, std::byte{0}, std::byte{255}));
    EXPECT_TRUE(trace->metadata(2).empty());
    EXPECT_TRUE(trace->metadata(4).empty());
}

TEST(Trace, ReadsThePlainLayoutAndDistinguishesMissingFromEmpty) {
    const auto trace = parse(test::plainWithMissingFields());
    ASSERT_TRUE(trace) << trace.error().toString();
    ASSERT_EQ((*trace)->runs().size(), 2U);
    EXPECT_EQ((*trace)->runs()[0].name, noName);
    EXPECT_FALSE((*trace)->runs()[0].hasEvents);
    EXPECT_NE((*trace)->runs()[1].name, noName);
    EXPECT_EQ((*trace)->text((*trace)->runs()[1].name), "");
    EXPECT_THAT(
        describe(**trace),
        ElementsAre("profile - -1/0 -1 - 0-0", "profile '' -1/0 -1 - 0-0", "debug - 1/-1 -1 - 0-0",
                    "debug - 1/-1 -1 - 1-0", "debug - 1/-1 -1 - 2-0", "debug - 1/-1 -1 - 3-0",
                    // The event without content has no row; the one with all three kinds has three.
                    "profile '' 5/0 -1 - 0-0", "debug - 6/0 -1 - 4-0", "allocation - -1/-1 -1 - 1-42"));
}

TEST(Trace, MissingAndUnknownValuesAreNoValue) {
    const auto trace = parse(test::plainWithMissingFields()).value();
    for (const EventIndex event : {2U, 3U, 4U, 7U}) {
        EXPECT_TRUE(std::holds_alternative<std::monostate>(trace->debugValue(event).value)) << event;
    }
    EXPECT_EQ(std::get<DebugTensor>(trace->debugValue(5).value).scalarType, 99);
}

TEST(Trace, ReadsSizesThatAreNotAligned) {
    const auto trace = parse(test::misalignedSizes());
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_THAT(std::get<DebugTensor>((*trace)->debugValue(0).value).sizes, ElementsAre(1));
    EXPECT_THAT(std::get<DebugTensor>((*trace)->debugValue(1).value).sizes, ElementsAre(0));
}

TEST(Trace, AnEqualNameHasAnEqualId) {
    const auto trace = parse(test::makeTrace(3, 100)).value();
    const std::vector<NameId>& names = trace->events().name;
    EXPECT_EQ(trace->eventCount(), 300U);
    EXPECT_EQ(names[0], names[100]);
    EXPECT_EQ(names[1], names[3]);  // OPERATOR_CALL
    EXPECT_NE(names[0], names[1]);
    EXPECT_EQ(trace->text(names[99]), "Method::execute");
    // 7 kernels, 4 delegated, "", OPERATOR_CALL, DELEGATE_CALL, Method::execute, Execute
    EXPECT_EQ(trace->nameCount(), 16U);
}

TEST(Trace, ReadsMoreTablesThanTheVerifierAllowsByDefault) {
    constexpr std::size_t events = 600'000;  // two tables each; the default is 1,000,000
    const test::GeneratedTraceFile file(1, events);
    const auto trace = Trace::open(file.path());
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_EQ((*trace)->eventCount(), events);
    EXPECT_EQ((*trace)->text((*trace)->events().name.back()), "Method::execute");
}

TEST(Trace, RejectsOtherFiles) {
    EXPECT_THAT(parse({}).error().toString(), HasSubstr("x.etdp: expected an ETDump, got an empty file"));
    EXPECT_EQ(Trace::open("/nowhere/x.etdp").error().code, ErrorCode::Io);
    test::FileBytes noise(64, std::byte{'?'});
    EXPECT_EQ(
        parse(noise).error().toString(),
        "x.etdp: identifier at offset 8: expected \"ED00\" here (or at offset 4 of a plain flatbuffer), got "
        "\"????\" (and \"????\")");
}

TEST(Trace, NamesThePlaceOfTheDamage) {
    test::FileBytes cut = test::everyKindOfEvent();
    cut.resize(cut.size() - 1);
    EXPECT_THAT(parse(cut).error().toString(),
                HasSubstr("x.etdp: size prefix at offset 0: expected at most the "));

    test::FileBytes lost = test::everyKindOfEvent();
    lost[7] = std::byte{0x7F};  // the root offset's highest byte
    EXPECT_THAT(parse(lost).error().toString(), HasSubstr("x.etdp: root offset at offset 4: expected "));
}

TEST(Trace, IgnoresBytesAfterASizePrefixedFlatbuffer) {
    test::FileBytes bytes = test::everyKindOfEvent();
    bytes.resize(bytes.size() + 4096);
    const auto trace = parse(bytes);
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_EQ((*trace)->eventCount(), 14U);
}

TEST(Trace, RefusesAFileThatNamesMoreThanItHolds) {
    EXPECT_EQ(parse(test::overlappingNames()).error().code, ErrorCode::Limit);
    EXPECT_EQ(parse(test::sharedHugeTensor()).error().code, ErrorCode::Limit);
    EXPECT_EQ(parse(test::sharedRuns()).error().code, ErrorCode::Limit);
}

TEST(ElapsedTicks, CountsThroughTheWrapOfA32BitClock) {
    constexpr std::uint64_t wrap = 1ULL << 32;
    EXPECT_EQ(elapsedTicks(5, 5), 0U);
    EXPECT_EQ(elapsedTicks(5, 7), 2U);
    EXPECT_EQ(elapsedTicks(wrap - 1, 0), 1U);
    EXPECT_EQ(elapsedTicks(wrap - 10, 5), 15U);
    EXPECT_EQ(elapsedTicks(1, 0), wrap - 1);
    EXPECT_EQ(elapsedTicks(0, ~0ULL), ~0ULL);
    EXPECT_EQ(elapsedTicks(wrap, 0), std::nullopt);
    EXPECT_EQ(elapsedTicks(wrap + 5, wrap), std::nullopt);
}

}  // namespace
}  // namespace et::etdump
