// Tests of joining a trace alone: rows, blocks, durations, debug values.
#include "tests/inspector/join_support.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace et::test {
namespace {

using etdump::DebugTensor;
using etdump::DebugValue;
using etdump::TraceWriter;
using inspector::Block;
using inspector::Event;
using inspector::EventBlocks;
using inspector::JoinOptions;
using inspector::TimeScale;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Join, RunsWithTheSameEventsAreOneBlock) {
    TraceWriter writer;
    for (const std::uint64_t ticks : {3'000'000U, 1'000'000U}) {
        writer.beginRun("Execute");
        writeKernel(writer, 0, "native_call_add.out", 100, ticks);
        writeExecute(writer);
    }
    const Blocks joined = join(traceOf(writer));
    ASSERT_EQ(joined->blocks().size(), 1U);
    const Block& block = joined->blocks()[0];
    EXPECT_EQ(block.name, "Execute");
    EXPECT_THAT(block.runs, ElementsAre(0U, 1U));
    EXPECT_THAT(namesOf(block), ElementsAre("native_call_add.out", "OPERATOR_CALL", "Method::execute"));
    const Event& add = block.events[0];
    EXPECT_THAT(add.samples, ElementsAre(3.0, 1.0));
    EXPECT_THAT(add.startTicks, ElementsAre(100U, 100U));
    EXPECT_THAT(add.profileEvents, ElementsAre(0U, 3U));
    EXPECT_EQ(add.statistics.average, 2.0);
    EXPECT_EQ(add.instruction.value, 0);
    EXPECT_FALSE(add.delegated);
    EXPECT_THAT(joined->warnings(), IsEmpty());
}

TEST(Join, NameAndBundledInputKeepRunsApart) {
    TraceWriter writer;
    for (const auto& [name, input] :
         {std::pair("Execute", 0), std::pair("Execute", 1), std::pair("Other", 0)}) {
        writer.beginRun(name, input);
        writeExecute(writer);
    }
    const Blocks joined = join(traceOf(writer));
    ASSERT_EQ(joined->blocks().size(), 3U);
    EXPECT_EQ(joined->blocks()[1].bundledInputIndex, 1);
    EXPECT_EQ(joined->blocks()[2].name, "Other");
}

// Rows are in the order of instruction calls, so runs with differently ordered events can have the same rows.
TEST(Join, RowsFollowInstructionCalls) {
    TraceWriter writer;
    for (const bool mixed : {false, true}) {
        writer.beginRun("Execute");
        writer.profile("a", at(0), 0, 1);
        if (mixed) {
            writer.profile("c", at(1), 0, 3);
        }
        writer.profile("b", at(0), 0, 2);
        if (!mixed) {
            writer.profile("c", at(1), 0, 3);
        }
    }
    const Blocks joined = join(traceOf(writer), nullptr, {.target = TimeScale::Nanoseconds});
    ASSERT_EQ(joined->blocks().size(), 1U);
    EXPECT_THAT(namesOf(joined->blocks()[0]), ElementsAre("a", "b", "c"));
    EXPECT_THAT(joined->blocks()[0].events[1].samples, ElementsAre(2.0, 2.0));
    EXPECT_THAT(joined->blocks()[0].events[2].samples, ElementsAre(3.0, 3.0));
}

TEST(Join, OtherOrderOfCallsIsAnotherBlock) {
    TraceWriter writer;
    for (const int first : {0, 1}) {
        writer.beginRun("Execute");
        writer.profile("a", at(first), 0, 1);
        writer.profile("a", at(1 - first), 0, 1);
    }
    EXPECT_EQ(join(traceOf(writer))->blocks().size(), 2U);
}

TraceWriter& writeLoop(TraceWriter& writer) {
    writer.beginRun("Execute");
    for (const std::uint64_t ticks : {1U, 2U, 5U}) {
        writer.profile("loop", at(0), 0, ticks);
        writer.profile("JF_CALL", at(1), 0, 1);
    }
    writer.profile("end", at(2), 0, 7);
    return writer;
}

TEST(Join, LoopKeepsTheLastOccurrenceWithAWarning) {
    TraceWriter writer;
    const Blocks joined = join(traceOf(writeLoop(writer)), nullptr, {.target = TimeScale::Nanoseconds});
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(namesOf(block), ElementsAre("loop", "JF_CALL", "end"));
    EXPECT_THAT(block.events[0].samples, ElementsAre(5.0));
    EXPECT_EQ(block.events[0].droppedRepeats, 2U);
    EXPECT_EQ(block.events[2].droppedRepeats, 0U);
    EXPECT_THAT(joined->warnings(), ElementsAre(HasSubstr("4 events repeat within a run")));
}

TEST(Join, EveryRepeatCountsAllOccurrences) {
    TraceWriter writer;
    const Blocks joined =
        join(traceOf(writeLoop(writer)), nullptr, {.target = TimeScale::Nanoseconds, .everyRepeat = true});
    EXPECT_THAT(joined->blocks()[0].events[0].samples, ElementsAre(1.0, 2.0, 5.0));
    EXPECT_EQ(joined->blocks()[0].events[0].droppedRepeats, 0U);
    EXPECT_THAT(joined->warnings(), IsEmpty());
}

// The same instruction and name in another chain is the same row, at the position of the first one.
TEST(Join, ChainsShareRows) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("a", {.instruction = 0, .chain = 0}, 0, 1);
    writer.profile("b", {.instruction = 1, .chain = 0}, 0, 2);
    writer.profile("a", {.instruction = 0, .chain = 1}, 0, 3);
    const Blocks joined = join(traceOf(writer), nullptr, {.target = TimeScale::Nanoseconds});
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(namesOf(block), ElementsAre("a", "b"));
    EXPECT_THAT(block.events[0].samples, ElementsAre(3.0));
    EXPECT_EQ(block.events[0].chain, 1);
}

TEST(Join, DelegatedEventsAreNamedByTheirIdentifier) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("ignored", delegated(3, 17), 0, 1);
    writer.profile("", delegated(3, "conv #1"), 0, 1);
    writeDelegateCall(writer, 3);
    const Blocks joined = join(traceOf(writer));
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(namesOf(block), ElementsAre("17", "conv #1", "DELEGATE_CALL"));
    EXPECT_EQ(block.events[0].delegateInt, 17);
    EXPECT_FALSE(block.events[0].delegateString);
    EXPECT_EQ(block.events[1].delegateString, "conv #1");
    EXPECT_TRUE(block.events[1].delegated);
    EXPECT_FALSE(block.events[2].delegated);
}

// 0.3 - 0.1 is not 0.2 in double; the reference shows that result for delegated events.
TEST(Join, DelegatedTimesAreScaledBeforeTheyAreSubtracted) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("", delegated(0, "a"), 100'000, 300'000);
    writer.profile("kernel", at(1), 100'000, 300'000);
    const Blocks joined = join(traceOf(writer));
    EXPECT_EQ(joined->blocks()[0].events[0].samples[0], 0.3 - 0.1);
    EXPECT_EQ(joined->blocks()[0].events[1].samples[0], 0.2);
}

TEST(Join, ScalesTimes) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("a", at(0), 0, 1500);
    const auto trace = traceOf(writer);
    const auto sample = [&](TimeScale source, TimeScale target) {
        return join(trace, nullptr, {.clock = {.unit = source}, .target = target})
            ->blocks()[0]
            .events[0]
            .samples[0];
    };
    EXPECT_EQ(sample(TimeScale::Nanoseconds, TimeScale::Milliseconds), 0.0015);
    EXPECT_EQ(sample(TimeScale::Milliseconds, TimeScale::Seconds), 1.5);
    EXPECT_EQ(sample(TimeScale::Seconds, TimeScale::Microseconds), 1.5e9);
    EXPECT_EQ(sample(TimeScale::Cycles, TimeScale::Cycles), 1500);
}

TEST(Join, CyclesAreNoTime) {
    TraceWriter writer;
    const auto joined =
        EventBlocks::build(traceOf(writer), nullptr, nullptr,
                           {.clock = {.unit = TimeScale::Cycles}, .target = TimeScale::Milliseconds});
    ASSERT_FALSE(joined);
    EXPECT_EQ(joined.error().code, core::ErrorCode::InvalidArgument);
}

TEST(Join, WrappedClockIsExactOrAsTheReference) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("a", at(0), 0xFFFF'FFF0, 0x10);
    writer.profile("", delegated(0, "d"), 0xFFFF'FFF0, 0x10);
    const auto trace = traceOf(writer);
    const JoinOptions ours{.target = TimeScale::Nanoseconds};
    const JoinOptions theirs{.target = TimeScale::Nanoseconds, .referenceQuirks = true};
    for (const std::size_t row : {0U, 1U}) {
        EXPECT_EQ(join(trace, nullptr, ours)->blocks()[0].events[row].samples[0], 32.0);
        EXPECT_EQ(join(trace, nullptr, theirs)->blocks()[0].events[row].samples[0], 31.0);
    }
}

TEST(Join, WideClockMustNotRunBackwards) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("fine", at(0), 1, 2);
    writer.beginRun("Execute");
    writer.profile("fine", at(0), 1, 2);
    writer.profile("broken", at(1), 0x1'0000'0000, 1);
    const auto joined = EventBlocks::build(traceOf(writer));
    ASSERT_FALSE(joined);
    EXPECT_EQ(joined.error().code, core::ErrorCode::Format);
    EXPECT_THAT(joined.error().toString(),
                testing::AllOf(HasSubstr("test.etdp: run_data[1].events[1]"), HasSubstr("\"broken\"")));
}

TEST(Join, AllocationsAreKeptBesideTheRows) {
    TraceWriter writer;
    writer.beginRun("Execute");
    const std::uint32_t arena = writer.addAllocator("arena");
    writer.profile("a", at(0), 0, 1);
    writer.allocation(arena, 4096);
    const auto trace = traceOf(writer);
    const Blocks joined = join(trace);
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(namesOf(block), ElementsAre("a"));
    ASSERT_EQ(block.allocations.size(), 1U);
    EXPECT_EQ(trace->events().end[block.allocations[0]], 4096U);
}

DebugValue number(std::int64_t value) {
    return {.value = value};
}

/// Joins two runs in which the kernel logs `first` and then `second`.
Blocks joinDebug(const DebugValue& first, const DebugValue& second,
                 std::shared_ptr<const core::MappedFile> buffer = nullptr) {
    TraceWriter writer;
    for (const DebugValue* value : {&first, &second}) {
        writer.beginRun("Execute");
        writer.debug("", at(0), *value);
        writeKernel(writer, 0, "native_call_add.out");
    }
    return join(traceOf(writer), nullptr, {}, std::move(buffer));
}

TEST(JoinDebug, RowsOfOneCallShareItsValues) {
    const Blocks joined = joinDebug(number(7), number(7));
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(namesOf(block), ElementsAre("native_call_add.out", "OPERATOR_CALL"));
    for (const Event& event : block.events) {
        EXPECT_THAT(event.debugEvents, ElementsAre(0U, 3U));
        EXPECT_EQ(event.firstRunDebugEvents, 1U);
        EXPECT_FALSE(event.debugDiffers);
    }
    EXPECT_THAT(joined->warnings(), IsEmpty());
}

TEST(JoinDebug, ValuesThatDifferAreKeptAndFlagged) {
    const Blocks joined = joinDebug(number(7), number(8));
    EXPECT_TRUE(joined->blocks()[0].events[0].debugDiffers);
    EXPECT_THAT(joined->blocks()[0].events[0].debugEvents, ElementsAre(0U, 3U));
    EXPECT_THAT(joined->warnings(), ElementsAre(HasSubstr("\"native_call_add.out\" at instruction 0")));
}

TEST(JoinDebug, ComparesByBits) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(joinDebug({.value = nan}, {.value = nan})->blocks()[0].events[0].debugDiffers);
    EXPECT_TRUE(joinDebug({.value = 1.0}, {.value = -1.0})->blocks()[0].events[0].debugDiffers);
    EXPECT_TRUE(joinDebug({.value = true}, number(1))->blocks()[0].events[0].debugDiffers);
}

DebugValue floats(std::int64_t count, std::int64_t offset) {
    return {.value = DebugTensor{.scalarType = 6, .sizes = {count}, .strides = {1}, .offset = offset}};
}

std::shared_ptr<const core::MappedFile> bufferOf(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return core::MappedFile::fromMemory(std::move(bytes), "test.bin");
}

TEST(JoinDebug, TensorsAreComparedInTheBuffer) {
    const auto differs = [](const std::vector<float>& values) {
        return joinDebug(floats(2, 0), floats(2, 8), bufferOf(values))->blocks()[0].events[0].debugDiffers;
    };
    EXPECT_FALSE(differs({1, 2, 1, 2}));
    EXPECT_TRUE(differs({1, 2, 1, 3}));
    EXPECT_FALSE(joinDebug(floats(2, 0), floats(2, 8))->blocks()[0].events[0].debugDiffers);
    EXPECT_TRUE(joinDebug(floats(2, 0), floats(3, 8))->blocks()[0].events[0].debugDiffers);
}

TEST(JoinDebug, BufferThatIsTooShortIsNamed) {
    const Blocks joined = joinDebug(floats(2, 0), floats(2, 8), bufferOf({1, 2, 1}));
    EXPECT_FALSE(joined->blocks()[0].events[0].debugDiffers);
    EXPECT_THAT(joined->warnings(),
                ElementsAre(testing::AllOf(HasSubstr("test.bin"), HasSubstr("offset 8"))));
    for (const std::int64_t offset : {std::int64_t{-4}, std::numeric_limits<std::int64_t>::max()}) {
        EXPECT_THAT(joinDebug(floats(2, 0), floats(2, offset), bufferOf({1, 2, 1}))->warnings(),
                    testing::SizeIs(1));
    }
}

TEST(JoinDebug, EventWithoutProfileIsARowOfItsOwn) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.debug("logged", at(4), number(1));
    const Blocks joined = join(traceOf(writer));
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(namesOf(block), ElementsAre("logged"));
    EXPECT_THAT(block.events[0].samples, IsEmpty());
    EXPECT_THAT(block.events[0].debugEvents, ElementsAre(0U));
}

// A debug event's name takes precedence over that of the profile event, unless it is empty.
TEST(JoinDebug, NameOfTheDebugEventWins) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writer.debug("given", at(0), number(1));
    writer.debug("not asked", at(0), number(1));
    writer.profile("taken", at(0), 0, 1);
    EXPECT_THAT(namesOf(join(traceOf(writer))->blocks()[0]), ElementsAre("given"));
}

TEST(JoinDebug, ProgramOutputsBelongToTheBlock) {
    TraceWriter writer;
    for (const std::int64_t value : {1, 2}) {
        writer.beginRun("Execute");
        writeExecute(writer);
        writer.debug("", {.instruction = 0, .chain = -1}, {.value = value, .programOutput = true});
    }
    const Blocks joined = join(traceOf(writer));
    const Block& block = joined->blocks()[0];
    EXPECT_THAT(namesOf(block), ElementsAre("Method::execute"));
    EXPECT_THAT(block.events[0].debugEvents, IsEmpty());
    EXPECT_THAT(block.programOutputs, ElementsAre(1U, 3U));
    EXPECT_EQ(block.firstRunOutputs, 1U);
    EXPECT_TRUE(block.outputsDiffer);
    EXPECT_THAT(joined->warnings(), ElementsAre(HasSubstr("program outputs")));
}

// Two runs with the same rows, one with a second logged value: one block with lists of different lengths.
TEST(JoinDebug, RunsMayLogDifferentCounts) {
    TraceWriter writer;
    for (const int count : {1, 2}) {
        writer.beginRun("Execute");
        for (int i = 0; i < count; ++i) {
            writer.debug("", at(0), number(5));
        }
        writer.profile("a", at(0), 0, 1);
    }
    const Blocks joined = join(traceOf(writer));
    ASSERT_EQ(joined->blocks().size(), 1U);
    EXPECT_THAT(joined->blocks()[0].events[0].debugEvents, ElementsAre(0U, 2U, 3U));
    EXPECT_TRUE(joined->blocks()[0].events[0].debugDiffers);
}

// Rows that share their events in one run but not in the other could multiply them without limit.
TEST(JoinDebug, ListsThatMultiplyAreRefused) {
    constexpr int rows = 300;
    TraceWriter writer;
    for (const bool spread : {false, true}) {
        writer.beginRun("Execute");
        for (int row = 0; row < rows; ++row) {
            const etdump::EventIds ids{.instruction = 0, .chain = spread ? row : 0};
            writer.profile("row " + std::to_string(row), ids, 0, 1);
            writer.debug("d", ids, number(1));
        }
    }
    const auto joined = EventBlocks::build(traceOf(writer));
    ASSERT_FALSE(joined);
    EXPECT_EQ(joined.error().code, core::ErrorCode::Limit);
}

TEST(Join, ManyRunsOfOneKindStayOneBlock) {
    TraceWriter writer;
    for (int run = 0; run < 200; ++run) {
        writer.beginRun("Execute");
        writeKernel(writer, 0, run % 2 == 0 ? "native_call_add.out" : "native_call_mul.out");
    }
    const Blocks joined = join(traceOf(writer));
    ASSERT_EQ(joined->blocks().size(), 2U);
    EXPECT_EQ(joined->blocks()[0].runs.size(), 100U);
    EXPECT_EQ(joined->blocks()[1].runs[99], 199U);
}

}  // namespace
}  // namespace et::test
