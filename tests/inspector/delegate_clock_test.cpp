// Tests of delegates with a clock of their own: their events are moved into their calls, units are converted.
#include "inspector/format/trace_clock.h"
#include "inspector/session/session.h"
#include "runtime/core/event_names.h"
#include "tests/inspector/join_support.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// First reading of the host's and of the delegate's clock in a tutorial on Vulkan.
constexpr std::uint64_t host = 358395625;
constexpr std::uint64_t gpu = 2081488974948084;

struct Inner {
    std::string_view name;
    std::uint64_t start;  ///< from the start of the run, in ticks of the delegate
    std::uint64_t ticks;
};

/// A run of one delegate call of 100 ticks, which starts at `start`.
void writeRun(etdump::TraceWriter& writer, std::uint64_t start, std::uint64_t delegateClock,
              std::initializer_list<Inner> inside) {
    writer.beginRun("Execute");
    for (const Inner& each : inside) {
        writer.profile("", test::delegated(0, each.name), delegateClock + each.start,
                       delegateClock + each.start + each.ticks);
    }
    writer.profile(core::event_name::delegateCall, test::at(0), start + 10, start + 110);
    writer.profile(core::event_name::methodExecute, {}, start, start + 120);
}

/// Start and end of the profile events with this delegate identifier.
std::vector<std::pair<std::uint64_t, std::uint64_t>> timesOf(const EventBlocks& blocks,
                                                             std::string_view identifier) {
    const etdump::EventColumns& events = blocks.trace().events();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> times;
    for (std::size_t i = 0; i < events.kind.size(); ++i) {
        if (blocks.trace().text(events.delegateString[i]) == identifier) {
            times.emplace_back(events.start[i], events.end[i]);
        }
    }
    return times;
}

TEST(DelegateClock, MovesEventsIntoTheirCallByOneOffsetPerRun) {
    etdump::TraceWriter writer;
    writeRun(writer, host, gpu, {{"conv", 0, 30}, {"relu", 40, 50}});
    writeRun(writer, host + 1000, gpu + 77777, {{"conv", 0, 30}, {"relu", 40, 50}});
    const test::Blocks blocks = test::join(test::traceOf(writer));
    ASSERT_NE(blocks, nullptr);
    // The events span 90 of the 100 ticks of the call: the offset is known to 5 ticks.
    EXPECT_THAT(timesOf(*blocks, "conv"),
                ElementsAre(std::pair(host + 15, host + 45), std::pair(host + 1015, host + 1045)));
    EXPECT_THAT(timesOf(*blocks, "relu"),
                ElementsAre(std::pair(host + 55, host + 105), std::pair(host + 1055, host + 1105)));
    EXPECT_THAT(blocks->warnings(),
                ElementsAre("delegates: the operators inside have a clock of their own: aligned "
                            "with their delegate calls, ± 0.005 µs"));
    EXPECT_NEAR(test::eventNamed(blocks->blocks()[0], "conv").statistics.p50, 30e-6, 1e-12)
        << "in ms, unchanged";
}

TEST(DelegateClock, MovesEventsCallByCallWhereNoOffsetFits) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("", test::delegated(0, "conv"), gpu, gpu + 80);
    writer.profile(core::event_name::delegateCall, test::at(0), host, host + 100);
    writer.profile("", test::delegated(1, "relu"), gpu + 5000, gpu + 5050);
    writer.profile(core::event_name::delegateCall, test::at(1), host + 200, host + 300);
    const test::Blocks blocks = test::join(test::traceOf(writer));
    ASSERT_NE(blocks, nullptr);
    EXPECT_THAT(timesOf(*blocks, "conv"), ElementsAre(std::pair(host + 10, host + 90)));
    EXPECT_THAT(timesOf(*blocks, "relu"), ElementsAre(std::pair(host + 225, host + 275)));
    EXPECT_THAT(blocks->warnings(), ElementsAre(HasSubstr("in 1 of 1 runs call by call")));
}

TEST(DelegateClock, LeavesEventsOfTheSameClockAlone) {
    etdump::TraceWriter writer;
    writeRun(writer, host, host, {{"conv", 10, 30}, {"relu", 45, 50}});
    const test::Trace trace = test::traceOf(writer);
    const test::Blocks blocks = test::join(trace);
    ASSERT_NE(blocks, nullptr);
    EXPECT_EQ(&blocks->trace(), trace.get());
    EXPECT_THAT(blocks->warnings(), IsEmpty());
}

TEST(DelegateClock, LeavesTimesToTheReference) {
    etdump::TraceWriter writer;
    writeRun(writer, host, gpu, {{"conv", 0, 30}});
    const test::Trace trace = test::traceOf(writer);
    const test::Blocks blocks = test::join(trace, nullptr, {.referenceQuirks = true});
    ASSERT_NE(blocks, nullptr);
    EXPECT_EQ(&blocks->trace(), trace.get());
}

/// Joins a run whose delegate measures `ticks` of its clock for 40 ticks of the trace's.
test::Blocks joinScaled(std::string_view scale, std::uint64_t ticks) {
    etdump::TraceWriter writer;
    writeRun(writer, host, gpu, {{"conv", 0, ticks}, {"relu", ticks, ticks}});
    JoinOptions options;
    if (!scale.empty()) {
        options.clock.delegates.push_back(parseDelegateTimeScale(scale).value());
    }
    return test::join(test::traceOf(writer), nullptr, options);
}

TEST(DelegateClock, ConvertsTheUnitsOfDelegates) {
    const std::pair<std::string_view, std::uint64_t> units[] = {{"800MHz", 32}, {"0.8GHz", 32}, {"2.5", 16}};
    for (const auto& [unit, ticks] : units) {
        SCOPED_TRACE(unit);
        const test::Blocks blocks = joinScaled(unit, ticks);
        ASSERT_NE(blocks, nullptr);
        EXPECT_THAT(timesOf(*blocks, "conv"), ElementsAre(std::pair(host + 20, host + 60)));
        EXPECT_THAT(timesOf(*blocks, "relu"), ElementsAre(std::pair(host + 60, host + 100)));
        EXPECT_THAT(blocks->warnings(), ElementsAre(HasSubstr("a clock of their own")));
    }
}

TEST(DelegateClock, EstimatesAnUnknownFrequencyFromTheCalls) {
    const test::Blocks blocks = joinScaled("cycles", 1000);
    ASSERT_NE(blocks, nullptr);
    EXPECT_THAT(timesOf(*blocks, "conv"), ElementsAre(std::pair(host + 10, host + 60)));
    EXPECT_THAT(timesOf(*blocks, "relu"), ElementsAre(std::pair(host + 60, host + 110)));
    EXPECT_THAT(blocks->warnings(), Contains(HasSubstr("the clock's frequency is unknown")));
}

TEST(DelegateClock, ProposesTheUnitThatFits) {
    const test::Blocks cycles = joinScaled("", 1000);  // 2000 cycles in a call of 100 ns
    ASSERT_NE(cycles, nullptr);
    EXPECT_THAT(cycles->warnings(), Contains(HasSubstr("--delegate-time-scale 2e+04MHz would")));
    const test::Blocks wrong = joinScaled("us", 40);
    ASSERT_NE(wrong, nullptr);
    EXPECT_THAT(wrong->warnings(), Contains(HasSubstr("take 800 times as long as their delegate calls")));
    EXPECT_THAT(wrong->warnings(), Contains(HasSubstr("--delegate-time-scale ns would")));
}

TEST(DelegateClock, UsesTheScaleOfTheBackend) {
    etdump::TraceWriter writer;
    writeRun(writer, host, gpu, {{"conv", 0, 16}});
    etrecord::RecordWriter record;
    etrecord::MethodMaps maps;
    maps.debugHandles[core::InstructionId(0)] = {.handles = {core::DebugHandle(1)}, .list = true};
    maps.delegates[core::InstructionId(0)] = {.backend = "VulkanBackend", .identifiers = {}};
    record.addEdgeGraph("forward", test::edgeGraph({"aten.add.Tensor"}));
    record.setMaps("forward", maps);
    JoinOptions options;
    options.clock.delegates = parseDelegateTimeScales("cycles,VulkanBackend=2.5").value();
    const test::Blocks blocks = test::join(test::traceOf(writer), test::recordOf(record), options);
    ASSERT_NE(blocks, nullptr);
    EXPECT_THAT(timesOf(*blocks, "conv"), ElementsAre(std::pair(host + 40, host + 80)));
    EXPECT_THAT(blocks->warnings(), Contains(HasSubstr("VulkanBackend: the operators inside have a clock")));
}

TEST(DelegateClock, ReadsAndWritesUnits) {
    for (const std::string_view text :
         {"ns", "us", "ms", "s", "cycles", "800MHz", "2.5", "VulkanBackend=us"}) {
        const auto scale = parseDelegateTimeScale(text);
        ASSERT_TRUE(scale) << scale.error().message;
        EXPECT_EQ(delegateTimeScaleText(*scale), text);
    }
    EXPECT_EQ(parseDelegateTimeScale("1.2GHz").value(), parseDelegateTimeScale("1200MHz").value());
    for (const std::string_view text : {"", "0", "-1", "nan", "inf", "MHz", "0MHz", "1kHz", "A="}) {
        EXPECT_FALSE(parseDelegateTimeScale(text)) << text;
    }
}

/// The real trace with its delegate events on a clock of their own.
test::Trace withDelegateClock(const etdump::Trace& trace) {
    const etdump::EventColumns& events = trace.events();
    std::vector<std::uint64_t> start = events.start;
    std::vector<std::uint64_t> end = events.end;
    const std::uint64_t first = *std::ranges::min_element(start);
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (events.kind[i] == etdump::EventKind::Profile &&
            (events.delegateInt[i] != -1 || !trace.text(events.delegateString[i]).empty())) {
            start[i] += gpu - first;
            end[i] += gpu - first;
        }
    }
    return trace.withTimes(std::move(start), std::move(end));
}

TEST(DelegateClock, KeepsAllEventsOfARealTraceInTheirCalls) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "traces/mobilenet_v2_small_xnnpack";
    const auto original = etdump::Trace::open(folder / "trace.etdp").value();
    const test::Blocks blocks = test::join(withDelegateClock(*original));
    ASSERT_NE(blocks, nullptr);
    EXPECT_THAT(blocks->warnings(), Contains(HasSubstr("a clock of their own")));
    const etdump::EventColumns& events = blocks->trace().events();
    std::size_t inside = 0;
    std::map<std::int32_t, std::vector<std::size_t>> open;
    for (std::size_t i = 0; i < events.kind.size(); ++i) {
        if (blocks->trace().text(events.name[i]) == core::event_name::delegateCall) {
            for (const std::size_t inner : std::exchange(open[events.instruction[i]], {})) {
                EXPECT_GE(events.start[inner], events.start[i]);
                EXPECT_LE(events.end[inner], events.end[i]);
                EXPECT_EQ(events.end[inner] - events.start[inner],
                          original->events().end[inner] - original->events().start[inner]);
                ++inside;
            }
        } else if (events.delegateInt[i] != -1 || !blocks->trace().text(events.delegateString[i]).empty()) {
            open[events.instruction[i]].push_back(i);
        }
    }
    EXPECT_GT(inside, 100U);
}

TEST(DelegateClock, WarnsOfNoRealTrace) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& entry : std::filesystem::directory_iterator(test::sharedData() / "traces")) {
        if (!exists(entry.path() / "trace.etdp")) {
            continue;
        }
        const test::Blocks blocks = test::join(etdump::Trace::open(entry.path() / "trace.etdp").value());
        ASSERT_NE(blocks, nullptr);
        for (const std::string& warning : blocks->warnings()) {
            EXPECT_THAT(warning, ::testing::Not(HasSubstr("the operators inside"))) << entry.path();
        }
    }
}

}  // namespace
}  // namespace et::inspector
