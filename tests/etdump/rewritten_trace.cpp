#include "tests/etdump/rewritten_trace.h"

#include "etdump/writer.h"

#include <gtest/gtest.h>

namespace et::test {
namespace {

using etdump::EventColumns;
using etdump::EventIndex;
using etdump::EventKind;
using etdump::Trace;

void writeEvent(etdump::TraceWriter& writer, const Trace& trace, EventIndex event) {
    const EventColumns& events = trace.events();
    const etdump::EventIds ids{.instruction = events.instruction[event],
                               .chain = static_cast<std::int32_t>(events.chain[event]),
                               .delegateInt = events.delegateInt[event],
                               .delegateString = trace.text(events.delegateString[event])};
    const std::string_view name = trace.text(events.name[event]);
    switch (events.kind[event]) {
        case EventKind::Profile:
            return writer.profile(name, ids, events.start[event], events.end[event], trace.metadata(event));
        case EventKind::Debug:
            return writer.debug(name, ids, trace.debugValue(event));
        case EventKind::Allocation:
            return writer.allocation(static_cast<std::uint32_t>(events.start[event]), events.end[event]);
    }
}

void expectEqualTensors(const etdump::DebugTensor& expected, const etdump::DebugTensor& actual) {
    EXPECT_EQ(expected.scalarType, actual.scalarType);
    EXPECT_EQ(expected.sizes, actual.sizes);
    EXPECT_EQ(expected.strides, actual.strides);
    EXPECT_EQ(expected.offset, actual.offset);
}

void expectEqualValues(const etdump::DebugValue& expected, const etdump::DebugValue& actual) {
    EXPECT_EQ(expected.programOutput, actual.programOutput);
    ASSERT_EQ(expected.value.index(), actual.value.index());
    const auto compare = [&]<class T>(const T& value) {
        const T& other = std::get<T>(actual.value);
        if constexpr (std::is_same_v<T, etdump::DebugTensor>) {
            expectEqualTensors(value, other);
        } else if constexpr (std::is_same_v<T, std::vector<etdump::DebugTensor>>) {
            ASSERT_EQ(value.size(), other.size());
            for (std::size_t i = 0; i < value.size(); ++i) {
                expectEqualTensors(value[i], other[i]);
            }
        } else {
            EXPECT_EQ(value, other);
        }
    };
    std::visit(compare, expected.value);
}

void expectEqualRuns(const Trace& expected, const Trace& actual) {
    ASSERT_EQ(expected.runs().size(), actual.runs().size());
    for (std::size_t i = 0; i < expected.runs().size(); ++i) {
        const etdump::Run& a = expected.runs()[i];
        const etdump::Run& b = actual.runs()[i];
        EXPECT_EQ(expected.text(a.name), actual.text(b.name));
        EXPECT_EQ(a.bundledInputIndex, b.bundledInputIndex);
        EXPECT_EQ(a.firstEvent, b.firstEvent);
        EXPECT_EQ(a.eventCount, b.eventCount);
        EXPECT_EQ(a.allocators.size(), b.allocators.size());
    }
}

}  // namespace

std::vector<std::byte> rewrite(const Trace& trace) {
    etdump::TraceWriter writer;
    for (const etdump::Run& run : trace.runs()) {
        writer.beginRun(trace.text(run.name), run.bundledInputIndex);
        for (const etdump::NameId allocator : run.allocators) {
            writer.addAllocator(trace.text(allocator));
        }
        for (EventIndex event = run.firstEvent; event < run.firstEvent + run.eventCount; ++event) {
            writeEvent(writer, trace, event);
        }
    }
    return writer.finish().value();
}

void expectEqualTraces(const Trace& expected, const Trace& actual) {
    expectEqualRuns(expected, actual);
    const EventColumns& a = expected.events();
    const EventColumns& b = actual.events();
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.instruction, b.instruction);
    EXPECT_EQ(a.chain, b.chain);
    EXPECT_EQ(a.delegateInt, b.delegateInt);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.end, b.end);
    ASSERT_EQ(expected.eventCount(), actual.eventCount());
    for (EventIndex event = 0; event < expected.eventCount(); ++event) {
        EXPECT_EQ(expected.text(a.name[event]), actual.text(b.name[event]));
        EXPECT_EQ(expected.text(a.delegateString[event]), actual.text(b.delegateString[event]));
        EXPECT_TRUE(std::ranges::equal(expected.metadata(event), actual.metadata(event)));
        if (a.kind[event] == EventKind::Debug) {
            expectEqualValues(expected.debugValue(event), actual.debugValue(event));
        }
    }
}

}  // namespace et::test
