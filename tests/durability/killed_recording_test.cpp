// Tests the trace left by a recording process that is killed at random times, and at writes to its file.
#include "etdump/trace.h"
#include "runtime/core/event_tracer.h"
#include "tests/cli/process.h"
#include "tests/durability/recording_progress.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace et::test {
namespace {

namespace fs = std::filesystem;

constexpr int killed = 128 + 9;
constexpr double second = 1e9;

/// Simulated event rate of a model.
struct Pace {
    std::string_view name;
    std::uint64_t eventsPerRun;
    std::uint64_t nanosecondsPerEvent;
};
constexpr std::uint64_t endless = 1'000'000'000;
constexpr Pace paces[] = {
    {"ten_events_a_second", 4, 100'000'000},
    {"a_thousand_in_one_run", endless, 1'000'000},
    {"a_hundred_thousand", 50, 10'000},
    {"as_many_as_there_can_be", 10, 0},
    {"as_many_as_there_can_be_in_one_run", endless, 0},
    {"runs_of_half_a_second", 50'000, 10'000},
};

void PrintTo(const Pace& pace, std::ostream* out) {
    *out << pace.name;
}

class KilledRecording : public testing::Test {
  protected:
    [[nodiscard]] std::string command(const Pace& pace, std::uint64_t events, int saveMilliseconds,
                                      bool withValues) const {
        return fmt::format("{} {} {} {} {} {} {}{}", ET_RECORDING_PROGRAM, trace.string(), progress.string(),
                           events, pace.eventsPerRun, pace.nanosecondsPerEvent, saveMilliseconds,
                           withValues ? " " + values.string() : "");
    }
    Outcome run(const std::string& line,
                std::vector<std::pair<std::string, std::string>> environment = {}) const {
        return runShell(
            line, {.folder = folder.path(), .environment = std::move(environment), .terminalColumns = {}});
    }
    /// Progress last reported by the process: number of events, time of the first and of the last.
    [[nodiscard]] std::array<std::uint64_t, 3> recorded() const {
        static_assert(sizeof(RecordingProgress) == 3 * sizeof(std::uint64_t));
        std::array<std::uint64_t, 3> numbers{};
        std::ifstream(progress, std::ios::binary)
            .read(reinterpret_cast<char*>(numbers.data()), sizeof(numbers));
        return numbers;
    }

    /// Returns the trace, if it exists: complete, without gaps, all values in the debug buffer.
    [[nodiscard]] std::shared_ptr<const etdump::Trace> checkedTrace(bool withValues) const {
        if (!fs::exists(trace)) {
            return nullptr;
        }
        auto opened = etdump::Trace::open(trace);
        EXPECT_TRUE(opened) << opened.error().toString();
        if (!opened) {
            return nullptr;
        }
        std::int32_t next = 0;
        const auto& events = (*opened)->events();
        const auto buffer = withValues ? readBytes(values) : std::vector<std::byte>();
        for (etdump::EventIndex i = 0; i < (*opened)->eventCount(); ++i) {
            if (events.kind[i] == etdump::EventKind::Profile) {
                EXPECT_EQ(events.instruction[i], next) << "an event is missing";
                next = events.instruction[i] + 1;
            } else {
                checkValue((*opened)->debugValue(i), buffer, next);
            }
        }
        return *opened;
    }
    static void checkValue(const etdump::DebugValue& value, const std::vector<std::byte>& buffer,
                           std::int64_t expected) {
        const auto offset = static_cast<std::size_t>(std::get<etdump::DebugTensor>(value.value).offset);
        std::int64_t element = -1;
        ASSERT_LE(offset + 4 * sizeof(element), buffer.size()) << "the trace names what is not there";
        std::memcpy(&element, buffer.data() + offset, sizeof(element));
        EXPECT_EQ(element, expected);
    }

    ScratchFolder folder;
    ScratchFolder other;  // outside the folder watched by the injected failure
    fs::path trace = folder.path() / "trace.etdp";
    fs::path values = folder.path() / "values.bin";
    fs::path progress = other.path() / "progress";
};

class KilledAtAnyTime : public KilledRecording, public testing::WithParamInterface<Pace> {};

/// Occasionally all CPUs are busy, so a loss only counts if it is repeated. With ET_KILLS, the number per
/// pace, every loss counts.
class Kills {
  public:
    Kills() {
        if (const char* const asked = std::getenv("ET_KILLS"); asked != nullptr) {
            most = std::atoi(asked);
            patience = 0;
        }
    }
    [[nodiscard]] bool goesOn() const { return done < most && !testing::Test::HasFailure(); }
    [[nodiscard]] double secondsUntilNext() {
        return std::uniform_real_distribution(0.1, patience == 0 ? 4.0 : 2.0)(random);
    }
    void expect(bool isKept, const std::string& message) {
        if (isKept || patience-- <= 0) {
            EXPECT_TRUE(isKept) << message;
            ++done;
        }
    }

  private:
    int most = 1;
    int patience = 2;
    int done = 0;
    std::mt19937 random{std::random_device{}()};
};

TEST_P(KilledAtAnyTime, LosesAtMostOneSecondOrATenth) {
    double most = 0;
    bool withValues = GetParam().nanosecondsPerEvent >= 10'000;
    for (Kills kills; kills.goesOn();) {
        fs::remove(trace);
        const double seconds = kills.secondsUntilNext();
        const Outcome ended = run(fmt::format("exec timeout -s KILL {} {}", seconds,
                                              command(GetParam(), endless, 250, withValues)));
        ASSERT_EQ(ended.code, killed) << ended.err;
        const auto [events, first, last] = recorded();
        const auto left = checkedTrace(withValues);
        const auto profiled =
            left == nullptr ? 0 : std::ranges::count(left->events().kind, etdump::EventKind::Profile);
        const std::uint64_t lastLeft = left == nullptr ? first : std::ranges::max(left->events().end);
        const double lostTime = static_cast<double>(last - std::min(last, lastLeft)) / second;
        const double lostShare =
            1 - static_cast<double>(profiled) / std::max(1.0, static_cast<double>(events));
        kills.expect(
            lostTime <= 1 || lostShare <= 0.1,
            fmt::format("killed after {} s: {} events were recorded, {} are left; the last {} s are lost",
                        seconds, events, profiled, lostTime));
        most = std::max(most, lostTime);
        withValues = !withValues && GetParam().nanosecondsPerEvent >= 10'000;
    }
    std::printf("%s: at most the last %.2f s were lost\n", std::string(GetParam().name).c_str(), most);
}

TEST_F(KilledRecording, RunningModelLosesAtMostOneSecond) {
    ASSERT_EQ(run("et-inspect sample add_mul > /dev/null").code, 0);
    double most = 0;
    for (Kills kills; kills.goesOn();) {
        fs::remove(trace);
        const double seconds = 0.5 + kills.secondsUntilNext();
        const Outcome ended =
            run(fmt::format("exec timeout -s KILL {} et-inspect run add_mul.pte --iterations 100000000 "
                            "--max-events 100000000 "
                            "--etdump {} > /dev/null",
                            seconds, trace.string()));
        const auto end = static_cast<double>(core::EventTracer::now());
        ASSERT_EQ(ended.code, killed) << ended.err;
        const auto left = fs::exists(trace) ? etdump::Trace::open(trace).value() : nullptr;
        const double lost = left == nullptr
                                ? seconds
                                : (end - static_cast<double>(std::ranges::max(left->events().end))) / second;
        kills.expect(lost <= 1, fmt::format("killed after {} s, the last {} s are lost", seconds, lost));
        most = std::max(most, lost);
    }
    std::printf("at most the last %.2f s were lost\n", most);
}

INSTANTIATE_TEST_SUITE_P(Paces, KilledAtAnyTime, testing::ValuesIn(paces),
                         [](const testing::TestParamInfo<Pace>& info) {
                             return std::string(info.param.name);
                         });

/// Injects a failure of each kind at calls spread over a whole recording; ET_ALL_FAILURES=1: many more.
TEST_F(KilledRecording, LeavesAWholeTraceAtEveryWrite) {
    constexpr Pace pace{.name = "", .eventsPerRun = 700, .nanosecondsPerEvent = 5'000};
    const std::string line = "exec " + command(pace, 39'900, 1, true);
    const fs::path count = other.path() / "count";
    const Outcome whole = run(line, {{"LD_PRELOAD", ET_PLANTED_FAILURE},
                                     {"ET_FAIL_FOLDER", folder.path().string()},
                                     {"ET_FAIL_COUNT", count.string()}});
    ASSERT_EQ(whole.code, 0) << whole.err;
    int calls = 0;
    std::ifstream(count) >> calls;
    ASSERT_GT(calls, 30);
    ASSERT_EQ(checkedTrace(true)->eventCount(), 39'900U + 39'900 / 700);
    const int tries = std::getenv("ET_ALL_FAILURES") != nullptr ? 100 : 4;
    const unsigned seed = std::random_device()();
    std::mt19937 random(seed);
    int ended = 0;
    for (const std::string_view how : {"kill", "tear", "full", "io"}) {
        for (int i = 0; i < tries && !HasFailure(); ++i) {
            const int call = std::uniform_int_distribution(1, calls)(random);
            SCOPED_TRACE(fmt::format("{} at call {} of {}, seed {}", how, call, calls, seed));
            fs::remove(trace);
            fs::remove(values);
            const Outcome outcome = run(line, {{"LD_PRELOAD", ET_PLANTED_FAILURE},
                                               {"ET_FAIL_FOLDER", folder.path().string()},
                                               {"ET_FAIL_AT", std::to_string(call)},
                                               {"ET_FAIL_HOW", std::string(how)}});
            ended += outcome.code != 0 ? 1 : 0;
            const bool isKill = how == "kill" || how == "tear";
            EXPECT_TRUE(outcome.code == 0 || outcome.code == (isKill ? killed : 3)) << outcome.err;
            static_cast<void>(checkedTrace(fs::exists(values)));
        }
    }
    EXPECT_GT(ended, tries) << "saves are not as many each time, but nearly";
}

/// The debug buffer grows under its final name while the program runs.
TEST_F(KilledRecording, EverythingWrittenIsOnDisk) {
    constexpr Pace pace{.name = "", .eventsPerRun = 700, .nanosecondsPerEvent = 5'000};
    const fs::path calls = other.path() / "calls";
    const Outcome whole =
        run("exec " + command(pace, 39'900, 1, true), {{"LD_PRELOAD", ET_PLANTED_FAILURE},
                                                       {"ET_FAIL_FOLDER", folder.path().string()},
                                                       {"ET_CALL_LOG", calls.string()}});
    ASSERT_EQ(whole.code, 0) << whole.err;
    std::map<std::string, std::string> last;
    std::map<std::string, int> writes;
    std::ifstream log(calls);
    for (std::string call, path; log >> call && std::getline(log >> std::ws, path);) {
        last[path] = call;
        writes[path] += call == "write" ? 1 : 0;
    }
    EXPECT_GT(writes[values.string()], 0) << "nothing was written once it had its name";
    EXPECT_EQ(last[values.string()], "fsync");
    EXPECT_EQ(last[folder.path().string()], "fsync");
    for (const auto& [path, call] : last) {
        // A renamed part was synced under its temporary name; a replaced trace needs no sync.
        const bool isReplaced = path == trace.string();
        EXPECT_TRUE(call == "fsync" || isReplaced) << path;
    }
}

}  // namespace
}  // namespace et::test
