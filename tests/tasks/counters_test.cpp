// Tests of counters with a fake kernel interface: multiplexing, refused counters, and attribution of counts.
#include "app/tasks/counters/count_run.h"
#include "app/tasks/counters/counted_recorder.h"
#include "app/tasks/counters/counting_tracer.h"
#include "etdump/trace.h"
#include "tests/support/scratch_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace et::tasks {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Provides counters that advance on command.
class FakeSystem final : public CounterSystem {
  public:
    int open(Counter counter) override {
        if (const auto refused = errors.find(counter); refused != errors.end()) {
            return -refused->second;
        }
        const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        counters[descriptor] = counter;
        return descriptor;
    }
    std::optional<CounterReading> read(int descriptor) override {
        ++readings;
        return values[counters.at(descriptor)];
    }
    std::optional<int> strictness() override { return 4; }

    /// Advances time; `counter` counts for `running` of `enabled`.
    void count(Counter counter, CounterReading more) { values[counter] += more; }

    std::map<Counter, int> errors;
    std::map<int, Counter> counters;
    std::map<Counter, CounterReading> values;
    std::size_t readings = 0;
};

void end(CountingTracer& tracer, std::string_view event, std::int32_t instruction, std::int32_t inside = -1) {
    tracer.profile(tracer.name(event), {.chain = 0, .instruction = instruction, .delegateInt = inside}, 100,
                   350, {});
}

TEST(CounterReading, IsScaledByMultiplexing) {
    EXPECT_EQ((CounterReading{.value = 10, .enabled = 400, .running = 100}).scaled(), 40);
    EXPECT_EQ((CounterReading{.value = 10, .enabled = 400, .running = 400}).scaled(), 10);
    EXPECT_EQ((CounterReading{.value = 0, .enabled = 400, .running = 0}).scaled(), std::nullopt);
}

TEST(CountingTracer, CountsGoToTheInstructionThatEnds) {
    FakeSystem system;
    const CounterSet set(system);
    EXPECT_THAT(set.refusals(), IsEmpty());
    CountingTracer tracer(set);
    const auto work = [&](std::uint64_t cycles) {
        system.count(Counter::Cycles, {.value = cycles, .enabled = cycles, .running = cycles});
    };
    work(1'000'000);  // before the run
    for (int run = 0; run < 2; ++run) {
        tracer.beginRun("Execute");
        work(50);
        end(tracer, "native_call_add.out", 0);  // nested in the call
        work(1);
        end(tracer, "OPERATOR_CALL", 0);
        work(300);
        end(tracer, "", 1, 7);  // inside a delegate
        end(tracer, "DELEGATE_CALL", 1);
        tracer.profile(tracer.name("Method::execute"), {.chain = -1, .instruction = 0}, 0, 1000, {});
        tracer.endRun();
        work(77);  // between runs
    }
    EXPECT_EQ(tracer.runs(), 2U);
    ASSERT_EQ(tracer.instructions().size(), 2U);
    const auto cycles = [&](std::int32_t instruction) {
        const CountedInstruction& found = tracer.instructions().at({.chain = 0, .instruction = instruction});
        EXPECT_EQ(found.calls, 2U);
        EXPECT_EQ(found.nanoseconds, 500U);
        return found.counted[static_cast<std::size_t>(Counter::Cycles)].scaled();
    };
    EXPECT_EQ(cycles(0), 102);
    EXPECT_EQ(cycles(1), 600);
}

TEST(CountingTracer, MultiplexedCountersAreScaledToAllExecutions) {
    FakeSystem system;
    const CounterSet set(system);
    CountingTracer tracer(set);
    // Always 100 instructions per nanosecond. The counter is active in each third execution.
    for (int run = 0; run < 9; ++run) {
        tracer.beginRun("Execute");
        const bool isIn = run % 3 == 0;
        system.count(Counter::Instructions,
                     {.value = isIn ? 20'000U : 0U, .enabled = 200, .running = isIn ? 200U : 0U});
        end(tracer, "OPERATOR_CALL", 0);
        tracer.endRun();
    }
    const CounterReading sum =
        tracer.instructions().begin()->second.counted[static_cast<std::size_t>(Counter::Instructions)];
    EXPECT_EQ(sum.running, 600U);
    EXPECT_EQ(sum.scaled(), 9 * 20'000);
    EXPECT_EQ(
        tracer.instructions().begin()->second.counted[static_cast<std::size_t>(Counter::Cycles)].scaled(),
        std::nullopt)
        << "it never had its turn";
}

TEST(CountedRecorder, RecordsOnlyExecutions) {
    const test::ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "trace.etdp";
    FakeSystem system;
    const CounterSet counters(system);
    auto recorder = etdump::Recorder::create({.traceFile = file});
    ASSERT_TRUE(recorder) << recorder.error().toString();
    CountedRecorder tracer(**recorder, counters);
    const core::TraceName call = tracer.name("OPERATOR_CALL");
    const core::TraceName kernel = tracer.name("native_call_add.out");
    const auto run = [&](std::string_view block, std::uint64_t count) {
        tracer.beginRun(block);
        system.count(Counter::PageFaults, {.value = count, .enabled = 1, .running = 1});
        tracer.profile(kernel, {.chain = 0, .instruction = 3}, 100, 200, {});
        tracer.profile(call, {.chain = 0, .instruction = 3}, 90, 210, {});
        tracer.endRun();
    };
    run("Default", 1000);
    run("Execute", 5);
    run("Execute", 7);
    ASSERT_TRUE((*recorder)->finish());
    EXPECT_EQ(tracer.counted().runs(), 2);
    ASSERT_EQ(tracer.counted().instructions().size(), 1);
    const auto& [site, counted] = *tracer.counted().instructions().begin();
    EXPECT_EQ(site, (CountedSite{.chain = 0, .instruction = 3}));
    EXPECT_EQ(counted.calls, 2);
    EXPECT_EQ(counted.nanoseconds, 240);
    EXPECT_EQ(counted.counted[static_cast<std::size_t>(Counter::PageFaults)].value, 12);
    const auto trace = etdump::Trace::open(file);
    ASSERT_TRUE(trace) << trace.error().toString();
    EXPECT_EQ((*trace)->events().start.size(), 6);
}

TEST(CounterSet, ReportsMissingCountersOnceWithAdvice) {
    FakeSystem system;
    for (const Counter counter : {Counter::Cycles, Counter::Instructions, Counter::CacheMisses}) {
        system.errors[counter] = ENOENT;
    }
    system.errors[Counter::BranchMisses] = EOPNOTSUPP;
    system.errors[Counter::ContextSwitches] = EACCES;
    const CounterSet set(system);
    EXPECT_FALSE(set.has(Counter::Cycles));
    EXPECT_TRUE(set.has(Counter::PageFaults));
    EXPECT_THAT(set.refusals(),
                ElementsAre(testing::AllOf(
                                HasSubstr("not counted: cycles, instructions, cache_misses, branch_misses: "),
                                HasSubstr("virtual machine")),
                            testing::AllOf(HasSubstr("not counted: context_switches: "),
                                           HasSubstr("perf_event_paranoid is 4"), HasSubstr("CAP_PERFMON"))));
    system.readings = 0;
    std::ignore = set.read();
    EXPECT_EQ(system.readings, 2U) << "what is not there is not read";
}

TEST(CounterSet, WithoutAnyCounterTimesStay) {
    FakeSystem system;
    for (const CounterInfo& traits : counterInfos) {
        system.errors[traits.counter] = traits.ofProcessor ? ENOSYS : EINVAL;
    }
    const CounterSet set(system);
    EXPECT_EQ(set.refusals().size(), 2U);
    CountingTracer tracer(set);
    tracer.beginRun("Execute");
    end(tracer, "OPERATOR_CALL", 3);
    EXPECT_EQ(tracer.instructions().begin()->second.nanoseconds, 250U);
}

TEST(CounterSet, TheKernelCountsWhereItAllowsIt) {
    const CounterSet set(linuxCounters());
    if (!set.has(Counter::PageFaults)) {
        GTEST_SKIP() << set.refusals().front();
    }
    const auto before = set.read();
    constexpr std::size_t pages = 1000;
    constexpr std::size_t pageBytes = 4096;
    std::vector<char> memory(pages * pageBytes);
    for (std::size_t i = 0; i < memory.size(); i += pageBytes) {
        const_cast<volatile char&>(memory[i]) = 1;
    }
    const auto at = static_cast<std::size_t>(Counter::PageFaults);
    const CounterReading counted = set.read()[at].since(before[at]);
    EXPECT_GT(counted.value, 0U);
    EXPECT_GT(counted.enabled, 0U);
    EXPECT_EQ(counted.enabled, counted.running) << "what the kernel counts takes no turns";
}

TEST(MachineState, IsReadFromSysfs) {
    const test::ScratchFolder folder;
    const auto put = [&](const char* path, const char* text) {
        const auto file = folder.path() / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    };
    EXPECT_FALSE(machineState(folder.path()).slowestClock);
    put("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2600000\n");
    put("devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "800000\n");
    put("devices/system/cpu/cpufreq/other", "x");
    put("class/thermal/thermal_zone0/temp", "41000\n");
    put("class/thermal/thermal_zone1/temp", "57500\n");
    put("class/thermal/thermal_zone2/temp", "no number\n");
    const MachineState state = machineState(folder.path());
    EXPECT_EQ(state.slowestClock, 800);
    EXPECT_EQ(state.fastestClock, 2600);
    EXPECT_EQ(state.temperature, 57.5);
}

}  // namespace
}  // namespace et::tasks
